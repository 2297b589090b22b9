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

/** Throws FORBIDDEN, naming the host and the list, when the key may not fetch the URL. */
export function assertHostAllowed(
  { allowHosts, keyName }: Pick<Identity, "allowHosts" | "keyName">,
  url: URL,
): void {
  if (allowHosts === undefined || allowsHost(allowHosts, url)) return;
  const key = keyName === "" ? "The key" : `The key "${keyName}"`;
  throw new RequestError(
    "FORBIDDEN",
    `${key} may not fetch from ${url.hostname}; its hosts are ${allowHosts.join(", ")}.`,
    { details: { host: url.hostname, allowHosts: [...allowHosts] } },
  );
}
