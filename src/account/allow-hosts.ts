// The hosts that a key may fetch.
import { RequestError } from "../errors.ts";
import type { Identity } from "./identity.ts";

const NAME = /^(?:\*\.)?[^\s*/:@?#[\]\\%]+$/;

/**
 * Returns the pattern with its host as URLs spell it; undefined if invalid. IPv6 addresses are in
 * brackets.
 */
export function parseHostPattern(pattern: string): string | undefined {
  const isAddress = /^\[[\da-f:.]+\]$/i.test(pattern);
  if (!isAddress && !NAME.test(pattern)) return undefined;
  const isWild = pattern.startsWith("*.");
  const host = URL.parse(`http://${isWild ? pattern.slice(2) : pattern}/`)?.hostname;
  if (host === undefined || host === "") return undefined;
  return isWild ? `*.${host}` : host;
}

const stripTrailingDot = (host: string): string => (host.endsWith(".") ? host.slice(0, -1) : host);

/**
 * True if a pattern covers the URL's host. `*.example.com` covers subdomains of example.com, not
 * itself.
 */
export function allowsHost(allowHosts: readonly string[] | undefined, url: URL): boolean {
  if (allowHosts === undefined) return true;
  const host = stripTrailingDot(url.hostname);
  return allowHosts.some((pattern) => {
    const parsed = stripTrailingDot(parseHostPattern(pattern) ?? "");
    return parsed.startsWith("*.") ? host.endsWith(parsed.slice(1)) : host === parsed;
  });
}

type Limited = Pick<Identity, "allowHosts" | "keyName">;

const describeKey = ({ keyName }: Limited): string =>
  keyName === "" ? "The key" : `The key "${keyName}"`;

function assertHost(identity: Limited, url: URL, refused: string): void {
  const { allowHosts } = identity;
  if (allowHosts === undefined || allowsHost(allowHosts, url)) return;
  throw new RequestError(
    "FORBIDDEN",
    `${describeKey(identity)} may not ${refused} ${url.hostname}; its hosts are ${allowHosts.join(", ")}.`,
    { details: { host: url.hostname, allowHosts: [...allowHosts] } },
  );
}

/** Throws FORBIDDEN, naming the host and the list, when the key may not fetch the URL. */
export const assertHostAllowed = (identity: Limited, url: URL): void =>
  assertHost(identity, url, "fetch from");

/** The same for a stored page. An uploaded file has no host. */
export function assertPageReadable(identity: Limited, url: string | null | undefined): void {
  const address = URL.parse(url ?? "");
  if (address?.protocol.startsWith("http") === true) assertHost(identity, address, "read pages of");
}

/** True if each host of `inner` is one of `outer`; undefined stands for all hosts. */
export function coversHosts(
  outer: readonly string[] | undefined,
  inner: readonly string[] | undefined,
): boolean {
  if (outer === undefined) return true;
  if (inner === undefined) return false;
  const known = outer.map((pattern) => stripTrailingDot(parseHostPattern(pattern) ?? pattern));
  return inner.every((pattern) => {
    const host = stripTrailingDot(parseHostPattern(pattern) ?? pattern);
    return known.some(
      (other) => host === other || (other.startsWith("*.") && host.endsWith(other.slice(1))),
    );
  });
}

/**
 * Throws FORBIDDEN when what a job or monitor read may be of hosts that the key may not fetch.
 * `allowHosts` are those of the key that started it.
 */
export function assertHostsCovered(
  identity: Limited,
  allowHosts: readonly string[] | undefined,
  noun: string,
): void {
  if (coversHosts(identity.allowHosts, allowHosts)) return;
  throw new RequestError(
    "FORBIDDEN",
    `${describeKey(identity)} may not use this ${noun}: the key that started it may fetch from other hosts than ${identity.allowHosts?.join(", ") ?? ""}.`,
    { details: { allowHosts: [...(identity.allowHosts ?? [])] } },
  );
}
