// All findLive sessions of this process: opened, found, listed, and ended manually, by timeout, with
// their browser or at shutdown.
import { allowsHost } from "../account/allow-hosts.ts";
import { restrictNavigation } from "../browser/blocking/navigation-guard.ts";
import { v7 } from "uuid";
import type { Credits, Hold } from "../account/credits.ts";
import type { Identity } from "../account/identity.ts";
import { buildInitialState, readContextState } from "../browser/context/context-state.ts";
import type { BrowserPool, ContextRequest, Lease } from "../browser/pool.ts";
import { LIMITS } from "../contract/request/limits.ts";
import { computeBrowserPrice } from "../contract/account/prices.ts";
import type { Profile } from "../contract/session/profile.ts";
import type { Deadline } from "../deadline.ts";
import { LimitError, RequestError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { ALIVE_MS } from "../store/sessions/session-life.ts";
import type {
  BrowserSessionRecord,
  BrowserSessionStore,
  EndReason,
  SessionOwner,
} from "../store/sessions/browser-sessions.ts";
import type { ProfileLoan, ProfileStore } from "../store/accounts/profiles.ts";
import { LiveSession, type SessionEnd } from "./session.ts";

export type OpenRequest = {
  readonly identity: Identity;
  readonly ttlMs: number;
  readonly activityTtlMs: number;
  readonly streamWebView: boolean;
  readonly profile: Profile | undefined;
  readonly scrapeId: string | null;
  readonly context: Omit<ContextRequest, "storageState">;
};

export type SessionsParts = {
  readonly pool: () => Promise<BrowserPool>;
  readonly store: () => Promise<{
    readonly browserSessions: BrowserSessionStore;
    readonly profiles: ProfileStore;
    /** A PostgreSQL database may be shared with other processes. */
    readonly database: { readonly kind: "pglite" | "postgres" };
  }>;
  readonly credits: () => Promise<Credits>;
  readonly log: Logger;
  /** Interval for checking timeouts, in milliseconds. */
  readonly reviewMs?: number;
  /**
   * Heartbeat interval in milliseconds: renews sessions in the database and finds those that others
   * have ended.
   */
  readonly heartbeatMs?: number;
};

const REVIEW_INTERVAL_MS = 1_000;
const HEARTBEAT_MS = ALIVE_MS / 3;

const END_TEXTS: Readonly<Record<EndReason, string>> = {
  ended: "The browser session has been destroyed.",
  expired: "The browser session has expired.",
  lost: "The browser session ended when its server process stopped or restarted; open a new one.",
  failed: "The browser session ended because its browser or page crashed; open a new one.",
};

/** The caller closes it, which ends every session and saves its profile. */
export class Sessions implements AsyncDisposable {
  readonly #parts: SessionsParts;
  readonly #worker = v7();
  readonly #live = new Map<string, LiveSession>();
  readonly #opening = new Map<string, Promise<LiveSession>>();
  #timer: NodeJS.Timeout | undefined;
  #heartbeatAt = 0;
  #ready: Promise<void> | undefined;
  #closed = false;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  /**
   * Opens a session. `prepare` sets the page's initial state. Throws CONCURRENCY_LIMITED if the
   * account has its maximum, CONFLICT if another session saves to the profile,
   * INSUFFICIENT_CREDITS, and errors of `prepare`.
   */
  async open(
    request: OpenRequest,
    deadline: Deadline,
    prepare: (session: LiveSession, deadline: Deadline) => Promise<void>,
  ): Promise<LiveSession> {
    await this.#prepareStore();
    const { browserSessions } = await this.#parts.store();
    const now = Date.now();
    const facts = {
      id: v7(),
      accountId: request.identity.accountId,
      keyId: request.identity.keyId,
      scrapeId: request.scrapeId,
      profileName: request.profile?.name,
      streamWebView: request.streamWebView,
      createdAt: now,
      expiresAt: now + request.ttlMs,
      activityTtlMs: request.activityTtlMs,
    };
    const { kind } = await browserSessions.open(
      { ...facts, worker: this.#worker, lastActivity: now },
      LIMITS.interact.sessions,
    );
    if (kind === "full") throw createSessionLimitError();
    if (kind === "taken") throw createOtherProcessError();
    try {
      return await this.#open(request, facts, deadline, prepare);
    } catch (error) {
      await browserSessions.end(facts.id, "failed");
      throw error;
    }
  }

  /**
   * Returns the session of a scrape. The first caller opens it; concurrent callers wait for the
   * same one.
   */
  async getOrOpenForScrape(
    scrapeId: string,
    open: () => Promise<LiveSession>,
  ): Promise<LiveSession> {
    const found = this.findOfScrape(scrapeId);
    if (found !== undefined) return found;
    const opening = this.#opening.get(scrapeId) ?? open();
    this.#opening.set(scrapeId, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(scrapeId);
    }
  }

  findOfScrape(scrapeId: string): LiveSession | undefined {
    for (const session of this.#live.values())
      if (session.facts.scrapeId === scrapeId) return session;
    return undefined;
  }

  /**
   * Throws NOT_FOUND for an id that this account does not have, GONE with the reason, and
   * UNAVAILABLE if it is in another process.
   */
  async find(id: string, identity: Identity): Promise<LiveSession> {
    const findLive = this.#live.get(id);
    if (findLive !== undefined && findLive.facts.accountId === identity.accountId) {
      checkHosts(findLive, identity);
      return findLive;
    }
    const record = await this.record(id, identity);
    if (record.endedAt !== null)
      throw new RequestError("GONE", END_TEXTS[record.endReason ?? "ended"]);
    if (record.worker !== this.#worker) throw createOtherProcessError();
    throw new LimitError("UNAVAILABLE", "The browser session is being opened.", {
      retryAfterMs: 1_000,
    });
  }

  /** Returns the record of a session, findLive or ended. Throws NOT_FOUND. */
  async record(id: string, identity: Identity): Promise<BrowserSessionRecord> {
    await this.#prepareStore();
    const { browserSessions } = await this.#parts.store();
    const record = isUuid(id) ? await browserSessions.find(id) : undefined;
    if (record?.accountId !== identity.accountId)
      throw new RequestError("NOT_FOUND", "Browser session not found.");
    return record;
  }

  async list(identity: Identity): Promise<BrowserSessionRecord[]> {
    await this.#prepareStore();
    const all = await (await this.#parts.store()).browserSessions.list(identity.accountId);
    // The links of a session lead wherever its own key may go.
    return identity.allowHosts === undefined
      ? all
      : all.filter(({ keyId }) => keyId === identity.keyId);
  }

  /** Returns the record of the previous session if it ended without a request. */
  async findLastOfScrape(scrapeId: string): Promise<BrowserSessionRecord | undefined> {
    await this.#prepareStore();
    return await (await this.#parts.store()).browserSessions.findOfScrape(scrapeId);
  }

  findLive(id: string): LiveSession | undefined {
    return this.#live.get(id);
  }

  /** Finds a session by a token that grants `right` (control includes view). */
  findByToken(token: string, right: "view" | "control" | "cdp"): LiveSession | undefined {
    for (const session of this.#live.values()) {
      const { tokens } = session;
      if (tokens[right] === token || (right === "view" && tokens.control === token)) return session;
    }
    return undefined;
  }

  async end(session: LiveSession, reason: EndReason): Promise<SessionEnd> {
    const { id } = session.facts;
    const ended = await session.end(reason);
    if (this.#live.delete(id)) {
      await (await this.#parts.store()).browserSessions.end(id, reason);
      this.#parts.log.info({ sessionId: id, reason, ...ended }, "browser session ended");
    }
    if (this.#live.size === 0) this.#rest();
    return ended;
  }

  /**
   * Saves cookies and storage under a name, by default the session's own, and returns the name.
   * The session goes on. Throws BAD_REQUEST without a name, CONFLICT while another session saves to
   * the profile.
   */
  async saveProfile(session: LiveSession, name: string | undefined): Promise<string> {
    const { profileName, accountId } = session.facts;
    const target = name ?? profileName;
    if (target === undefined)
      throw new RequestError(
        "BAD_REQUEST",
        "name is missing: the session was opened without a profile, so say under which name to save.",
      );
    session.recordActivity();
    if (target === profileName && (await session.saveOwnProfile())) return target;
    const { profiles } = await this.#parts.store();
    const profile = { name: target, saveChanges: true };
    await using loan = await profiles.borrow({ accountId }, profile, 2 * ALIVE_MS);
    await loan.save(await readContextState(session.lease.context));
    return target;
  }

  /**
   * Ends all sessions of an account or key: those of this process immediately, others within their
   * heartbeat of 10 s.
   */
  async endOf(owner: SessionOwner): Promise<void> {
    const sessions = [...this.#live.values()].filter(({ facts }) =>
      "accountId" in owner ? facts.accountId === owner.accountId : facts.keyId === owner.keyId,
    );
    await Promise.allSettled(sessions.map((session) => this.end(session, "ended")));
    await (await this.#parts.store()).browserSessions.endOwnedBy(owner);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#opening.values());
    await Promise.allSettled([...this.#live.values()].map((session) => this.end(session, "lost")));
    this.#rest();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #open(
    request: OpenRequest,
    facts: LiveSession["facts"],
    deadline: Deadline,
    prepare: (session: LiveSession, deadline: Deadline) => Promise<void>,
  ): Promise<LiveSession> {
    const { identity, profile } = request;
    let hold: Hold | undefined;
    let loan: ProfileLoan | undefined;
    let lease: Lease | undefined;
    try {
      const credits = await this.#parts.credits();
      const setAside = (amount: number): Promise<Hold> =>
        credits.hold(identity, amount, {
          jobId: facts.id,
          endpoint: request.scrapeId === null ? "browser" : "interact",
          lifeMs: request.ttlMs + 10 * 60_000,
        });
      hold = await setAside(computeBrowserPrice(request.ttlMs, false));
      if (profile !== undefined)
        loan = await (
          await this.#parts.store()
        ).profiles.borrow({ accountId: identity.accountId }, profile, 2 * ALIVE_MS);
      const pool = await deadline.race(this.#parts.pool());
      lease = await pool.open({ ...request.context, ...buildInitialState(loan?.state) }, deadline);
      await restrictSession(lease, identity);
      const { log } = this.#parts;
      const session = new LiveSession(facts, {
        lease,
        loan,
        mayVisit: createVisitGuard(identity),
        hold,
        holdMore: setAside,
        log,
      });
      await prepare(session, deadline);
      this.#adopt(session);
      return session;
    } catch (error) {
      await lease?.close();
      await loan?.close();
      await hold?.release();
      throw error;
    }
  }

  #adopt(session: LiveSession): void {
    if (this.#closed)
      throw new LimitError("UNAVAILABLE", "The server is stopping.", { retryAfterMs: 1_000 });
    this.#live.set(session.facts.id, session);
    session.lease.gone.catch(() => {
      if (!session.ended) void this.end(session, "failed");
    });
    this.#timer ??= setInterval(
      () => void this.#review(),
      this.#parts.reviewMs ?? REVIEW_INTERVAL_MS,
    );
    this.#timer.unref();
  }

  async #review(): Promise<void> {
    const now = Date.now();
    for (const session of this.#live.values())
      if (!session.ended && session.isOver(now)) void this.end(session, "expired");
    if (now - this.#heartbeatAt < (this.#parts.heartbeatMs ?? HEARTBEAT_MS)) return;
    this.#heartbeatAt = now;
    try {
      const activity = new Map([...this.#live].map(([id, { lastActivity }]) => [id, lastActivity]));
      const { browserSessions } = await this.#parts.store();
      for (const id of await browserSessions.keepAlive(this.#worker, activity)) {
        const session = this.#live.get(id);
        if (session !== undefined && !session.ended) void this.end(session, "ended");
      }
      for (const session of this.#live.values()) await session.extendProfile(2 * ALIVE_MS);
    } catch (error) {
      this.#parts.log.warn({ err: error }, "session heartbeat failed");
    }
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Without other processes, open records in the database belong to the previous process. */
  #prepareStore(): Promise<void> {
    return (this.#ready ??= (async () => {
      const { database, browserSessions } = await this.#parts.store();
      if (database.kind === "pglite") await browserSessions.endForeign(this.#worker);
    })());
  }
}

const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/**
 * A session goes where the key that opened it may go, which is more than a key limited to hosts may
 * fetch.
 */
export function checkHosts({ facts }: LiveSession, identity: Identity): void {
  if (identity.allowHosts !== undefined && facts.keyId !== identity.keyId)
    throw new RequestError(
      "FORBIDDEN",
      "This key is limited to certain hosts, so it may use only the browser sessions that it opened itself.",
    );
}

const createSessionLimitError = (): LimitError =>
  new LimitError(
    "CONCURRENCY_LIMITED",
    `The limit of ${LIMITS.interact.sessions} findLive browser sessions is reached; end one first.`,
    { retryAfterMs: 10_000 },
  );

const createOtherProcessError = (): LimitError =>
  new LimitError(
    "UNAVAILABLE",
    "The browser session runs in another process of this server. Send all requests of a session to the same process.",
    { retryAfterMs: 1_000 },
  );

/**
 * Restricts the session to the hosts that its key may fetch; popups get no document. Subresources
 * may come from elsewhere.
 */
async function restrictSession({ page }: Lease, identity: Identity): Promise<void> {
  const mayVisit = createVisitGuard(identity);
  if (mayVisit !== undefined) await restrictNavigation(page, mayVisit, { frames: "all" });
}

function createVisitGuard({ allowHosts }: Identity): ((url: URL) => boolean) | undefined {
  return allowHosts === undefined ? undefined : (url) => allowsHost(allowHosts, url);
}
