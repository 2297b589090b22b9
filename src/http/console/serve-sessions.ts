// Sign-in to the console, the current session, and sign-out.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { ConsoleSession, ConsoleSessions } from "../../account/console-sessions.ts";
import type { SessionView } from "../../console/session-view.ts";
import { DEFAULT_SCOPES } from "../../contract/account/scopes.ts";
import { JOB_PATHS, PAGE_LIST_KINDS } from "../../contract/jobs/kinds.ts";
import { RequestError } from "../../errors.ts";
import { readBearerKey, isSameSecret } from "../middleware/authenticate.ts";
import { checkAgainst } from "../route.ts";
import { assertOwnHost } from "../middleware/own-host.ts";
import { isFromOwnOrigin, type IdentifySession } from "./identify-session.ts";
import type { SessionCookie } from "./session-cookie.ts";

const signInSchema = z.union([
  z.strictObject({ key: z.string().min(1).max(500) }),
  z.strictObject({ link: z.string().min(1).max(200) }),
]);

export type SessionRoutes = {
  readonly sessions: () => Promise<ConsoleSessions>;
  readonly identify: IdentifySession;
  readonly cookie: SessionCookie;
  /** False for a server without keys. */
  readonly auth: boolean;
  readonly version: string;
  readonly adminToken: string;
  readonly publicUrl: string | undefined;
};

/** Builds the session data that a page may see. */
export function describeSession(
  session: ConsoleSession | undefined,
  { auth, version }: Pick<SessionRoutes, "auth" | "version">,
): SessionView {
  if (session === undefined)
    return {
      mode: auth ? "signed-out" : "open",
      csrfToken: null,
      keyName: null,
      scopes: auth ? [] : DEFAULT_SCOPES,
      expiresAt: null,
      version,
      jobPaths: JOB_PATHS,
      pageKinds: PAGE_LIST_KINDS,
    };
  const { identity, csrfToken, expiresAt } = session;
  return {
    mode: "signed-in",
    csrfToken,
    keyName: identity.keyName,
    scopes: identity.scopes ?? DEFAULT_SCOPES,
    expiresAt: new Date(expiresAt).toISOString(),
    version,
    jobPaths: JOB_PATHS,
    pageKinds: PAGE_LIST_KINDS,
  };
}

/**
 * Routes at /console/session, and /admin/console-links for callers with access to the data folder.
 */
export function serveSessions(server: FastifyInstance, parts: SessionRoutes): void {
  const { sessions, identify, cookie, adminToken } = parts;
  const answer = (reply: FastifyReply, session: ConsoleSession | undefined): FastifyReply =>
    reply
      .header("cache-control", "no-store")
      .send({ success: true, data: describeSession(session, parts) });

  server.get("/console/session", async (request, reply) => answer(reply, await identify(request)));

  server.post("/console/session", async (request, reply) => {
    assertOwnPage(request, parts.publicUrl);
    const given = checkAgainst(signInSchema, request.body);
    const use = await sessions();
    const started =
      "key" in given
        ? await use.startWithKey(given.key.trim())
        : await use.startWithLink(given.link);
    // Ends the previous session of this browser.
    const before = cookie.read(request);
    if (before !== undefined) await use.end(before);
    reply.header("set-cookie", cookie.write(request, started.secret, started.expiresAt));
    return await answer(reply, started);
  });

  server.delete("/console/session", async (request, reply) => {
    const session = await identify(request);
    const secret = cookie.read(request);
    if (session !== undefined && secret !== undefined) await (await sessions()).end(secret);
    reply.header("set-cookie", cookie.clear(request));
    return await answer(reply, undefined);
  });

  server.post("/admin/console-links", async (request) => {
    if (!isSameSecret(readBearerKey(request.headers.authorization), adminToken))
      throw new RequestError("UNAUTHORIZED", "Unauthorized: Invalid token");
    const { token, expiresAt } = await (await sessions()).createLink();
    return {
      success: true,
      data: { path: buildSignInPath(token), expiresAt: new Date(expiresAt).toISOString() },
    };
  });
}

/** In the fragment, so that it stays in the browser and out of logs and Referer headers. */
export const buildSignInPath = (token: string): string => `/#sign-in=${token}`;

/**
 * A foreign page must not sign a user in, because its account could then see the user's actions.
 */
function assertOwnPage(request: FastifyRequest, publicUrl: string | undefined): void {
  const { headers } = request;
  assertOwnHost(headers.host, publicUrl, "The console does not sign in");
  const site = headers["sec-fetch-site"];
  if ((site !== undefined && site !== "same-origin") || !isFromOwnOrigin(request, publicUrl))
    throw new RequestError("FORBIDDEN", "Sign-in is accepted from the console's own page only.");
}
