// Egress policy: the addresses this server may reach. Deny by default: public addresses only,
// unless the operator's allow-list names the host, the address or its range. Judges bytes; resolver
// and connector ensure that the judged address is the connected one.
import { ConfigError } from "../config.ts";
import {
  ADDRESS_CLASS_TEXT,
  classifyAddress,
  formatAddress,
  isInCidr,
  parseCidr,
  type AddressBytes,
  type AddressClass,
  type Cidr,
} from "../url/address.ts";
import { isLocalhostName, parseHost, type Host } from "../url/host.ts";

/** A decision with a reason for people (`egress explain`, the log). */
export type EgressDecision = {
  readonly allowed: boolean;
  readonly addressClass: AddressClass;
  /** Names the address: for the operator, not for the caller. */
  readonly reason: string;
};

export type EgressPolicy = {
  /** True if `host` may be reached on `port` at this address. */
  judge(host: Host, port: number, address: AddressBytes): EgressDecision;
  /** Returns the reason why no connection to this port is allowed; undefined if allowed. */
  judgePort(host: Host, port: number): string | undefined;
};

type Rule = {
  readonly text: string;
  readonly port: number | undefined;
  readonly matches: (host: Host, address: AddressBytes | undefined) => boolean;
};

/**
 * Ports of other protocols, where a request could do harm (WHATWG Fetch section 2.9, "bad port").
 */
const BAD_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/**
 * Builds the policy from the allow-list: hosts, `host:port`, `*.domain`, addresses and CIDRs, each
 * with an optional port. Cloud metadata addresses need `allowMetadata` as well. Throws ConfigError
 * for an invalid entry.
 */
export function createEgressPolicy(options: {
  allow: readonly string[];
  allowMetadata: boolean;
}): EgressPolicy {
  const rules = options.allow.map(parseRule);
  const findRule = (host: Host, port: number, address: AddressBytes | undefined) =>
    rules.find((rule) => (rule.port ?? port) === port && rule.matches(host, address));

  return {
    judge(host, port, address) {
      const addressClass = classifyAddress(address);
      const what = `${formatAddress(address)} is ${ADDRESS_CLASS_TEXT[addressClass]}`;
      if (addressClass === "public" && !isLocalName(host))
        return { allowed: true, addressClass, reason: what };
      const rule = findRule(host, port, address);
      if (rule === undefined)
        return {
          allowed: false,
          addressClass,
          reason: `${what}, and no allow-list entry names it`,
        };
      if (addressClass === "metadata" && !options.allowMetadata) {
        const reason = `${what}; the entry "${rule.text}" names it, but metadata addresses also need QUARRY_EGRESS_ALLOW_METADATA`;
        return { allowed: false, addressClass, reason };
      }
      return { allowed: true, addressClass, reason: `${what}, opened by the entry "${rule.text}"` };
    },
    judgePort(host, port) {
      if (!BAD_PORTS.has(port)) return undefined;
      const bytes = host.kind === "address" ? host.bytes : undefined;
      const rule = findRule(host, port, bytes);
      return rule?.port === port ? undefined : `port ${port} is not used by web servers`;
    },
  };
}

const isLocalName = (host: Host): boolean => host.kind === "name" && isLocalhostName(host.name);

function parseRule(text: string): Rule {
  const { target, port } = splitPort(text);
  const cidr = parseCidr(target);
  if (cidr !== undefined) return { text, port, matches: matchCidr(cidr) };
  const wildcard = target.startsWith("*.");
  const host = parseHost(wildcard ? target.slice(2) : target);
  if (host?.kind !== "name" || host.name.includes("*"))
    throw new ConfigError(
      `QUARRY_EGRESS_ALLOW: "${text}" is not a host, host:port, *.domain, address or CIDR.`,
    );
  const suffix = `.${host.name}`;
  return {
    text,
    port,
    matches: (asked) =>
      asked.kind === "name" && (wildcard ? asked.name.endsWith(suffix) : asked.name === host.name),
  };
}

const matchCidr =
  (cidr: Cidr) =>
  (host: Host, address: AddressBytes | undefined): boolean =>
    isInCidr(address ?? (host.kind === "address" ? host.bytes : new Uint8Array()), cidr);

/** "host:8080", "[::1]:8080", "10.0.0.0/8:8080"; a bare IPv6 address has no port. */
function splitPort(text: string): { target: string; port: number | undefined } {
  const match = /^(\[[^\]]*\](?:\/\d+)?|[^:]*):(\d{1,5})$/.exec(text);
  if (match === null) return { target: stripBrackets(text), port: undefined };
  const port = Number(match[2]);
  if (port > 65_535)
    throw new ConfigError(`QUARRY_EGRESS_ALLOW: the port of "${text}" is above 65535.`);
  return { target: stripBrackets(match[1] ?? ""), port };
}

const stripBrackets = (text: string): string => text.replace(/^\[([^\]]*)\]/, "$1");
