// Runs code in the live page of an earlier scrape, and in standalone sessions.
import { assertHostAllowed } from "../account/allow-hosts.ts";
import type { Identity } from "../account/identity.ts";
import type { ContextRequest } from "../browser/pool.ts";
import { visit } from "../browser/page/visit.ts";
import type { Config } from "../config.ts";
import type { AgentEvent } from "../contract/jobs/agent-trace.ts";
import type { BrowserOptions } from "../contract/session/browser.ts";
import type { InteractOptions } from "../contract/session/interact.ts";
import { Deadline } from "../deadline.ts";
import type { Egress } from "../egress/dispatchers.ts";
import { readAddress } from "../engines/browser-address.ts";
import { translateBrowserError } from "../engines/browser-errors.ts";
import { RequestError } from "../errors.ts";
import type { Outcome } from "../sandbox/outcome.ts";
import type { Models } from "../models/model.ts";
import type { ScrapeStore, StoredScrape } from "../store/captures/scrapes.ts";
import type { Logger } from "../logger.ts";
import type { InteractEventStore } from "../store/sessions/interact-events.ts";
import { runPrompt, type PromptResult, type PromptRun } from "./run-prompt.ts";
import { PromptTrace } from "./prompt-trace.ts";
import { buildReplay, type Replay } from "./replay.ts";
import type { LiveSession, SessionEnd } from "./session.ts";
import { checkHosts, type Sessions } from "./sessions.ts";

export type InteractParts = {
  readonly sessions: Sessions;
  readonly store: () => Promise<{
    readonly scrapes: ScrapeStore;
    readonly interactEvents: InteractEventStore;
  }>;
  readonly log: Logger;
  readonly egress: Pick<Egress, "selectProxy" | "hasProxy">;
  readonly config: Pick<Config, "userAgent" | "maxBodyBytes" | "forceTlsVerification">;
  /** Models for prompts, if configured. */
  readonly models: Pick<Models, "role">;
};

export type InteractResult = {
  readonly session: LiveSession;
  readonly outcome: Outcome;
  /** Result of a prompt. */
  readonly prompted?: PromptResult;
};

export type Interact = {
  /** Runs code in the page of a scrape, which the first call reopens. For errors see Sessions. */
  runInScrape(
    scrapeId: string,
    options: InteractOptions,
    identity: Identity,
  ): Promise<InteractResult>;
  /** Ends the live page of a scrape. Throws NOT_FOUND if there is none. */
  endOfScrape(scrapeId: string, identity: Identity): Promise<SessionEnd>;
  /**
   * Returns the trace of prompts in the latest session of a scrape, live or ended. Throws
   * NOT_FOUND.
   */
  traceOfScrape(scrapeId: string, identity: Identity): Promise<InteractTrace>;
  /** Same for a session. */
  traceOf(sessionId: string, identity: Identity): Promise<InteractTrace>;
  open(options: BrowserOptions, identity: Identity): Promise<LiveSession>;
  run(id: string, options: Execution, identity: Identity): Promise<InteractResult>;
};

export type InteractTrace = {
  readonly sessionId: string;
  readonly events: readonly AgentEvent[];
};

export type Execution = Pick<InteractOptions, "language" | "timeout"> & { readonly code: string };

/** Maximum traffic of a session, which lasts longer than a page. */
const SESSION_BYTES = 1024 ** 3;
const OPEN_TIMEOUT_MS = 60_000;
/** Minimum time for the code if opening its page took most of the time. */
const MIN_CODE_MS = 1_000;

const NO_LANGUAGE =
  "This server runs only JavaScript (language node); python and bash are not supported.";
const NO_MODEL =
  "A prompt needs a language model, and this server has none: set QUARRY_MODEL, or send code (JavaScript with Playwright's page) instead of prompt.";

/** Throws NOT_IMPLEMENTED for unsupported languages. */
function checkLanguage(language: Execution["language"]): void {
  if (language !== "node") throw new RequestError("NOT_IMPLEMENTED", NO_LANGUAGE);
}

