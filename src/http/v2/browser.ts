// Standalone browser sessions under both names that clients use, and the older self-hosted form.
import { NO_RECORDING } from "../../contract/endpoints/endpoint.ts";
import type { BrowserOptions, SaveProfile } from "../../contract/session/browser.ts";
import { RequestError } from "../../errors.ts";
import type { Execution } from "../../interact/interact.ts";
import { readTitle } from "../../interact/read-title.ts";
import type { LiveSession } from "../../interact/session.ts";
import type { Sessions } from "../../interact/sessions.ts";
import type { BrowserSessionRecord } from "../../store/sessions/browser-sessions.ts";
import type { ProfileStore } from "../../store/accounts/profiles.ts";
import type { Call, Handlers } from "../route.ts";
import { describeOutcome, type InteractRouteParts } from "./interact.ts";
import { buildAddresses } from "./session-addresses.ts";

export type BrowserRouteParts = InteractRouteParts & {
  readonly sessions: Sessions;
  readonly store: () => Promise<{ readonly profiles: ProfileStore }>;
};

type Id = { readonly id: string };

export function createBrowserHandlers(parts: BrowserRouteParts): Handlers {
  return {
    ...createSessionHandlers("/v2/browser", parts),
    ...createSessionHandlers("/v2/interact", parts),
    ...createLocalHandlers(parts),
  };
}

function createSessionHandlers(root: string, parts: BrowserRouteParts): Handlers {
  const { sessions } = parts;
  const describe = async (record: BrowserSessionRecord, request: Call["request"]) => ({
    id: record.id,
    status: record.endedAt === null ? "active" : "destroyed",
    ...buildAddresses(sessions.findLive(record.id), request, parts),
    streamWebView: record.streamWebView,
    createdAt: new Date(record.createdAt).toISOString(),
    lastActivity: new Date(
      sessions.findLive(record.id)?.lastActivity ?? record.lastActivity,
    ).toISOString(),
    expiresAt: new Date(record.expiresAt).toISOString(),
    ...(await describeLive(sessions.findLive(record.id))),
  });
  const refuseReplay = async ({ params, identity }: Call<unknown, unknown, Id>): Promise<never> => {
    await sessions.record(params.id, identity);
    throw new RequestError("NOT_FOUND", NO_RECORDING);
  };
  return {
    [`POST ${root}`]: async ({ body, identity, request }: Call<BrowserOptions>) => {
      const session = await parts.interact.open(body, identity);
      const { id, expiresAt } = session.facts;
      const addresses = buildAddresses(session, request, parts);
      return {
        success: true,
        id,
        ...addresses,
        expiresAt: new Date(expiresAt).toISOString(),
        ...(body.recordSession ? { warning: NO_RECORDING } : {}),
      };
    },
    [`GET ${root}`]: async ({
      query,
      identity,
      request,
    }: Call<unknown, { status?: "active" | "destroyed" }>) => {
      const wanted = (await sessions.list(identity)).filter(
        ({ endedAt }) =>
          query.status === undefined || (endedAt === null) === (query.status === "active"),
      );
      return {
        success: true,
        sessions: await Promise.all(wanted.map((record) => describe(record, request))),
      };
    },
    [`GET ${root}/:id`]: async ({ params, identity, request }: Call<unknown, unknown, Id>) => ({
      success: true,
      ...(await describe(await sessions.record(params.id, identity), request)),
    }),
    [`POST ${root}/:id/execute`]: async ({
      params,
      body,
      identity,
      request,
    }: Call<Execution, unknown, Id>) => {
      const { session, outcome } = await parts.interact.run(params.id, body, identity);
      return { ...describeOutcome(outcome), ...buildAddresses(session, request, parts) };
    },
    [`DELETE ${root}/:id`]: (call: Call<unknown, unknown, Id>) => endSession(sessions, call),
    [`GET ${root}/profiles`]: async ({ identity }: Call) => {
      const found = await (await parts.store()).profiles.list(identity.accountId);
      const profiles = found.map(({ name, savedAt, sizeBytes, isInUse }) => ({
        name,
        savedAt: savedAt === null ? null : new Date(savedAt).toISOString(),
        sizeBytes,
        inUse: isInUse,
      }));
      return { success: true, profiles };
    },
    [`POST ${root}/:id/profile`]: async ({
      params,
      body,
      identity,
    }: Call<SaveProfile, unknown, Id>) => {
      const session = await sessions.find(params.id, identity);
      return { success: true, name: await sessions.saveProfile(session, body?.name) };
    },
    [`DELETE ${root}/profiles/:name`]: async ({
      params,
      identity,
    }: Call<unknown, unknown, { readonly name: string }>) => {
      const removed = await (await parts.store()).profiles.remove(identity.accountId, params.name);
      if (!removed) throw new RequestError("NOT_FOUND", "There is no profile with that name.");
      return { success: true };
    },
    [`GET ${root}/:id/trace`]: async ({ params, identity }: Call<unknown, unknown, Id>) => ({
      success: true,
      ...(await parts.interact.traceOf(params.id, identity)),
    }),
    [`GET ${root}/:id/replay`]: refuseReplay,
    [`GET ${root}/:id/replay/:page`]: refuseReplay,
  };
}

/** State of a session's newest page. A page that does not respond has no title. */
async function describeLive(session: LiveSession | undefined): Promise<Record<string, unknown>> {
  if (session === undefined || session.ended) return {};
  const { lease, facts } = session;
  const page = lease.context.pages().at(-1) ?? lease.page;
  return {
    activityTtl: Math.round(facts.activityTtlMs / 1_000),
    url: page.url(),
    title: await readTitle(page),
    ...(facts.profileName === undefined ? {} : { profile: facts.profileName }),
  };
}

function createLocalHandlers(parts: BrowserRouteParts): Handlers {
  return {
    "POST /v2/local-browser": async ({ body, identity, request }: Call<BrowserOptions>) => {
      const session = await parts.interact.open(body, identity);
      const { id, expiresAt } = session.facts;
      const { cdpUrl } = buildAddresses(session, request, parts);
      return { success: true, id, cdp_url: cdpUrl, expires_at: new Date(expiresAt).toISOString() };
    },
    "DELETE /v2/local-browser/:id": (call: Call<unknown, unknown, Id>) =>
      endSession(parts.sessions, call),
  };
}

async function endSession(sessions: Sessions, { params, identity }: Call<unknown, unknown, Id>) {
  const session = await sessions.find(params.id, identity);
  const { durationMs, creditsBilled } = await sessions.end(session, "ended");
  return { success: true, sessionDurationMs: durationMs, creditsBilled };
}
