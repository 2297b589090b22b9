// How fast one host is asked. A host starts with a few pages at once; quick answers let it have more, slow ones and 429 or
// 503 less, down to one at a time; robots.txt and Retry-After have the last word. The cap holds over all workers: each asks
// the store for a share of it. Loopback hosts that the operator opened are his own and are not slowed down, until one of them
// asks for it or does not answer: from then on it is treated as any other for some minutes. A host that serves nothing at all for long is given up.
import { TargetError } from "../errors.ts";
import type { HostStore } from "../store/jobs/hosts.ts";
import { classifyAddress } from "../url/address.ts";
import { isLocalhostName, parseHost } from "../url/host.ts";
import { Lanes } from "./lanes.ts";
import { createRestLog, type Asked, type Refusing, type RestLogger } from "./rest-log.ts";
import { Streak, STREAK_LIMITS, type StreakLimits } from "./streak.ts";

export type PolitenessLimits = StreakLimits & {
  /** Pages of one host in flight over all workers. */
  readonly cap: number;
  /** Where a host starts. */
  readonly first: number;
  /** An answer slower than this many times the usual halves the number. */
  readonly slowFactor: number;
  /** And is slower than this. */
  readonly slowMs: number;
  readonly backOffMs: number;
  readonly maxBackoffMs: number;
  /** The longest Retry-After that is waited for. */
  readonly maxRetryAfterMs: number;
  /** So long after a 429 or 503 a host is trusted only slowly, and one of the operator's own is slowed down at all. */
  readonly wearyMs: number;
};

export const POLITENESS: PolitenessLimits = {
  ...STREAK_LIMITS,
  cap: 16,
  first: 4,
  slowFactor: 4,
  slowMs: 2_000,
  backOffMs: 1_000,
  maxBackoffMs: 60_000,
  maxRetryAfterMs: 120_000,
  wearyMs: 300_000,
};

export type HostAnswer = {
  /** What was asked for: pages of a host are told apart by it. */
  readonly url?: string;
  readonly ms: number;
  /** Undefined when there was no answer. */
  readonly statusCode: number | undefined;
  /** Sent for it; 1 where nothing is said. */
  readonly requests?: number;
  /** There was none because the host gave none, not for want of time here. */
  readonly isSilent?: boolean;
  /** What the answer asks for; undefined when nothing. */
  readonly retryAfterMs?: number | undefined;
};

export type Turn = {
  /** Gives the turn back with what the host answered; undefined when it was not asked. */
  end(answer: HostAnswer | undefined): void;
};

/** The host served nothing for so long that its pages are not waited for. */
export class LostHostError extends TargetError {
  /** Since when it serves nothing, milliseconds since the epoch. */
  readonly since: number;

  constructor(message: string, since: number) {
    super("SCRAPE_RETRY_LIMIT", message);
    this.since = since;
  }
}

export type Politeness = {
  /**
   * Waits until one more page may be fetched from the host. `delayMs` is the least time between two, where a crawl or
   * robots.txt asks for one; `lane` is what has this delay to itself (a host, or one job). Rejects with the reason of
   * `signal`, and with a LostHostError unless it `insists`.
   */
  enter(host: string, options: EnterOptions): Promise<Turn>;
  /**
   * Whether the host says "later" to whatever it is asked, so that it is no matter of the page; not once it was given up,
   * when only pages that insist ask on, which have to come to an end.
   */
  isRefusing(host: string): boolean;
  /** Others were served by the host: it is not to be given up yet. */
  serves(host: string): void;
  /** Whether a page of the host would have to wait now. */
  isBusy(host: string): boolean;
  close(): Promise<void>;
};

export type EnterOptions = {
  readonly delayMs?: number;
  readonly lane?: string;
  readonly insists?: boolean;
  /** Whose page it is, for the log; rests are only logged with it. */
  readonly jobId?: string;
  readonly signal: AbortSignal;
};

