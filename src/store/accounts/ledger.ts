// The credit ledger. Each row adds to the balance of its key: a grant +G, a hold -H, a settlement
// +H - C, where C is the final charge. The balance is the sum of the rows at any time. Keys with a
// budget also have their balance in credit_balances (accounts with one have it under the account's
// id), updated in the same transaction. Keys without one only have settlements (-C), which are
// written in groups.
import { sql, type Kysely, type Selectable, type Transaction } from "kysely";
import type { ColumnKind } from "../database/json-rows.ts";
import type { GroupWriter, RowQueue } from "../database/group-writer.ts";
import type { Tables } from "../database/schema.ts";
import { buildPeriodStart, type PeriodUnit } from "./period-start.ts";

export type LedgerEntry = {
  readonly accountId: string;
  readonly keyId: string;
  readonly jobId: string | null;
  readonly endpoint: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

export type HoldEntry = LedgerEntry & {
  readonly id: string;
  readonly amount: number;
  /** When the hold expires unless it is settled. */
  readonly expiresAt: number;
};

export type Balance = { readonly granted: number; readonly balance: number };

export type UsagePeriod = {
  /** Start of the month, week or day in UTC, milliseconds since the epoch. */
  readonly startAt: number;
  readonly keyId: string | null;
  readonly credits: number;
};

export type LedgerStore = {
  /** Adds `amount` (may be negative) to the budget of a key. */
  addGrant(entry: LedgerEntry & { id: string; amount: number }): Promise<void>;
  /**
   * Takes `amount` from the balances of `owners` (the entry's key, its account, or both) if each
   * covers it. Returns the new balance, or the insufficient one and its owner.
   */
  hold(
    entry: HoldEntry,
    owners: readonly string[],
  ): Promise<{ held: boolean; balance: number; owner?: string }>;
  /**
   * Settles a hold with the final charge. A second settlement of the same hold corrects the first.
   */
  settle(hold: HoldEntry, charged: number, at: number): Promise<void>;
  /** Releases the open holds of a job without a charge. */
  releaseJob(jobId: string, at: number): Promise<void>;
  /** Charges a key without a budget; written with the next group. */
  charge(entry: LedgerEntry & { id: string; charged: number }): void;
  balance(keyId: string): Promise<Balance | undefined>;
  /** Releases holds that expired before `now` without a settlement. Returns their number. */
  releaseExpired(now: number): Promise<number>;
  /** Charged credits of an account by period, ascending; optionally also by key. */
  sumUsage(
    accountId: string,
    options: { unit: PeriodUnit; byKey: boolean; since?: number },
  ): Promise<UsagePeriod[]>;
  /**
   * The sum over all rows of a key, or of an account without the grants of its keys. For checking
   * the invariant above.
   */
  sum(keyId: string): Promise<number>;
};

type LedgerRow = Omit<Selectable<Tables["credit_ledger"]>, "sequence">;

function toRow(
  entry: LedgerEntry,
  rest: Pick<LedgerRow, "id" | "kind" | "amount"> & Partial<LedgerRow>,
): LedgerRow {
  return {
    account_id: entry.accountId,
    key_id: entry.keyId,
    job_id: entry.jobId,
    endpoint: entry.endpoint,
    at: entry.at,
    charged: 0,
    hold_id: null,
    expires_at: null,
    ...rest,
  };
}

/** Owners whose balances a ledger entry changes, if they have one. */
const listOwners = ({ keyId, accountId }: Pick<LedgerEntry, "keyId" | "accountId">): string[] => [
  keyId,
  accountId,
];

async function addToBalances(
  transaction: Transaction<Tables>,
  owners: readonly string[],
  amount: number,
): Promise<void> {
  await transaction
    .updateTable("credit_balances")
    .set((update) => ({ balance: update("balance", "+", amount) }))
    .where("key_id", "in", owners)
    .execute();
}

const COLUMN_TYPES: { readonly [Name in keyof LedgerRow]: ColumnKind } = {
  id: "uuid",
  account_id: "uuid",
  key_id: "uuid",
  kind: "text",
  amount: "bigint",
  charged: "bigint",
  hold_id: "uuid",
  job_id: "uuid",
  endpoint: "text",
  at: "bigint",
  expires_at: "bigint",
};

/** The row as typed expressions: in a SELECT the database cannot infer the types of parameters. */
function toSelection(row: LedgerRow) {
  return (Object.keys(row) as (keyof LedgerRow)[]).map((name) =>
    sql`${row[name]}::${sql.raw(COLUMN_TYPES[name])}`.as(name),
  );
}

/**
 * Writes the settlement of a hold and replaces an earlier one. Returns the change of the balance.
 */
async function writeSettlement(transaction: Transaction<Tables>, row: LedgerRow): Promise<number> {
  const earlier = await transaction
    .selectFrom("credit_ledger")
    .select(["id", "amount"])
    .where("hold_id", "=", row.hold_id)
    .forUpdate()
    .executeTakeFirst();
  if (earlier === undefined) {
    await transaction.insertInto("credit_ledger").values(row).execute();
    return row.amount;
  }
  await transaction
    .updateTable("credit_ledger")
    .set({ amount: row.amount, charged: row.charged, at: row.at })
    .where("id", "=", earlier.id)
    .execute();
  return row.amount - earlier.amount;
}

export function createLedgerStore(
  kysely: Kysely<Tables>,
  writer: GroupWriter,
  createId: () => string,
): LedgerStore {
  const charges: RowQueue<LedgerRow> = writer.registerTable<LedgerRow>(
    "credit_ledger",
    COLUMN_TYPES,
  );

  /**
   * Locks the balance rows first, always in the same order, which serializes corrections and avoids
   * deadlocks.
   */
  async function runLocked<T>(
    owners: readonly string[],
    work: (
      transaction: Transaction<Tables>,
      balances: readonly { readonly key_id: string; readonly balance: number }[],
    ) => Promise<T>,
  ): Promise<T> {
    return kysely.transaction().execute(async (transaction) => {
      const balances = await transaction
        .selectFrom("credit_balances")
        .select(["key_id", "balance"])
        .where("key_id", "in", owners)
        .orderBy("key_id")
        .forUpdate()
        .execute();
      return work(transaction, balances);
    });
  }

  /** Places a hold on all of several balances or on none. */
  async function holdOfAll(
    row: LedgerRow,
    owners: readonly string[],
    amount: number,
  ): Promise<{ held: boolean; balance: number; owner?: string }> {
    return runLocked(owners, async (transaction, balances) => {
      const known = new Map(balances.map(({ key_id: owner, balance }) => [owner, balance]));
      const min = Math.min(...owners.map((owner) => known.get(owner) ?? 0));
      if (min < amount) {
        const owner = owners.find((one) => (known.get(one) ?? 0) === min);
        return { held: false, balance: min, ...(owner === undefined ? {} : { owner }) };
      }
      await addToBalances(transaction, owners, -amount);
      await transaction.insertInto("credit_ledger").values(row).execute();
      return { held: true, balance: min - amount };
    });
  }

  async function findBalance(keyId: string): Promise<Balance | undefined> {
    return kysely
      .selectFrom("credit_balances")
      .select(["granted", "balance"])
      .where("key_id", "=", keyId)
      .executeTakeFirst();
  }

  /** Holds without a settlement. */
  const openHolds = () =>
    kysely
      .selectFrom("credit_ledger as hold")
      .selectAll()
      .where("hold.kind", "=", "hold")
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom("credit_ledger as settled")
              .select("settled.id")
              .whereRef("settled.hold_id", "=", "hold.id"),
          ),
        ),
      );

  async function settle(hold: HoldEntry, charged: number, at: number): Promise<void> {
    const row = toRow(
      { ...hold, at },
      {
        id: createId(),
        kind: "settle",
        amount: hold.amount - charged,
        charged,
        hold_id: hold.id,
      },
    );
    const first = await kysely
      .with("written", (query) =>
        query
          .insertInto("credit_ledger")
          .values(row)
          .onConflict((conflict) => conflict.column("hold_id").doNothing())
          .returning("amount"),
      )
      .updateTable("credit_balances")
      .from("written")
      // Same lock order as `locked`.
      .from((query) =>
        query
          .selectFrom("credit_balances")
          .select("key_id as owner")
          .where("key_id", "in", listOwners(hold))
          .orderBy("key_id")
          .forUpdate()
          .as("owners"),
      )
      .set((update) => ({ balance: update("balance", "+", update.ref("written.amount")) }))
      .whereRef("key_id", "=", "owners.owner")
      .returning("balance")
      .execute();
    if (first.length > 0) return;
    await runLocked(listOwners(hold), async (transaction) => {
      await addToBalances(transaction, listOwners(hold), await writeSettlement(transaction, row));
    });
  }

  return {
    async addGrant(entry) {
      await kysely.transaction().execute(async (transaction) => {
        await transaction
          .insertInto("credit_balances")
          .values({ key_id: entry.keyId, granted: entry.amount, balance: entry.amount })
          .onConflict((conflict) =>
            conflict.column("key_id").doUpdateSet((update) => ({
              granted: update("credit_balances.granted", "+", entry.amount),
              balance: update("credit_balances.balance", "+", entry.amount),
            })),
          )
          .execute();
        await transaction
          .insertInto("credit_ledger")
          .values(toRow(entry, { id: entry.id, kind: "grant", amount: entry.amount }))
          .execute();
      });
    },
    async hold(entry, owners) {
      const { id, amount, expiresAt } = entry;
      const row = toRow(entry, { id, kind: "hold", amount: -amount, expires_at: expiresAt });
      const [owner = entry.keyId, ...others] = owners;
      if (others.length > 0) return await holdOfAll(row, owners, amount);
      const held = await kysely
        .with("taken", (query) =>
          query
            .updateTable("credit_balances")
            .set((update) => ({ balance: update("balance", "-", amount) }))
            .where("key_id", "=", owner)
            .where("balance", ">=", amount)
            .returning("balance"),
        )
        .with("written", (query) =>
          query
            .insertInto("credit_ledger")
            .columns(Object.keys(row) as (keyof LedgerRow)[])
            .expression((from) => from.selectFrom("taken").select(toSelection(row))),
        )
        .selectFrom("taken")
        .select("balance")
        .executeTakeFirst();
      if (held !== undefined) return { held: true, balance: held.balance };
      return { held: false, balance: (await findBalance(owner))?.balance ?? 0, owner };
    },
    settle,
    async releaseJob(jobId, at) {
      const open = await openHolds().where("hold.job_id", "=", jobId).execute();
      for (const { id, account_id: accountId, key_id: keyId, endpoint, amount } of open)
        await settle(
          {
            id,
            accountId,
            keyId,
            jobId,
            endpoint: endpoint ?? "",
            at,
            amount: -amount,
            expiresAt: at,
          },
          0,
          at,
        );
    },
    charge(entry) {
      const { id, charged } = entry;
      charges.enqueue(toRow(entry, { id, kind: "settle", amount: -charged, charged }));
    },
    balance: findBalance,
    async releaseExpired(now) {
      const open = await openHolds().where("hold.expires_at", "<", now).limit(1_000).execute();
      let released = 0;
      for (const hold of open)
        released += await runLocked([hold.key_id, hold.account_id], async (transaction) => {
          const inserted = await transaction
            .insertInto("credit_ledger")
            .values({
              id: createId(),
              account_id: hold.account_id,
              key_id: hold.key_id,
              kind: "settle",
              amount: -hold.amount,
              charged: 0,
              hold_id: hold.id,
              job_id: hold.job_id,
              endpoint: hold.endpoint,
              at: now,
              expires_at: null,
            })
            .onConflict((conflict) => conflict.column("hold_id").doNothing())
            .returning("id")
            .execute();
          if (inserted.length === 1)
            await addToBalances(transaction, [hold.key_id, hold.account_id], -hold.amount);
          return inserted.length;
        });
      return released;
    },
    async sumUsage(accountId, { unit, byKey, since = 0 }) {
      await writer.flush();
      const start = buildPeriodStart(unit, sql`at`);
      const key = byKey ? sql<string | null>`key_id` : sql<string | null>`null::uuid`;
      return kysely
        .selectFrom("credit_ledger")
        .select([
          start.as("startAt"),
          key.as("keyId"),
          sql<number>`sum(charged)::bigint`.as("credits"),
        ])
        .where("account_id", "=", accountId)
        .where("kind", "=", "settle")
        .where("at", ">=", since)
        .groupBy(byKey ? [sql`1`, sql`2`] : [sql`1`])
        .orderBy(sql`1`)
        .orderBy(sql`2`)
        .execute();
    },
    async sum(keyId) {
      await writer.flush();
      const row = await kysely
        .selectFrom("credit_ledger")
        .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as("sum"))
        .where((where) =>
          where.or([
            where("key_id", "=", keyId),
            where.and([where("account_id", "=", keyId), where("kind", "!=", "grant")]),
          ]),
        )
        .executeTakeFirst();
      return row?.sum ?? 0;
    },
  };
}
