// Without keys the service answers anyone who can reach it, and every web page in a local browser
// can reach loopback. A server without keys therefore answers only under its own names and only to
// its own pages. DNS rebinding fails on Host; pages of other origins fail on Origin or
// Sec-Fetch-Site.
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { RequestError } from "../../errors.ts";
import { isOwnOrigin } from "./own-host.ts";

const OWN_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Browsers set it on every request and no page can change it (W3C Fetch Metadata). "none" means the
 * user typed the URL.
 */
const TRUSTED_SITES = new Set(["same-origin", "none"]);

/** Pages that people may open by a link from elsewhere; opening them starts no work. */
const LINKED_PAGES = /^\/(?:$|docs(?:\/|$)|console(?:\/|$)|live\/)/;

type RequestHead = { readonly headers: IncomingHttpHeaders; readonly url?: string | undefined };

export function guardOrigin(server: FastifyInstance): void {
  server.addHook("onRequest", async (request) => checkOrigin(request));
}

/** Throws FORBIDDEN for a request to a foreign host name or from a page of another origin. */
export function checkOrigin(request: RequestHead): void {
  const fault = findOriginFault(request);
  if (fault !== undefined) throw new RequestError("FORBIDDEN", fault);
}

/** Returns why a server without keys rejects the request; undefined when it accepts it. */
export function findOriginFault({ headers, url = "" }: RequestHead): string | undefined {
  // X-Forwarded-Host, which a trusted proxy may set, is not the name the browser used.
  const { host = "", origin } = headers;
  if (!isOwnName(readHostname(host)))
    return `A server without API keys answers on localhost and 127.0.0.1 only, not as ${host}.`;
  if (origin !== undefined && !isOwnOrigin(origin, host))
    return `A server without API keys does not answer web pages of ${origin}; start it with keys to call it from there.`;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && !TRUSTED_SITES.has(String(site)) && !isFollowedLink(headers, url))
    return `A server without API keys does not answer requests of other web pages (Sec-Fetch-Site: ${String(site)}); start it with keys to call it from there.`;
  return undefined;
}

const isFollowedLink = (headers: IncomingHttpHeaders, url: string): boolean =>
  headers["sec-fetch-mode"] === "navigate" &&
  headers["sec-fetch-dest"] === "document" &&
  LINKED_PAGES.test(url.split("?", 1)[0] ?? "");

const isOwnName = (name: string): boolean =>
  OWN_NAMES.has(name.toLowerCase().replace(/(?<=[^.])\.$/, ""));

const readHostname = (host: string): string => host.replace(/:\d*$/, "");
