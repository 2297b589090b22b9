// Limits how fast one host is fetched. A host starts with a few concurrent pages. Fast answers
// raise the limit; slow ones and 429 or 503 lower it, down to one. robots.txt and Retry-After
// override it. The cap holds over all workers: each asks the store for a share. Loopback hosts are
// not throttled until they answer 429/503 or stop answering; then they count as any other host for
// some minutes. A host that serves nothing for long is given up.
import { TargetError } from "../../errors.ts";
import type { HostStore } from "../../store/jobs/hosts.ts";
import { classifyAddress } from "../../url/address.ts";
import { isLocalhostName, parseHost } from "../../url/host.ts";
import { StartPacer } from "./start-pacer.ts";
import {
  createBackoffLog,
  type HostRequest,
  type Refusals,
  type BackoffLogger,
} from "./backoff-log.ts";
import {
  CircuitBreaker,
  CIRCUIT_BREAKER_LIMITS,
  type CircuitBreakerLimits,
} from "./circuit-breaker.ts";

export type PolitenessLimits = CircuitBreakerLimits & {
  /** Maximum pages of one host in flight over all workers. */
  readonly cap: number;
  /** The initial limit of a host. */
  readonly first: number;
  /** An answer slower than this many times the average halves the limit, */
  readonly slowFactor: number;
  /** if it is also slower than this. */
  readonly slowMs: number;
  readonly backOffMs: number;
  readonly maxBackoffMs: number;
  /** The longest Retry-After that is honoured. */
  readonly maxRetryAfterMs: number;
  /**
   * After a 429 or 503 the limit grows slowly for this long, and a loopback host stays throttled.
   */
  readonly recoveryMs: number;
};

export const POLITENESS: PolitenessLimits = {
  ...CIRCUIT_BREAKER_LIMITS,
  cap: 16,
  first: 4,
  slowFactor: 4,
  slowMs: 2_000,
  backOffMs: 1_000,
  maxBackoffMs: 60_000,
  maxRetryAfterMs: 120_000,
  recoveryMs: 300_000,
};

export type HostAnswer = {
  /** The requested URL, to distinguish pages of a host. */
  readonly url?: string;
  readonly ms: number;
  /** Undefined when there was no answer. */
  readonly statusCode: number | undefined;
  /** Requests sent for it; default 1. */
  readonly requests?: number;
  /** The host gave no answer, and the cause was not lack of time here. */
  readonly isSilent?: boolean;
  /** The delay the answer asks for, if any. */
  readonly retryAfterMs?: number | undefined;
};

export type Turn = {
  /** Releases the turn with the host's answer; undefined when no request was sent. */
  end(answer: HostAnswer | undefined): void;
};

/** The host served nothing for so long that its pages are given up. */
export class LostHostError extends TargetError {
  /** Since when it has served nothing, milliseconds since the epoch. */
  readonly since: number;

  constructor(message: string, since: number) {
    super("SCRAPE_RETRY_LIMIT", message);
    this.since = since;
  }
}

export type Politeness = {
  /**
   * Waits until one more page of the host may be fetched. `delayMs` is the minimum time between two
   * pages, set by the crawl or robots.txt. `paceKey` names what the delay applies to (a host or one job).
   * Rejects with the reason of `signal`, or with LostHostError unless it `ignoresBreaker`.
   */
  enter(host: string, options: EnterOptions): Promise<Turn>;
  /**
   * True if the host answers "retry later" to every page, so that the refusal is not about one
   * page. False after the host was given up, because start pages must end.
   */
  isRefusing(host: string): boolean;
  /** Another worker was served by the host: do not give it up yet. */
  hasHost(host: string): void;
  /** True if a page of the host would have to wait now. */
  isBusy(host: string): boolean;
  /** Hosts that asked for a pause which has not ended, and the longest time left, milliseconds. */
  getPauses(): { readonly hosts: number; readonly longestMs: number };
  close(): Promise<void>;
};

