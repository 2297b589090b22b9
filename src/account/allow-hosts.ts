// The hosts that a key may fetch.
import { UPLOAD_HOST } from "../contract/page/upload-host.ts";
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

const describeHosts = (allowHosts: readonly string[] = []): string =>
  `Allowed hosts: ${allowHosts.join(", ") || "none"}.`;

const createHostError = (identity: Limited, action: string, host: string): RequestError =>
  new RequestError(
    "FORBIDDEN",
    `${describeKey(identity)} is not allowed to ${action} ${host}. ${describeHosts(identity.allowHosts)}`,
    { details: { host, allowHosts: [...(identity.allowHosts ?? [])] } },
  );

/** Throws FORBIDDEN, naming the host and the list, when the key may not fetch the URL. */
export function assertHostAllowed(identity: Limited, url: URL): void {
  if (!allowsHost(identity.allowHosts, url))
    throw createHostError(identity, "fetch from", url.hostname);
}

/** Returns the host of a stored page that the key may not read. An uploaded file has none. */
function findForbiddenHost({ allowHosts }: Limited, url: string | null | undefined) {
  // Most keys have no hosts, and lists are long.
  if (allowHosts === undefined) return undefined;
  const address = URL.parse(url ?? "");
  if (address?.protocol.startsWith("http") !== true || address.hostname === UPLOAD_HOST)
    return undefined;
  return allowsHost(allowHosts, address) ? undefined : address.hostname;
}

/** True if the key may read a stored page of the URL. */
export const isPageReadable = (identity: Limited, url: string | null | undefined): boolean =>
  findForbiddenHost(identity, url) === undefined;

/** Throws FORBIDDEN when the key may not read a stored page of the URL. */
export function assertPageReadable(identity: Limited, url: string | null | undefined): void {
  const host = findForbiddenHost(identity, url);
  if (host !== undefined) throw createHostError(identity, "read pages of", host);
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
 * Throws FORBIDDEN when a job or monitor may have read hosts that the key may not fetch. `allowHosts`
 * are those of the key that created it.
 */
export function assertHostsCovered(
  identity: Limited,
  allowHosts: readonly string[] | undefined,
  noun: string,
): void {
  if (coversHosts(identity.allowHosts, allowHosts)) return;
  throw new RequestError(
    "FORBIDDEN",
    `${describeKey(identity)} is not allowed to use this ${noun}, because the key that created it may fetch from other hosts. ${describeHosts(identity.allowHosts)}`,
    { details: { allowHosts: [...(identity.allowHosts ?? [])] } },
  );
}
