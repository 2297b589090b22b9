// This process's part of a key's or account's concurrency limit, when several processes share a
// database. A process takes slots when requests wait and returns idle ones. Its lease ends with the
// process.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../logger.ts";
import type { ConcurrencyShares } from "../store/accounts/concurrency-shares.ts";

/**
 * Longer than a process is ever blocked; the places of a killed process are missing for this long.
 */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** Retry interval while all places are taken. */
const RETRY_MS = 100;
/** Idle places are kept this long, so that a steady caller needs no query per request. */
const IDLE_MS = 200;
const DATABASE_RETRY_MS = 1_000;

export type OwnerUse = {
  readonly active: number;
  readonly waiting: number;
  /** The limit over all processes. */
  readonly max: number;
};

export type SharedConcurrency = {
  /** Places of the owner that this process has. */
  held(owner: string): number;
  /** Number of times that this process got fewer of the owner's slots than it requested. */
  shortages(owner: string): number;
  /** Reports how many places are in use and requested. */
  report(owner: string, use: OwnerUse): void;
  /** Places of the owner over all processes. */
  total(owner: string): Promise<number>;
  /** Called when a process got more places. */
  onGain: (() => void) | undefined;
  /** Returns all places. */
  close(): Promise<void>;
};

export type SharedConcurrencyParts = {
  readonly shares: () => Promise<ConcurrencyShares>;
  readonly log: Logger;
  readonly leaseMs?: number;
};

type OwnerState = {
  use: OwnerUse;
  held: number;
  shortages: number;
  setAt: number;
  running: Promise<void> | undefined;
};

export function createSharedConcurrency(parts: SharedConcurrencyParts): SharedConcurrency {
  const { shares, log, leaseMs = LEASE_MS } = parts;
  const process = randomUUID();
  const owners = new Map<string, OwnerState>();
  const closing = new AbortController();
  const renewal = setInterval(
    () => {
      for (const [owner, state] of owners) run(owner, state);
    },
    Math.min(RENEW_MS, leaseMs / 3),
  ).unref();

  const pause = async (ms: number): Promise<void> =>
    await sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined);

  const isOld = ({ setAt }: OwnerState): boolean => Date.now() - setAt >= leaseMs / 3;

  async function set(owner: string, state: OwnerState, wanted: number): Promise<void> {
    const { active: used, max } = state.use;
    const before = state.held;
    // Returned places must not be used while the database is updated.
    state.held = Math.min(before, Math.max(used, wanted));
    const store = await shares();
    state.held = await store.set(owner, { process, used, wanted, max, leaseMs });
    state.setAt = Date.now();
    if (state.held < wanted) state.shortages += 1;
    if (state.held > before) api.onGain?.();
  }

  /** Adjusts the places of an owner to the demand; ends when nothing is left to do. */
  async function settle(owner: string, state: OwnerState): Promise<void> {
    while (!closing.signal.aborted) {
      const wanted = Math.min(state.use.max, state.use.active + state.use.waiting);
      if (wanted < state.held && !isOld(state)) {
        await pause(IDLE_MS);
        if (state.use.active + state.use.waiting >= state.held) continue;
      } else if (wanted === state.held && !isOld(state)) {
        return;
      }
      try {
        await set(owner, state, Math.min(state.use.max, state.use.active + state.use.waiting));
      } catch (error) {
        log.warn({ err: error }, "failed to take slots of a shared concurrency limit");
        await pause(DATABASE_RETRY_MS);
        continue;
      }
      if (state.held === 0 && state.use.waiting === 0) {
        owners.delete(owner);
        return;
      }
      if (state.held < state.use.active + state.use.waiting && state.held < state.use.max)
        await pause(RETRY_MS * (0.5 + Math.random()));
    }
  }

  function run(owner: string, state: OwnerState): void {
    state.running ??= settle(owner, state).finally(() => {
      state.running = undefined;
      // Reported while the last round was ending.
      if (owners.has(owner) && state.use.waiting > 0 && state.held < state.use.max)
        run(owner, state);
    });
  }

  const api: SharedConcurrency = {
    onGain: undefined,
    total: async (owner) => (await shares()).total(owner),
    held: (owner) => owners.get(owner)?.held ?? 0,
    shortages: (owner) => owners.get(owner)?.shortages ?? 0,
    report(owner, use) {
      if (closing.signal.aborted) return;
      const state = owners.get(owner) ?? {
        use,
        held: 0,
        shortages: 0,
        setAt: 0,
        running: undefined,
      };
      if (use.active + use.waiting === 0 && state.held === 0 && state.running === undefined) {
        owners.delete(owner);
        return;
      }
      state.use = use;
      owners.set(owner, state);
      if (use.active + use.waiting !== state.held) run(owner, state);
    },
    async close() {
      closing.abort();
      clearInterval(renewal);
      await Promise.all([...owners.values()].map(async ({ running }) => await running));
      if (owners.size > 0) await (await shares()).release(process);
      owners.clear();
    },
  };
  return api;
}
