import { LimitError } from "../errors.ts";
import { createRowId } from "../store/accounts/accounts.ts";
import type { HoldEntry, LedgerStore } from "../store/accounts/ledger.ts";
import type { Identity } from "./identity.ts";

export type HoldOptions = {
  /** The scrape or job to charge. */
  readonly jobId: string;
  readonly endpoint: string;
  /** Maximum duration of the work in milliseconds; afterwards the credits are released. */
  readonly lifeMs?: number;
};

/**
 * Credits held for one piece of work. Exactly one of settle and release ends it; later calls are
 * ignored.
 */
export type Hold = {
  readonly amount: number;
  /**
   * The stored form of the hold, for work that outlives this process; null when neither key nor
   * account has a budget.
   */
  readonly entry: HoldEntry | null;
  /** Charges the final cost, which may differ from the held amount. */
  settle(credits: number): Promise<void>;
  /** Charges nothing. */
  release(): Promise<void>;
};

export type PaidJob = {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: string;
  /** The hold it started with. */
  readonly hold: HoldEntry | null;
};

export type Credits = {
  /**
   * Throws INSUFFICIENT_CREDITS when the budget of the key or its account does not cover `amount`.
   */
  hold(identity: Identity, amount: number, options: HoldOptions): Promise<Hold>;
  /**
   * Ends the holds of a job from its stored hold, in any process. Idempotent for the same charge.
   */
  settleJob(job: PaidJob, charged: number): Promise<void>;
  /** Credits left for the key, within its own and its account's budget; null means unlimited. */
  getRemaining(identity: Identity): Promise<number | null>;
};

const HOLD_TTL_MS = 60 * 60 * 1000;

/** Ids of the budgets a request draws on: its account's, its key's, both or none. */
function listBudgetOwners({ accountId, keyId, limits, accountLimits }: Identity): string[] {
  const owners: string[] = [];
  if ((accountLimits?.creditBudget ?? null) !== null) owners.push(accountId);
  if (limits.creditBudget !== null) owners.push(keyId);
  return owners;
}

function checkAmount(credits: number): void {
  if (!Number.isSafeInteger(credits) || credits < 0)
    throw new RangeError(`${credits} is not a whole number of credits`);
}

/** The error when `remaining` credits of key or account do not cover the `needed` ones. */
export function createInsufficientCreditsError(
  needed: number,
  remaining: number,
  owner: "key" | "account" = "key",
): LimitError {
  return new LimitError(
    "INSUFFICIENT_CREDITS",
    `Insufficient credits to perform this request. It needs ${needed} and the ${owner} has ${remaining} left of its budget.`,
    { details: { needed, remaining } },
  );
}

/**
 * Holds and charges credits. Keys without a budget are never rejected: their charges are written in
 * groups.
 */
export function createCredits(parts: { ledger: LedgerStore; now?: () => number }): Credits {
  const { ledger, now = Date.now } = parts;

  /** Runs `end` for the first caller only. */
  function endOnce(end: (credits: number) => Promise<void>): Pick<Hold, "settle" | "release"> {
    let ended = false;
    const settle = async (credits: number): Promise<void> => {
      checkAmount(credits);
      if (ended) return;
      ended = true;
      try {
        await end(credits);
      } catch (error) {
        ended = false;
        throw error;
      }
    };
    return { settle, release: () => settle(0) };
  }

  return {
    async hold(identity, amount, { jobId, endpoint, lifeMs = HOLD_TTL_MS }) {
      checkAmount(amount);
      const { accountId, keyId } = identity;
      const entry = { id: createRowId(), accountId, keyId, jobId, endpoint, at: now() };
      const owners = listBudgetOwners(identity);
      if (owners.length === 0)
        return {
          amount,
          entry: null,
          ...endOnce(async (charged) => {
            if (charged > 0) ledger.charge({ ...entry, at: now(), charged });
          }),
        };
      const hold: HoldEntry = { ...entry, amount, expiresAt: entry.at + lifeMs };
      const { held, balance, owner } = await ledger.hold(hold, owners);
      if (!held)
        throw createInsufficientCreditsError(amount, balance, owner === keyId ? "key" : "account");
      return { amount, entry: hold, ...endOnce((charged) => ledger.settle(hold, charged, now())) };
    },
    async settleJob({ id, accountId, keyId, endpoint, hold }, charged) {
      checkAmount(charged);
      if (hold !== null) await ledger.settle(hold, charged, now());
      // The job's id as entry id prevents a second charge.
      else if (charged > 0)
        ledger.charge({ id, accountId, keyId, jobId: id, endpoint, at: now(), charged });
      // Includes holds for URLs added later.
      await ledger.releaseJob(id, now());
    },
    async getRemaining(identity) {
      const balances = await Promise.all(
        listBudgetOwners(identity).map(
          async (owner) => (await ledger.balance(owner))?.balance ?? 0,
        ),
      );
      return balances.length === 0 ? null : Math.min(...balances);
    },
  };
}

/** Credits for a process without a store: everything is free and nothing is written. */
export function createFreeCredits(): Credits {
  const doNothing = async (): Promise<void> => undefined;
  return {
    hold: async (_identity, amount) => ({
      amount,
      entry: null,
      settle: doNothing,
      release: doNothing,
    }),
    settleJob: doNothing,
    getRemaining: async () => null,
  };
}
