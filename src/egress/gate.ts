// The check for everything that leaves the machine: whether this host and port may be reached, and
// at which addresses.
import { RequestError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";
import { ADDRESS_CLASS_TEXT, parseIpv4, parseIpv6, type AddressClass } from "../url/address.ts";
import { isLocalhostName, parseHost, type Host } from "../url/host.ts";
import type { EgressDecision, EgressPolicy } from "./policy.ts";
import { OwnEndpoints } from "./own-endpoints.ts";
import type { ResolvedAddress, Resolver } from "./resolver.ts";

/** A dry run: every address of the host with its decision. Allowed only if all are. */
export type EgressExplanation = {
  readonly host: string;
  readonly port: number;
  readonly allowed: boolean;
  /** The reason, naming the first refusal. */
  readonly reason: string;
  readonly addresses: readonly (EgressDecision & { readonly address: string })[];
};

export type Gate = {
  /**
   * Returns the addresses to connect to, all allowed. Throws RequestError UNSUPPORTED_SITE when any
   * is refused, and TargetError SCRAPE_DNS_RESOLUTION_ERROR.
   */
  readonly check: (hostname: string, port: number) => Promise<readonly ResolvedAddress[]>;
  /** The same decision as text, without connecting or counting; DNS errors are thrown. */
  readonly explain: (hostname: string, port: number) => Promise<EgressExplanation>;
};

/**
 * Creates the gate over a policy and a resolver; refusals are counted in `metrics.egressRefused`.
 */
export function createGate(
  policy: EgressPolicy,
  resolver: Resolver,
  metrics: Metrics,
  own = new OwnEndpoints(),
): Gate {
  const refuse = (text: string): never => {
    metrics.egressRefused.inc();
    throw new RequestError("UNSUPPORTED_SITE", text);
  };

  const resolveAddresses = async (
    host: Host,
    port: number,
  ): Promise<readonly ResolvedAddress[]> => {
    if (host.kind === "address") return [toResolved(host.bytes, host.name)];
    if (!isLocalhostName(host.name)) return resolver.resolve(host.name);
    // RFC 6761: never sent to a name server. An allow-list entry for one of the two addresses opens
    // that one.
    const open = LOOPBACK.filter(({ bytes }) => policy.judge(host, port, bytes).allowed);
    return open.length > 0 ? open : LOOPBACK;
  };

  const isOwn = (host: Host, port: number, addresses: readonly ResolvedAddress[]): boolean =>
    own.includes(
      host,
      port,
      addresses.map(({ bytes }) => bytes),
    );

  return {
    async check(hostname, port) {
      const host = parseHost(hostname);
      if (host === undefined) return refuse(`"${hostname}" is not a host name or an address.`);
      const badPort = policy.judgePort(host, port);
      if (badPort !== undefined)
        return refuse(`${host.name}:${port} may not be reached: ${badPort}.`);
      const addresses = await resolveAddresses(host, port);
      if (isOwn(host, port, addresses)) return refuse(describeOwnEndpoint(host, port));
      for (const { bytes } of addresses) {
        const { allowed, addressClass } = policy.judge(host, port, bytes);
        if (!allowed) return refuse(describeRefusal(host, port, addressClass));
      }
      return addresses;
    },
    async explain(hostname, port) {
      const host = parseHost(hostname);
      if (host === undefined) {
        const reason = `"${hostname}" is not a host name or an address`;
        return { host: hostname, port, allowed: false, reason, addresses: [] };
      }
      const resolved = await resolveAddresses(host, port);
      const itself = isOwn(host, port, resolved) ? describeOwnEndpoint(host, port) : undefined;
      const addresses = resolved.map(({ address, bytes }) => ({
        address,
        ...policy.judge(host, port, bytes),
      }));
      const refused = addresses.find(({ allowed }) => !allowed);
      const badPort = policy.judgePort(host, port);
      const allowed = refused === undefined && badPort === undefined && itself === undefined;
      const reason =
        itself ?? badPort ?? refused?.reason ?? addresses.map((each) => each.reason).join("; ");
      return { host: host.name, port, allowed, reason, addresses };
    },
  };
}

const describeOwnEndpoint = (host: Host, port: number): string =>
  `${host.name}:${port} may not be reached from this server: it is this server itself, which no allow-list entry opens.`;

/**
 * Names the class but not the address, because callers must not learn what internal names resolve
 * to.
 */
function describeRefusal(host: Host, port: number, addressClass: AddressClass): string {
  const relation = host.kind === "address" ? "it is" : "it leads to";
  const what =
    addressClass === "public" ? "a name of this machine" : ADDRESS_CLASS_TEXT[addressClass];
  const target =
    host.name.includes(":") && !host.name.startsWith("[") ? `[${host.name}]` : host.name;
  const second =
    addressClass === "metadata" ? " together with QUARRY_EGRESS_ALLOW_METADATA=true" : "";
  return (
    `${host.name} may not be reached from this server: ${relation} ${what}. ` +
    `The operator can open it with QUARRY_EGRESS_ALLOW=${target}:${port}${second}.`
  );
}

const toResolved = (bytes: Uint8Array, address: string): ResolvedAddress => ({
  bytes,
  address: address.replace(/^\[|\]$/g, ""),
  family: bytes.length === 4 ? 4 : 6,
});

const LOOPBACK: readonly ResolvedAddress[] = [
  toResolved(parseIpv4("127.0.0.1") ?? new Uint8Array(4), "127.0.0.1"),
  toResolved(parseIpv6("::1") ?? new Uint8Array(16), "::1"),
];