export type PolitenessParts = {
  readonly hosts: HostStore;
  readonly worker: string;
  /** Operator's own hosts, which are not slowed down as long as they do not ask for it. */
  readonly isUnthrottled: (host: string) => boolean;
  readonly limits?: PolitenessLimits;
  readonly now?: () => number;
  /** Told when a host begins to rest and when it answers again. */
  readonly log?: RestLogger | undefined;
};

const SHARE_MS = 5_000;
/** After this long without a page of a host its share goes back: another worker may wait for it. */
const IDLE_MS = 250;
/** How often a host that is not slowed down is looked up: another process may have been asked for a rest. */
const REST_LOOK_MS = 2_000;
/** Requests without an answer after which a host of the operator's own is slowed down. */
const SILENT = 3;
/** Of the rest that a host gets by itself, the part that it gets whatever it asks for. */
const MIN_PART = 64;
/** Growth after a 429 or 503, as a part of the usual. */
const WEARY_GROWTH = 0.1;

type Waiter = () => void;

type HostState = {
  active: number;
  /** What this process thinks the host can take, fractional while it grows. */
  wanted: number;
  /** Of the cap, what this worker may use until `shareUntil`. */
  share: number;
  shareUntil: number;
  asking: Promise<void> | undefined;
  /** Runs while no page of the host is in work. */
  idle: NodeJS.Timeout | undefined;
  returning: Promise<void> | undefined;
  restUntil: number;
  /** When the last rest began. */
  restedAt: number;
  /** Since when it says "later", and how often it has; undefined while it answers. */
  refusing: Refusing | undefined;
  /** From then on the host is not slowed down: never, but for the operator's own. */
  freeFrom: number;
  restLookAt: number;
  looking: Promise<void> | undefined;
  backOffMs: number;
  usualMs: number;
  delayMs: number;
  readonly waiters: Set<Waiter>;
  readonly streak: Streak;
  usedAt: number;
};