export function createInteract(parts: InteractParts): Interact {
  const { sessions } = parts;

  async function findScrape(scrapeId: string, identity: Identity): Promise<StoredScrape> {
    const scrape = await (await parts.store()).scrapes.load(scrapeId);
    if (scrape?.accountId !== identity.accountId)
      throw new RequestError("NOT_FOUND", "Job not found.");
    if (scrape.status !== "completed")
      throw new RequestError(
        "CONFLICT",
        "The scrape failed, so there is no page to continue with.",
      );
    const contentType = readContentType(scrape.document);
    if (FILE.test(contentType))
      throw new RequestError(
        "CONFLICT",
        `The scrape read a file (${contentType}), which has no live page to work in.`,
      );
    return scrape;
  }

  async function openScrape(
    scrape: StoredScrape,
    options: InteractOptions,
    identity: Identity,
  ): Promise<LiveSession> {
    const replay = buildReplay(scrape);
    assertHostAllowed(identity, readAddress(replay).url);
    const before = await sessions.findLastOfScrape(scrape.id);
    using deadline = Deadline.start(Math.max(options.timeout * 1_000, MIN_CODE_MS));
    const session = await sessions.open(
      {
        identity,
        ttlMs: options.ttl * 1_000,
        activityTtlMs: options.activityTtl * 1_000,
        streamWebView: true,
        profile: replay.profile,
        scrapeId: scrape.id,
        context: buildContext(parts, { ...replay, ...readAddress(replay) }),
      },
      deadline,
      (opened) => openReplay(parts, opened, replay, deadline),
    );
    session.note = describeLost(
      replay,
      before?.endReason === "lost" || before?.endReason === "failed",
    );
    return session;
  }

  async function runIn(
    session: LiveSession,
    code: string,
    timeoutMs: number,
  ): Promise<InteractResult> {
    const outcome = await session.run(code, timeoutMs);
    const { note } = session;
    session.note = "";
    return {
      session,
      outcome: note === "" ? outcome : { ...outcome, stderr: note + outcome.stderr },
    };
  }

  async function readTrace(sessionId: string): Promise<InteractTrace> {
    const { interactEvents } = await parts.store();
    return { sessionId, events: await interactEvents.list(sessionId) };
  }

  return {
    async runInScrape(scrapeId, options, identity) {
      const { code, prompt = "" } = options;
      const model = parts.models.role("smart");
      if (code === undefined && model === undefined)
        throw new RequestError("MODEL_REQUIRED", NO_MODEL);
      // Clients also send a language with a prompt.
      if (code !== undefined) checkLanguage(options.language);
      const startedAt = Date.now();
      const scrape = await findScrape(scrapeId, identity);
      const session =
        options.existingSessionId === undefined
          ? await sessions.getOrOpenForScrape(scrape.id, () =>
              openScrape(scrape, options, identity),
            )
          : await sessions.find(options.existingSessionId, identity);
      checkHosts(session, identity);
      const left = options.timeout * 1_000 - (Date.now() - startedAt);
      const timeoutMs = Math.max(MIN_CODE_MS, left);
      if (code !== undefined) return await runIn(session, code, timeoutMs);
      if (model === undefined) throw new RequestError("MODEL_REQUIRED", NO_MODEL);
      const { interactEvents: events } = await parts.store();
      const trace = new PromptTrace({ events, session, log: parts.log });
      return await runPromptIn(session, { prompt, model, trace }, timeoutMs);
    },
    async endOfScrape(scrapeId, identity) {
      const session = sessions.findOfScrape(scrapeId);
      if (session === undefined) {
        const record = await sessions.findLastOfScrape(scrapeId);
        if (record?.accountId === identity.accountId && record.endedAt === null)
          // Throws, because the session is in another process.
          await sessions.find(record.id, identity);
        throw new RequestError("NOT_FOUND", "Browser session not found.");
      }
      if (session.facts.accountId !== identity.accountId)
        throw new RequestError("NOT_FOUND", "Browser session not found.");
      return await sessions.end(session, "ended");
    },
    async traceOfScrape(scrapeId, identity) {
      const record = await sessions.findLastOfScrape(scrapeId);
      if (record?.accountId !== identity.accountId)
        throw new RequestError("NOT_FOUND", "Browser session not found.");
      return await readTrace(record.id);
    },
    async traceOf(sessionId, identity) {
      return await readTrace((await sessions.record(sessionId, identity)).id);
    },
    async open(options, identity) {
      using deadline = Deadline.start(OPEN_TIMEOUT_MS);
      return await sessions.open(
        {
          identity,
          ttlMs: options.ttl * 1_000,
          activityTtlMs: options.activityTtl * 1_000,
          streamWebView: options.streamWebView,
          profile: options.profile,
          scrapeId: null,
          context: buildContext(parts, PLAIN),
        },
        deadline,
        async () => undefined,
      );
    },
    async run(id, options, identity) {
      checkLanguage(options.language);
      const session = await sessions.find(id, identity);
      return await runIn(session, options.code, options.timeout * 1_000);
    },
  };
}

