// Without keys the service answers whoever can reach it, and every web page open in a browser on this machine can
// reach loopback. So a server without keys believes only its own names: DNS rebinding fails on Host, a foreign page
// on Origin.
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { RequestError } from "../../errors.ts";

const OWN_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function guardOrigin(server: FastifyInstance): void {
  server.addHook("onRequest", async (request) => checkOrigin(request.headers));
}

/** Throws FORBIDDEN for a request that was not made to one of this machine's own names, or by a foreign page. */
export function checkOrigin(headers: IncomingHttpHeaders): void {
  const fault = originFault(headers);
  if (fault !== undefined) throw new RequestError("FORBIDDEN", fault);
}

/** Why a request with these headers is not believed. */
export function originFault({ host = "", origin }: IncomingHttpHeaders): string | undefined {
  // The header itself: X-Forwarded-Host, which a trusted proxy may set, says nothing of the name the browser believed.
  if (!isOwnName(hostname(host)))
    return `A server without API keys answers on localhost and 127.0.0.1 only, not as ${host}.`;
  if (origin !== undefined && !isOwnOrigin(origin))
    return `A server without API keys does not answer web pages of ${origin}.`;
  return undefined;
}

function isOwnOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && isOwnName(url.hostname);
}

const isOwnName = (name: string): boolean =>
  OWN_NAMES.has(name.toLowerCase().replace(/(?<=[^.])\.$/, ""));

const hostname = (host: string): string => host.replace(/:\d*$/, "");