export type EnterOptions = {
  readonly delayMs?: number;
  readonly paceKey?: string;
  readonly ignoresBreaker?: boolean;
  /** The job of the page, for the log; pauses are logged only with it. */
  readonly jobId?: string;
  readonly signal: AbortSignal;
};

export type PolitenessParts = {
  readonly hosts: HostStore;
  readonly worker: string;
  /** Loopback hosts: not throttled until they return 429/503. */
  readonly isUnthrottled: (host: string) => boolean;
  readonly limits?: PolitenessLimits;
  readonly now?: () => number;
  /** Receives when a host asks for a pause and when it answers again. */
  readonly log?: BackoffLogger | undefined;
  /** Called when a host asks for a pause, with the status code. */
  readonly onBackoff?: ((statusCode: number) => void) | undefined;
};

const SHARE_LEASE_MS = 5_000;
/** A share without a page this long is released for other workers. */
const IDLE_MS = 250;
/**
 * Interval, milliseconds, for looking up an unthrottled host: another process may have been told to
 * pause.
 */
const BACKOFF_READ_MS = 2_000;
/** Unanswered requests after which a loopback host is throttled. */
const MAX_UNANSWERED = 3;
/** Minimum pause as a fraction of the own backoff, even if the host asks for less. */
const MIN_PART = 64;
/** Growth after a 429 or 503, as a fraction of the usual. */
const RECOVERY_GROWTH = 0.1;

type Waiter = () => void;

type HostState = {
  active: number;
  /** The limit this process estimates, fractional while it grows. */
  wanted: number;
  /** This worker's part of the cap until `shareUntil`. */
  share: number;
  shareUntil: number;
  asking: Promise<void> | undefined;
  /** Runs while no page of the host is in progress. */
  idle: NodeJS.Timeout | undefined;
  returning: Promise<void> | undefined;
  backOffUntil: number;
  /** When the last pause began. */
  backedOffAt: number;
  /** Since when and how often the host has said "retry later"; undefined while it answers. */
  refusals: Refusals | undefined;
  /** When throttling ends; always Infinity except for loopback hosts. */
  freeFrom: number;
  nextReadAt: number;
  looking: Promise<void> | undefined;
  backOffMs: number;
  usualMs: number;
  delayMs: number;
  readonly waiters: Set<Waiter>;
  readonly breaker: CircuitBreaker;
  usedAt: number;
};

