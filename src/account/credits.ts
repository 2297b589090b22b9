import { LimitError } from "../errors.ts";
import { createRowId } from "../store/accounts/accounts.ts";
import type { HoldEntry, LedgerStore } from "../store/accounts/ledger.ts";
import type { Identity } from "./identity.ts";

export type HoldOptions = {
  /** Of the scrape or job that will be charged. */
  readonly jobId: string;
  readonly endpoint: string;
  /** How long the work may take at most, milliseconds: afterwards the credits go back by themselves. */
  readonly lifeMs?: number;
};

/** Credits set aside for one piece of work. Exactly one of settle and release ends it; what comes later is ignored. */
export type Hold = {
  readonly amount: number;
  /** What the hold is kept as when its work outlives this process; null where neither key nor account has a budget. */
  readonly entry: HoldEntry | null;
  /** Charges what the work cost in the end, which may differ from the amount. */
  settle(credits: number): Promise<void>;
  /** Charges nothing. */
  release(): Promise<void>;
};

export type PaidJob = {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: string;
  /** Of the hold it began with. */
  readonly hold: HoldEntry | null;
};

export type Credits = {
  /** Throws INSUFFICIENT_CREDITS when the budget of the key or its account does not cover `amount`. */
  hold(identity: Identity, amount: number, options: HoldOptions): Promise<Hold>;
  /**
   * Ends the holds of a job from what was kept of it, whichever process does it: called again with the same charge it
   * changes nothing.
   */
  settleJob(job: PaidJob, charged: number): Promise<void>;
  /** What the key may still spend, of its own budget and its account's; null is without end. */
  remaining(identity: Identity): Promise<number | null>;
};

const LIFE_MS = 60 * 60 * 1000;

/** Ids under which the budgets stand that a request draws on: its account's, its key's, both or none. */
function budgetOwners({ accountId, keyId, limits, accountLimits }: Identity): string[] {
  const owners: string[] = [];
  if ((accountLimits?.creditBudget ?? null) !== null) owners.push(accountId);
  if (limits.creditBudget !== null) owners.push(keyId);
  return owners;
}

function checkAmount(credits: number): void {
  if (!Number.isSafeInteger(credits) || credits < 0)
    throw new RangeError(`${credits} is not a whole number of credits`);
}

/** What a caller is told whose key or account has only `remaining` of the credits that are `needed`. */
export function insufficientCredits(
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

/** Holding and charging. Keys without a budget are never refused: their charges are written in groups. */
export function createCredits(parts: { ledger: LedgerStore; now?: () => number }): Credits {
  const { ledger, now = Date.now } = parts;

  /** Runs `end` for the first caller only. */
  function once(end: (credits: number) => Promise<void>): Pick<Hold, "settle" | "release"> {
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
    async hold(identity, amount, { jobId, endpoint, lifeMs = LIFE_MS }) {
      checkAmount(amount);
      const { accountId, keyId } = identity;
      const entry = { id: createRowId(), accountId, keyId, jobId, endpoint, at: now() };
      const owners = budgetOwners(identity);
      if (owners.length === 0)
        return {
          amount,
          entry: null,
          ...once(async (charged) => {
            if (charged > 0) ledger.charge({ ...entry, at: now(), charged });
          }),
        };
      const hold: HoldEntry = { ...entry, amount, expiresAt: entry.at + lifeMs };
      const { held, balance, owner } = await ledger.hold(hold, owners);
      if (!held) throw insufficientCredits(amount, balance, owner === keyId ? "key" : "account");
      return { amount, entry: hold, ...once((charged) => ledger.settle(hold, charged, now())) };
    },
    async settleJob({ id, accountId, keyId, endpoint, hold }, charged) {
      checkAmount(charged);
      if (hold !== null) await ledger.settle(hold, charged, now());
      // The job's own id makes a second entry impossible.
      else if (charged > 0)
        ledger.charge({ id, accountId, keyId, jobId: id, endpoint, at: now(), charged });
      // What was held for URLs that were added to it later is in what is charged.
      await ledger.releaseJob(id, now());
    },
    async remaining(identity) {
      const balances = await Promise.all(
        budgetOwners(identity).map(async (owner) => (await ledger.balance(owner))?.balance ?? 0),
      );
      return balances.length === 0 ? null : Math.min(...balances);
    },
  };
}

/** For a process that keeps nothing: everything is free and nothing is written. */
export function createFreeCredits(): Credits {
  const nothing = async (): Promise<void> => undefined;
  return {
    hold: async (_identity, amount) => ({ amount, entry: null, settle: nothing, release: nothing }),
    settleJob: nothing,
    remaining: async () => null,
  };
}
