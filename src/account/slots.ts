// Slots for requests in work: so many in this process, so many for each key. Who finds none waits, in order within a key and
// in turn between keys, so that one busy key cannot keep the others out.
import { LimitError } from "../errors.ts";
import type { Identity } from "./identity.ts";

export type Slot = Disposable & {
  /** Whole milliseconds spent waiting. */
  readonly waitedMs: number;
  /** Whether the request had to wait (metadata.concurrencyLimited). */
  readonly limited: boolean;
  /** Gives the slot back; once is enough, twice does no harm. */
  release(): void;
};

export type SlotUse = { readonly active: number; readonly waiting: number; readonly max: number };

export type Slots = {
  /**
   * Waits for a slot at most two thirds of `timeoutMs`, then throws CONCURRENCY_QUEUE_TIMEOUT (wire contract, concurrency). Throws
   * CONCURRENCY_LIMITED when too many wait already, and the reason of `signal` when that aborts.
   */
  acquire(
    identity: Identity,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Slot>;
  /** Of one key; `max` is what it may have at once. */
  use(identity: Identity): SlotUse;
  /** Of the process. */
  total(): SlotUse;
};

export type SlotsOptions = {
  /** Requests in work at once in this process. */
  readonly maxConcurrency: number;
  /** Requests of one key that may wait. */
  readonly maxWaiting?: number;
  readonly now?: () => number;
  /** Told whenever a number changes, for metrics. */
  readonly onChange?: (use: { readonly active: number; readonly waiting: number }) => void;
};

type Waiter = { readonly grant: () => void };
type AccountState = { active: number; limit: number; keys: number };
type KeyState = {
  active: number;
  limit: number;
  readonly account: AccountState;
  readonly waiters: Set<Waiter>;
};

export function createSlots(options: SlotsOptions): Slots {
  const { maxConcurrency, maxWaiting = 50_000, now = () => performance.now(), onChange } = options;
  /** Keys with something in work or waiting; in the order in which they were last served. */
  const states = new Map<string, KeyState>();
  /** Those of keys in `states`. */
  const accounts = new Map<string, AccountState>();
  let active = 0;
  let waiting = 0;

  const limitOf = ({ limits }: Identity): number => limits.concurrency ?? maxConcurrency;
  const changed = (): void => onChange?.({ active, waiting });
  const hasRoom = (state: KeyState): boolean =>
    state.active < state.limit && state.account.active < state.account.limit;
  const isFree = (state: KeyState): boolean => active < maxConcurrency && hasRoom(state);

  function stateOf({ accountId, keyId }: Identity): KeyState {
    const known = states.get(keyId);
    if (known !== undefined) return known;
    const account = accounts.get(accountId) ?? { active: 0, limit: 0, keys: 0 };
    accounts.set(accountId, account);
    account.keys += 1;
    const state = { active: 0, limit: 0, account, waiters: new Set<Waiter>() };
    states.set(keyId, state);
    return state;
  }

  function forgetIdle({ accountId, keyId }: Identity, state: KeyState): void {
    if (state.active > 0 || state.waiters.size > 0 || !states.delete(keyId)) return;
    state.account.keys -= 1;
    if (state.account.keys === 0) accounts.delete(accountId);
  }

  /** Serves the key that was served longest ago and may run something. */
  function serve(): void {
    while (active < maxConcurrency && waiting > 0) {
      const next = states.entries().find(([, state]) => state.waiters.size > 0 && hasRoom(state));
      if (next === undefined) return;
      const [keyId, state] = next;
      states.delete(keyId);
      states.set(keyId, state);
      const [waiter] = state.waiters;
      if (waiter === undefined) return;
      state.waiters.delete(waiter);
      waiting -= 1;
      occupy(state);
      waiter.grant();
    }
  }

  function occupy(state: KeyState): void {
    active += 1;
    state.active += 1;
    state.account.active += 1;
    changed();
  }

  function toSlot(identity: Identity, state: KeyState, since: number | undefined): Slot {
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      active -= 1;
      state.active -= 1;
      state.account.active -= 1;
      serve();
      forgetIdle(identity, state);
      changed();
    };
    return {
      limited: since !== undefined,
      waitedMs: since === undefined ? 0 : Math.round(now() - since),
      release,
      [Symbol.dispose]: release,
    };
  }

  async function wait(
    state: KeyState,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { grant: resolve };
    const giveUp = (reason: unknown): void => {
      if (!state.waiters.delete(waiter)) return;
      waiting -= 1;
      changed();
      reject(reason);
    };
    const patienceMs = Math.floor((timeoutMs * 2) / 3);
    const timer = setTimeout(
      () =>
        giveUp(
          new LimitError(
            "CONCURRENCY_QUEUE_TIMEOUT",
            `No slot became free within ${patienceMs} ms, two thirds of the timeout of ${timeoutMs} ms. ` +
              "Send fewer requests at once, or give a longer timeout.",
            { retryAfterMs: 1_000 },
          ),
        ),
      patienceMs,
    );
    const onAbort = (): void => giveUp(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    state.waiters.add(waiter);
    waiting += 1;
    changed();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  return {
    async acquire(identity, { timeoutMs, signal }) {
      signal?.throwIfAborted();
      const state = stateOf(identity);
      // The limits may have changed since the last request.
      state.limit = limitOf(identity);
      state.account.limit = identity.accountLimits?.concurrency ?? Infinity;
      if (state.waiters.size === 0 && isFree(state)) {
        occupy(state);
        return toSlot(identity, state, undefined);
      }
      if (state.waiters.size >= maxWaiting)
        throw new LimitError(
          "CONCURRENCY_LIMITED",
          `${state.waiters.size} requests of this key are waiting already; that is the most.`,
          { retryAfterMs: 5_000 },
        );
      const since = now();
      try {
        await wait(state, timeoutMs, signal);
      } catch (error) {
        forgetIdle(identity, state);
        throw error;
      }
      return toSlot(identity, state, since);
    },
    use(identity) {
      const state = states.get(identity.keyId);
      return {
        active: state?.active ?? 0,
        waiting: state?.waiters.size ?? 0,
        max: Math.min(
          maxConcurrency,
          limitOf(identity),
          identity.accountLimits?.concurrency ?? Infinity,
        ),
      };
    },
    total: () => ({ active, waiting, max: maxConcurrency }),
  };
}
