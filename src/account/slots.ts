// Concurrency slots: a limit for this process, and one for each key and account. Requests without a
// slot wait in order within a key and round-robin between keys, so that one busy key does not block
// others.
import { LimitError } from "../errors.ts";
import type { Identity } from "./identity.ts";
import type { SharedConcurrency } from "./shared-concurrency.ts";

export type Slot = Disposable & {
  /** Whole milliseconds spent waiting. */
  readonly waitedMs: number;
  /** True if the request had to wait (metadata.concurrencyLimited). */
  readonly limited: boolean;
  /** Releases the slot; idempotent. */
  release(): void;
};

export type SlotUse = { readonly active: number; readonly waiting: number; readonly max: number };

export type Slots = {
  /**
   * Waits for a slot at most two thirds of `timeoutMs`, then throws CONCURRENCY_QUEUE_TIMEOUT (wire
   * contract, concurrency). Throws CONCURRENCY_LIMITED when too many wait already, and the reason
   * of `signal` when it aborts.
   */
  acquire(
    identity: Identity,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Slot>;
  /** Use of one key in this process; `max` is its limit. */
  use(identity: Identity): SlotUse;
  /** Requests of one key in progress, over all processes if its limit is shared. */
  countActive(identity: Identity): Promise<number>;
  /** Use of the process. */
  total(): SlotUse;
};

export type SlotsOptions = {
  /** Maximum concurrent requests in this process. */
  readonly maxConcurrency: number;
  /** Maximum waiting requests of one key. */
  readonly maxWaiting?: number;
  /** Shared limits of all processes on one database; undefined with a single process. */
  readonly shared?: SharedConcurrency | undefined;
  readonly now?: () => number;
  /** Called when a number changes, for metrics. */
  readonly onChange?: (use: { readonly active: number; readonly waiting: number }) => void;
};

type Waiter = { readonly grant: () => void };
type AccountState = {
  readonly id: string;
  active: number;
  waiting: number;
  limit: number;
  keys: number;
};
type KeyState = {
  readonly id: string;
  active: number;
  limit: number;
  /** True if the key itself has a limit, which holds over all processes. */
  isLimited: boolean;
  readonly account: AccountState;
  readonly waiters: Set<Waiter>;
};

export function createSlots(options: SlotsOptions): Slots {
  const { maxConcurrency, maxWaiting = 50_000, shared, now = () => performance.now() } = options;
  const { onChange } = options;
  /** Keys with requests in progress or waiting, in the order last served. */
  const states = new Map<string, KeyState>();
  /** Accounts of the keys in `states`. */
  const accounts = new Map<string, AccountState>();
  let active = 0;
  let waiting = 0;

  const getLimit = ({ limits }: Identity): number => limits.concurrency ?? maxConcurrency;
  const isAccountLimited = ({ limit }: AccountState): boolean => limit !== Infinity;
  const isFull = (state: KeyState): boolean =>
    state.active >= state.limit || state.account.active >= state.account.limit;
  /** True if this process has a place under each shared limit. */
  const hasShare = (state: KeyState): boolean =>
    shared === undefined ||
    ((!state.isLimited || state.active < shared.held(`key ${state.id}`)) &&
      (!isAccountLimited(state.account) ||
        state.account.active < shared.held(`account ${state.account.id}`)));
  const countShortages = ({ id, account }: KeyState): number =>
    shared === undefined
      ? 0
      : shared.shortages(`key ${id}`) + shared.shortages(`account ${account.id}`);
  const hasRoom = (state: KeyState): boolean => !isFull(state) && hasShare(state);
  function announceChange(state: KeyState): void {
    onChange?.({ active, waiting });
    if (shared === undefined) return;
    const { account } = state;
    if (state.isLimited)
      shared.report(`key ${state.id}`, {
        active: state.active,
        waiting: state.waiters.size,
        max: state.limit,
      });
    if (isAccountLimited(account))
      shared.report(`account ${account.id}`, {
        active: account.active,
        waiting: account.waiting,
        max: account.limit,
      });
  }
  const isFree = (state: KeyState): boolean => active < maxConcurrency && hasRoom(state);

  function getState({ accountId, keyId }: Identity): KeyState {
    const known = states.get(keyId);
    if (known !== undefined) return known;
    const account = accounts.get(accountId) ?? {
      id: accountId,
      active: 0,
      waiting: 0,
      limit: 0,
      keys: 0,
    };
    accounts.set(accountId, account);
    account.keys += 1;
    const state = {
      id: keyId,
      active: 0,
      limit: 0,
      isLimited: false,
      account,
      waiters: new Set<Waiter>(),
    };
    states.set(keyId, state);
    return state;
  }

  function forgetIdle({ accountId, keyId }: Identity, state: KeyState): void {
    if (state.active > 0 || state.waiters.size > 0 || !states.delete(keyId)) return;
    state.account.keys -= 1;
    if (state.account.keys === 0) accounts.delete(accountId);
  }

  /** Serves the least recently served key that may run something. */
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
      state.account.waiting -= 1;
      waiting -= 1;
      occupy(state);
      waiter.grant();
    }
  }

  function occupy(state: KeyState): void {
    active += 1;
    state.active += 1;
    state.account.active += 1;
    announceChange(state);
  }

  function toSlot(
    identity: Identity,
    state: KeyState,
    waited?: { readonly ms: number; readonly wasLimited: boolean },
  ): Slot {
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      active -= 1;
      state.active -= 1;
      state.account.active -= 1;
      serve();
      forgetIdle(identity, state);
      announceChange(state);
    };
    return {
      limited: waited?.wasLimited ?? false,
      waitedMs: Math.round(waited?.ms ?? 0),
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
      state.account.waiting -= 1;
      waiting -= 1;
      announceChange(state);
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
    state.account.waiting += 1;
    waiting += 1;
    announceChange(state);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  if (shared !== undefined) shared.onGain = serve;

  return {
    async acquire(identity, { timeoutMs, signal }) {
      signal?.throwIfAborted();
      const state = getState(identity);
      // The limits may have changed since the last request.
      state.limit = getLimit(identity);
      state.isLimited = identity.limits.concurrency !== null;
      state.account.limit = identity.accountLimits?.concurrency ?? Infinity;
      if (state.waiters.size === 0 && isFree(state)) {
        occupy(state);
        return toSlot(identity, state);
      }
      if (state.waiters.size >= maxWaiting)
        throw new LimitError(
          "CONCURRENCY_LIMITED",
          `${state.waiters.size} requests of this key are already waiting, which is the maximum.`,
          { retryAfterMs: 5_000 },
        );
      const since = now();
      const shortages = countShortages(state);
      const wasFull = state.waiters.size > 0 || active >= maxConcurrency || isFull(state);
      try {
        await wait(state, timeoutMs, signal);
      } catch (error) {
        forgetIdle(identity, state);
        throw error;
      }
      // Getting a place from the database takes a moment, which does not count as limited.
      const wasLimited = wasFull || countShortages(state) > shortages;
      return toSlot(identity, state, { ms: now() - since, wasLimited });
    },
    use(identity) {
      const state = states.get(identity.keyId);
      return {
        active: state?.active ?? 0,
        waiting: state?.waiters.size ?? 0,
        max: Math.min(
          maxConcurrency,
          getLimit(identity),
          identity.accountLimits?.concurrency ?? Infinity,
        ),
      };
    },
    async countActive({ keyId, limits }) {
      if (shared !== undefined && limits.concurrency !== null)
        return await shared.total(`key ${keyId}`);
      return states.get(keyId)?.active ?? 0;
    },
    total: () => ({ active, waiting, max: maxConcurrency }),
  };
}
