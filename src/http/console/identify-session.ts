// Identifies the caller by cookie. Browsers send it with every request to this host, so it counts
// only for pages of this server, and for writes only with the CSRF token.
import type { FastifyRequest } from "fastify";
import type { ConsoleSession, ConsoleSessions } from "../../account/console-sessions.ts";
import { RequestError } from "../../errors.ts";
import { isSameSecret } from "../middleware/authenticate.ts";
import { isForeignHost, isOwnOrigin } from "../middleware/own-host.ts";
import type { SessionCookie } from "./session-cookie.ts";

export const CSRF_HEADER = "x-csrf-token";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Returns whether the request comes from a page of this server, or from the address bar. Browsers
 * set both headers; pages cannot.
 */
function isOwnPage(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { headers, method } = request;
  // The name that the browser used; a proxy's X-Forwarded-Host can come from a page.
  if (isForeignHost(headers.host, publicUrl)) return false;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && !(site === "none" && READS.has(method)))
    return false;
  return isFromOwnOrigin(request, publicUrl);
}

/** True without an Origin, and for that of the address of this request or of the public URL. */
export const isFromOwnOrigin = (
  { headers: { origin }, host }: FastifyRequest,
  publicUrl: string | undefined,
): boolean => origin === undefined || isOwnOrigin(origin, host, publicUrl);

export type IdentifySession = (request: FastifyRequest) => Promise<ConsoleSession | undefined>;

/** Returns undefined without a valid session; throws FORBIDDEN for a write without its token. */
export function createIdentifySession(
  sessions: () => Promise<ConsoleSessions>,
  cookie: SessionCookie,
  publicUrl: string | undefined,
): IdentifySession {
  return async (request) => {
    const secret = cookie.read(request);
    if (secret === undefined || !isOwnPage(request, publicUrl)) return undefined;
    const session = await (await sessions()).resume(secret);
    if (session === undefined || READS.has(request.method)) return session;
    const token = request.headers[CSRF_HEADER];
    if (typeof token !== "string" || !isSameSecret(token, session.csrfToken))
      throw new RequestError(
        "FORBIDDEN",
        `A signed-in browser sends the token of its session with every write, as ${CSRF_HEADER}. Reload the page.`,
      );
    return session;
  };
}