export function createPoliteness(parts: PolitenessParts): Politeness {
  const { hosts, worker, now = Date.now, limits = POLITENESS } = parts;
  const states = new Map<string, HostState>();
  const pacer = new StartPacer(hosts, now);
  const backoffLog = createBackoffLog(parts.log, now);

  function getState(host: string): HostState {
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
      backOffUntil: 0,
      backedOffAt: -Infinity,
      refusals: undefined,
      freeFrom: parts.isUnthrottled(host) ? 0 : Infinity,
      nextReadAt: 0,
      looking: undefined,
      backOffMs: limits.backOffMs,
      usualMs: 0,
      delayMs: 0,
      waiters: new Set(),
      breaker: new CircuitBreaker(limits),
      usedAt: now(),
    };
    states.set(host, state);
    return state;
  }

  function forgetIdle(): void {
    for (const [host, { active, waiters, backOffUntil }] of states)
      if (active === 0 && waiters.size === 0 && backOffUntil < now()) states.delete(host);
  }

  async function askShare(host: string, state: HostState): Promise<void> {
    const want = Math.max(1, Math.floor(state.wanted));
    const { cap } = limits;
    const share = await hosts.share({
      host,
      worker,
      want,
      cap,
      leaseMs: SHARE_LEASE_MS,
      now: now(),
    });
    state.share = share.slots;
    // A worker without a share polls soon: one may be released any time.
    const pollMs = share.slots === 0 ? SHARE_POLL_MS : SHARE_LEASE_MS / 2;
    state.shareUntil = Math.min(share.until, now() + pollMs);
    state.backOffUntil = Math.max(state.backOffUntil, share.backOffUntil);
    state.delayMs = Math.max(state.delayMs, share.delayMs);
  }

  /** Releases the share after a moment without pages of the host. */
  function releaseShareWhenIdle(host: string, state: HostState): void {
    if (state.active > 0 || state.waiters.size > 0 || state.share === 0) return;
    state.idle ??= setTimeout(() => {
      state.idle = undefined;
      if (state.active > 0 || state.waiters.size > 0 || state.asking !== undefined) return;
      state.share = 0;
      state.shareUntil = 0;
      const nothing = { host, worker, want: 0, cap: limits.cap, leaseMs: 0, now: now() };
      // A share that cannot be released expires.
      state.returning = hosts
        .share(nothing)
        .then(() => undefined)
        .catch(() => undefined)
        .finally(() => {
          state.returning = undefined;
        });
    }, IDLE_MS).unref();
  }

  /** Looks up whether another process was told to pause by an unthrottled host. */
  async function readBackOff(host: string, state: HostState): Promise<void> {
    // An unreachable database blocks no page here; the commit will.
    const until = await hosts.getBackOffUntil(host).catch(() => 0);
    state.nextReadAt = now() + BACKOFF_READ_MS;
    if (until + limits.recoveryMs <= now()) return;
    state.backOffUntil = Math.max(state.backOffUntil, until);
    state.freeFrom = Math.max(state.freeFrom, until + limits.recoveryMs);
  }

  /** Returns milliseconds until the next attempt makes sense; 0 when the turn was taken. */
  async function tryEnter(host: string, state: HostState): Promise<number> {
    if (state.freeFrom <= now() && state.nextReadAt <= now()) {
      state.looking ??= readBackOff(host, state).finally(() => {
        state.looking = undefined;
      });
      await state.looking;
    }
    if (now() < state.backOffUntil) return state.backOffUntil - now();
    if (state.freeFrom <= now()) {
      state.active += 1;
      return 0;
    }
    // A new request must not overtake the release.
    if (state.returning !== undefined) await state.returning;
    if (now() >= state.shareUntil) {
      state.asking ??= askShare(host, state).finally(() => {
        state.asking = undefined;
      });
      await state.asking;
      if (now() < state.backOffUntil) return state.backOffUntil - now();
    }
    if (state.active < Math.min(state.share, Math.max(1, Math.floor(state.wanted)))) {
      state.active += 1;
      return 0;
    }
    return SHARE_POLL_MS;
  }

  function wake(state: HostState): void {
    const [first] = state.waiters;
    first?.();
  }

  function backOff(
    asked: HostRequest,
    state: HostState,
    answer: HostAnswer,
    askedAt: number,
  ): void {
    // Refusals of pages that were in progress when the pause began count as one.
    const isNews = askedAt > state.backedOffAt;
    const { url = "", statusCode = 0, requests } = answer;
    state.breaker.recordRefusal(url, statusCode, isNews, now(), requests);
    const own = isNews ? state.backOffMs : 0;
    // A host that keeps answering "retry later" with a zero delay still gets an increasing pause.
    const pauseMs = Math.max(answer.retryAfterMs ?? own, own / MIN_PART);
    const until = now() + Math.min(pauseMs, limits.maxRetryAfterMs);
    if (isNews) {
      state.backedOffAt = now();
      state.backOffMs = Math.min(state.backOffMs * 2, limits.maxBackoffMs);
      state.wanted = Math.max(1, Math.min(state.wanted, state.active + 1) / 2);
    }
    if (state.freeFrom < Infinity)
      state.freeFrom = Math.max(state.freeFrom, until + limits.recoveryMs);
    const isLonger = until > state.backOffUntil;
    if (isLonger) state.backOffUntil = until;
    if (isNews) parts.onBackoff?.(statusCode);
    if (isNews)
      state.refusals = backoffLog.backOff(asked, state.refusals, statusCode, state.backOffUntil);
    if (isLonger) void hosts.backOff(asked.host, { until }).catch(() => undefined);
  }

  function recordAnswer(
    asked: HostRequest,
    state: HostState,
    answer: HostAnswer,
    askedAt: number,
  ): void {
    const { statusCode, ms } = answer;
    if (statusCode === 429 || statusCode === 503) return backOff(asked, state, answer, askedAt);
    if (statusCode !== undefined && state.refusals !== undefined) {
      backoffLog.recover(asked, state.refusals);
      state.refusals = undefined;
    }
    const isSlow =
      ms > limits.slowMs && state.usualMs > 0 && ms > state.usualMs * limits.slowFactor;
    if (answer.isSilent === true) state.breaker.recordNoAnswer(now());
    // Many waiting requests do not help a host that does not answer.
    if (state.freeFrom < Infinity && state.breaker.unanswered >= MAX_UNANSWERED)
      state.freeFrom = Math.max(state.freeFrom, now() + limits.recoveryMs);
    if (isSlow) state.breaker.recordSuccess();
    if (statusCode === undefined || isSlow) state.wanted = Math.max(1, state.wanted / 2);
    else {
      state.breaker.recordSuccess();
      state.backOffMs = limits.backOffMs;
      const growth = now() < state.backedOffAt + limits.recoveryMs ? RECOVERY_GROWTH : 1;
      state.wanted = Math.min(limits.cap, state.wanted + growth / state.wanted);
    }
    // One slow answer does not move the average at once.
    const { usualMs } = state;
    state.usualMs = usualMs === 0 ? ms : usualMs * 0.95 + Math.min(ms, usualMs * 2) * 0.05;
  }

  return {
    async enter(host, { delayMs = 0, paceKey = host, ignoresBreaker = false, jobId, signal }) {
      const state = getState(host);
      state.usedAt = now();
      for (;;) {
        signal.throwIfAborted();
        const reason = ignoresBreaker ? undefined : state.breaker.findReasonToStop(now());
        if (reason !== undefined)
          throw new LostHostError(`${host} ${reason}.`, state.breaker.since);
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
        if (answer !== undefined) recordAnswer({ host, jobId }, state, answer, askedAt);
        // All waiters check again when the host is given up.
        if (state.breaker.isOpen) for (const waiter of state.waiters) waiter();
        else wake(state);
        releaseShareWhenIdle(host, state);
      };
      try {
        const pauseMs = Math.max(delayMs, state.delayMs);
        if (pauseMs > 0) await pacer.waitForStart(paceKey, pauseMs, signal);
        askedAt = now();
      } catch (error) {
        end(undefined);
        throw error;
      }
      return { end };
    },
    isRefusing(host) {
      const breaker = states.get(host)?.breaker;
      return breaker !== undefined && breaker.isRefusing && !breaker.isOpen;
    },
    hasHost(host) {
      states.get(host)?.breaker.recordSuccess();
    },
    isBusy(host) {
      const state = states.get(host);
      if (state === undefined) return false;
      return state.waiters.size > 0 || state.backOffUntil > now();
    },
    getPauses() {
      const left = Array.from(states.values(), (state) => state.backOffUntil - now());
      const paused = left.filter((ms) => ms > 0);
      return { hosts: paused.length, longestMs: paused.reduce((a, b) => Math.max(a, b), 0) };
    },
    async close() {
      for (const { idle } of states.values()) clearTimeout(idle);
      await hosts.release(worker);
    },
  };
}

const MAX_HOSTS = 10_000;
/** Polling interval for a share that others use up. */
const SHARE_POLL_MS = 1_000;

/** Waits for a released turn, the timeout, or the signal. */
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

/**
 * Loopback hosts are reachable only where the operator allowed them, so they are the operator's
 * own. `host` may carry a port.
 */
export function isOwnHost(host: string): boolean {
  const parsed = parseHost(host.replace(/:\d+$/, ""));
  if (parsed === undefined) return false;
  if (parsed.kind === "name") return isLocalhostName(parsed.name);
  return classifyAddress(parsed.bytes) === "loopback";
}