export function createPoliteness(parts: PolitenessParts): Politeness {
  const { hosts, worker, now = Date.now, limits = POLITENESS } = parts;
  const states = new Map<string, HostState>();
  const lanes = new Lanes(hosts, now);
  const restLog = createRestLog(parts.log, now);

  function stateOf(host: string): HostState {
    const found = states.get(host);
    if (found !== undefined) return found;
    if (states.size >= MAX_HOSTS) forgetIdle();
    const state: HostState = {
      active: 0,
      wanted: limits.first,
      share: 0,
      shareUntil: 0,
      asking: undefined,
      idle: undefined,
      returning: undefined,
      restUntil: 0,
      restedAt: -Infinity,
      refusing: undefined,
      freeFrom: parts.isUnthrottled(host) ? 0 : Infinity,
      restLookAt: 0,
      looking: undefined,
      backOffMs: limits.backOffMs,
      usualMs: 0,
      delayMs: 0,
      waiters: new Set(),
      streak: new Streak(limits),
      usedAt: now(),
    };
    states.set(host, state);
    return state;
  }

  function forgetIdle(): void {
    for (const [host, { active, waiters, restUntil }] of states)
      if (active === 0 && waiters.size === 0 && restUntil < now()) states.delete(host);
  }

  async function askShare(host: string, state: HostState): Promise<void> {
    const want = Math.max(1, Math.floor(state.wanted));
    const { cap } = limits;
    const share = await hosts.share({ host, worker, want, cap, leaseMs: SHARE_MS, now: now() });
    state.share = share.slots;
    // Who has none looks again soon: it may be given back at any time.
    const lookMs = share.slots === 0 ? LOOK_MS : SHARE_MS / 2;
    state.shareUntil = Math.min(share.until, now() + lookMs);
    state.restUntil = Math.max(state.restUntil, share.backOffUntil);
    state.delayMs = Math.max(state.delayMs, share.delayMs);
  }

  /** Gives the share back where no page of the host comes for a moment. */
  function returnWhenIdle(host: string, state: HostState): void {
    if (state.active > 0 || state.waiters.size > 0 || state.share === 0) return;
    state.idle ??= setTimeout(() => {
      state.idle = undefined;
      if (state.active > 0 || state.waiters.size > 0 || state.asking !== undefined) return;
      state.share = 0;
      state.shareUntil = 0;
      const nothing = { host, worker, want: 0, cap: limits.cap, leaseMs: 0, now: now() };
      // A share that cannot be given back ends by itself.
      state.returning = hosts
        .share(nothing)
        .then(() => undefined)
        .catch(() => undefined)
        .finally(() => {
          state.returning = undefined;
        });
    }, IDLE_MS).unref();
  }

  /** Whether another process was asked for a rest by a host that is not slowed down. */
  async function lookForRest(host: string, state: HostState): Promise<void> {
    // A database that cannot be reached holds no page back here; its commit will.
    const until = await hosts.restUntil(host).catch(() => 0);
    state.restLookAt = now() + REST_LOOK_MS;
    if (until + limits.wearyMs <= now()) return;
    state.restUntil = Math.max(state.restUntil, until);
    state.freeFrom = Math.max(state.freeFrom, until + limits.wearyMs);
  }

  /** Milliseconds until it is worth looking again; 0 when the turn is taken. */
  async function tryEnter(host: string, state: HostState): Promise<number> {
    if (state.freeFrom <= now() && state.restLookAt <= now()) {
      state.looking ??= lookForRest(host, state).finally(() => {
        state.looking = undefined;
      });
      await state.looking;
    }
    if (now() < state.restUntil) return state.restUntil - now();
    if (state.freeFrom <= now()) {
      state.active += 1;
      return 0;
    }
    // What is asked for next must not come before what is given back.
    if (state.returning !== undefined) await state.returning;
    if (now() >= state.shareUntil) {
      state.asking ??= askShare(host, state).finally(() => {
        state.asking = undefined;
      });
      await state.asking;
      if (now() < state.restUntil) return state.restUntil - now();
    }
    if (state.active < Math.min(state.share, Math.max(1, Math.floor(state.wanted)))) {
      state.active += 1;
      return 0;
    }
    return LOOK_MS;
  }

  function wake(state: HostState): void {
    const [first] = state.waiters;
    first?.();
  }

  function rest(asked: Asked, state: HostState, answer: HostAnswer, askedAt: number): void {
    // Pages that were under way when the rest began are answered alike: one "later", not as many as there were pages.
    const isNews = askedAt > state.restedAt;
    const { url = "", statusCode = 0, requests } = answer;
    state.streak.refuse(url, statusCode, isNews, now(), requests);
    const own = isNews ? state.backOffMs : 0;
    // A host that says "later" and "at once" again and again is asked less and less often all the same.
    const restMs = Math.max(answer.retryAfterMs ?? own, own / MIN_PART);
    const until = now() + Math.min(restMs, limits.maxRetryAfterMs);
    if (isNews) {
      state.restedAt = now();
      state.backOffMs = Math.min(state.backOffMs * 2, limits.maxBackoffMs);
      state.wanted = Math.max(1, Math.min(state.wanted, state.active + 1) / 2);
    }
    if (state.freeFrom < Infinity)
      state.freeFrom = Math.max(state.freeFrom, until + limits.wearyMs);
    const isLonger = until > state.restUntil;
    if (isLonger) state.restUntil = until;
    if (isNews) state.refusing = restLog.rest(asked, state.refusing, statusCode, state.restUntil);
    if (isLonger) void hosts.backOff(asked.host, { until }).catch(() => undefined);
  }

  function learn(asked: Asked, state: HostState, answer: HostAnswer, askedAt: number): void {
    const { statusCode, ms } = answer;
    if (statusCode === 429 || statusCode === 503) return rest(asked, state, answer, askedAt);
    if (statusCode !== undefined && state.refusing !== undefined) {
      restLog.answer(asked, state.refusing);
      state.refusing = undefined;
    }
    const isSlow =
      ms > limits.slowMs && state.usualMs > 0 && ms > state.usualMs * limits.slowFactor;
    if (answer.isSilent === true) state.streak.miss(now());
    // Nobody is helped by many requests that wait for one that does not answer.
    if (state.freeFrom < Infinity && state.streak.silent >= SILENT)
      state.freeFrom = Math.max(state.freeFrom, now() + limits.wearyMs);
    if (isSlow) state.streak.end();
    if (statusCode === undefined || isSlow) state.wanted = Math.max(1, state.wanted / 2);
    else {
      state.streak.end();
      state.backOffMs = limits.backOffMs;
      const growth = now() < state.restedAt + limits.wearyMs ? WEARY_GROWTH : 1;
      state.wanted = Math.min(limits.cap, state.wanted + growth / state.wanted);
    }
    // A slow answer is not the usual at once.
    const { usualMs } = state;
    state.usualMs = usualMs === 0 ? ms : usualMs * 0.95 + Math.min(ms, usualMs * 2) * 0.05;
  }

  return {
    async enter(host, { delayMs = 0, lane = host, insists = false, jobId, signal }) {
      const state = stateOf(host);
      state.usedAt = now();
      for (;;) {
        signal.throwIfAborted();
        const lost = insists ? undefined : state.streak.lost(now());
        if (lost !== undefined) throw new LostHostError(`${host} ${lost}.`, state.streak.since);
        const waitMs = await tryEnter(host, state);
        if (waitMs === 0) break;
        await waitFor(state.waiters, waitMs, signal);
      }
      let ended = false;
      let askedAt = now();
      const end = (answer: HostAnswer | undefined): void => {
        if (ended) return;
        ended = true;
        state.active -= 1;
        if (answer !== undefined) learn({ host, jobId }, state, answer, askedAt);
        // All of them look again when the host is given up.
        if (state.streak.isLost) for (const waiter of state.waiters) waiter();
        else wake(state);
        returnWhenIdle(host, state);
      };
      try {
        const pauseMs = Math.max(delayMs, state.delayMs);
        if (pauseMs > 0) await lanes.start(lane, pauseMs, signal);
        askedAt = now();
      } catch (error) {
        end(undefined);
        throw error;
      }
      return { end };
    },
    isRefusing(host) {
      const streak = states.get(host)?.streak;
      return streak !== undefined && streak.isRefusing && !streak.isLost;
    },
    serves(host) {
      states.get(host)?.streak.end();
    },
    isBusy(host) {
      const state = states.get(host);
      if (state === undefined) return false;
      return state.waiters.size > 0 || state.restUntil > now();
    },
    async close() {
      for (const { idle } of states.values()) clearTimeout(idle);
      await hosts.release(worker);
    },
  };
}

const MAX_HOSTS = 10_000;
/** How often a share that others use up is asked for again. */
const LOOK_MS = 1_000;

/** Waits for a turn given back, the time, or the end. */
async function waitFor(waiters: Set<Waiter>, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiter = (): void => resolve();
  waiters.add(waiter);
  const timer = setTimeout(waiter, ms);
  signal.addEventListener("abort", waiter, { once: true });
  await promise;
  clearTimeout(timer);
  waiters.delete(waiter);
  signal.removeEventListener("abort", waiter);
}

/** Loopback hosts can only be reached where the operator opened them: they are his own. `host` may carry a port. */
export function isOwnHost(host: string): boolean {
  const parsed = parseHost(host.replace(/:\d+$/, ""));
  if (parsed === undefined) return false;
  if (parsed.kind === "name") return isLocalhostName(parsed.name);
  return classifyAddress(parsed.bytes) === "loopback";
}