/** A failing prompt is an answer, like failing code. */
async function runPromptIn(
  session: LiveSession,
  task: Pick<PromptRun, "prompt" | "model" | "trace">,
  timeoutMs: number,
): Promise<InteractResult> {
  const prompted = await session.follow(timeoutMs, async (page, signal) => {
    using deadline = Deadline.start(timeoutMs, signal);
    return await runPrompt({ ...task, page, deadline });
  });
  const { success, error } = prompted;
  const outcome: Outcome = {
    stdout: "",
    stderr: session.note + (error ?? ""),
    exitCode: success ? 0 : 1,
    killed: false,
    truncated: false,
    stateLost: false,
    ...(error === undefined ? {} : { error }),
  };
  session.note = "";
  return { session, outcome, prompted };
}

const PLAIN = {
  mobile: false,
  country: undefined,
  languages: [],
  skipTlsVerification: false,
  enhanced: false,
  userAgent: undefined,
} satisfies Surroundings;

type Surroundings = Pick<
  Replay,
  "mobile" | "country" | "languages" | "skipTlsVerification" | "enhanced"
> & { readonly userAgent: string | undefined };

function buildContext(
  { egress, config }: InteractParts,
  replay: Surroundings,
): Omit<ContextRequest, "storageState"> {
  const tier = replay.enhanced && egress.hasProxy("enhanced") ? "enhanced" : "basic";
  return {
    mobile: replay.mobile,
    country: replay.country,
    languages: replay.languages,
    skipTlsVerification: replay.skipTlsVerification && !config.forceTlsVerification,
    userAgent: replay.userAgent,
    agent: replay.enhanced ? undefined : config.userAgent,
    enhanced: replay.enhanced,
    proxy: egress.selectProxy(tier, replay.country),
    maxBytes: SESSION_BYTES,
  };
}

/** Types that a browser downloads. */
const FILE =
  /^application\/(?:pdf|msword|rtf|zip|epub\+zip|octet-stream|vnd\.(?:ms-|openxmlformats|oasis))/;

function readContentType(document: unknown): string {
  const { metadata } = (document ?? {}) as {
    readonly metadata?: { readonly contentType?: unknown };
  };
  return typeof metadata?.contentType === "string" ? metadata.contentType : "";
}

async function openReplay(
  { config }: InteractParts,
  { lease }: LiveSession,
  replay: Replay,
  deadline: Deadline,
): Promise<void> {
  const { waitForMs, actions } = replay;
  const { url, headers } = readAddress(replay);
  try {
    await visit(
      lease.page,
      {
        url: url.href,
        headers,
        waitForMs,
        actions,
        maxCharacters: config.maxBodyBytes,
      },
      deadline,
    );
  } catch (error) {
    throw translateBrowserError(error, { url, lane: lease.lane, deadline });
  }
}

function describeLost({ lostHeaders }: Replay, lost: boolean): string {
  const names = lostHeaders.join(", ");
  return [
    lost
      ? "The previous session was lost (its server process or browser ended); the page was reopened.\n"
      : "",
    names === ""
      ? ""
      : `The scrape's headers (${names}) can no longer be read and were not sent with this page.\n`,
  ].join("");
}
