// Collects rows whose writer does not wait, and commits them after at most 200 ms or 128 rows, in
// one statement over all tables. Until then readers find them in memory through `pending`. A crash
// loses the latest rows. Callers that must not lose a row await `flush`.
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Logger } from "../../logger.ts";
import { LimitError } from "../../errors.ts";
import { withSpan } from "../../telemetry/tracing.ts";
import { buildRowInsert, type ColumnKind } from "./json-rows.ts";
import type { Tables } from "./schema.ts";

type Columns<Row> = { readonly [Name in keyof Row & string]: ColumnKind };

export type RowQueue<Row extends object> = {
  enqueue(row: Row): void;
  /** Uncommitted rows, oldest first. */
  pending(): readonly Row[];
};

type Queue = {
  readonly table: string;
  readonly insert: ReturnType<typeof buildRowInsert>;
  waiting: object[];
  writing: object[];
};

export type GroupWriterOptions = {
  readonly maxDelayMs?: number;
  readonly maxRows?: number;
  /** Maximum rows kept during a database outage; further ones are rejected. */
  readonly maxWaiting?: number;
  readonly retryMs?: number;
};

export class GroupWriter {
  readonly #kysely: Kysely<Tables>;
  readonly #log: Logger;
  readonly #options: Required<GroupWriterOptions>;
  readonly #queues: Queue[] = [];
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(kysely: Kysely<Tables>, log: Logger, options: GroupWriterOptions = {}) {
    this.#kysely = kysely;
    this.#log = log;
    this.#options = {
      maxDelayMs: 200,
      maxRows: 128,
      maxWaiting: 20_000,
      retryMs: 1_000,
      ...options,
    };
  }

  /** Registers a table. Tables are written in the order of registration. */
  registerTable<Row extends object>(table: string, columns: Columns<Row>): RowQueue<Row> {
    const queue: Queue = {
      table,
      insert: buildRowInsert(table, columns),
      waiting: [],
      writing: [],
    };
    this.#queues.push(queue);
    return {
      enqueue: (row) => this.#enqueue(queue, row),
      pending: () =>
        (queue.writing.length === 0
          ? queue.waiting
          : [...queue.writing, ...queue.waiting]) as Row[],
    };
  }

  #enqueue(queue: Queue, row: object): void {
    if (this.#count >= this.#options.maxWaiting)
      throw new LimitError("UNAVAILABLE", "The database does not keep up with the writes.", {
        retryAfterMs: this.#options.retryMs,
      });
    queue.waiting.push(row);
    this.#count += 1;
    if (this.#running !== undefined) return;
    if (this.#count >= this.#options.maxRows) void this.flush();
    else this.#scheduleWrite(this.#options.maxDelayMs);
  }

  #scheduleWrite(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, ms).unref();
  }

  /** Settles when all rows enqueued before are committed, or the database was unreachable. */
  flush(): Promise<void> {
    if (this.#running !== undefined) {
      this.#next ??= this.#running.then(() => {
        this.#next = undefined;
        return this.flush();
      });
      return this.#next;
    }
    if (this.#count === 0) return Promise.resolve();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = this.#write().then((reached) => {
      this.#running = undefined;
      if (this.#count > 0)
        this.#scheduleWrite(reached ? this.#options.maxDelayMs : this.#options.retryMs);
    });
    return this.#running;
  }

  /** Returns false when the database was unreachable: the rows wait for the next attempt. */
  async #write(): Promise<boolean> {
    for (const queue of this.#queues) {
      queue.writing = queue.waiting;
      queue.waiting = [];
    }
    const filled = this.#queues.filter((queue) => queue.writing.length > 0);
    try {
      await withSpan("db.group_commit", { "quarry.rows": this.#count }, () =>
        insertTogether(filled).execute(this.#kysely),
      );
    } catch (error) {
      if (isOutOfReach(error)) return this.#putBack(filled);
      if (!(await this.#writeSingly(filled))) return this.#putBack(filled);
    }
    for (const queue of filled) {
      this.#count -= queue.writing.length;
      queue.writing = [];
    }
    return true;
  }

  /**
   * Writes each row in its own statement, so that one rejected row does not fail the others. Rows
   * rejected again are dropped.
   */
  async #writeSingly(filled: readonly Queue[]): Promise<boolean> {
    for (const queue of filled)
      for (const row of queue.writing)
        try {
          await queue.insert([row]).execute(this.#kysely);
        } catch (error) {
          if (isOutOfReach(error)) return false;
          this.#log.error({ error, table: queue.table }, "the database rejected a row; it is lost");
        }
    return true;
  }

  #putBack(filled: readonly Queue[]): false {
    for (const queue of filled) {
      queue.waiting = [...queue.writing, ...queue.waiting];
      queue.writing = [];
    }
    this.#log.warn({ rows: this.#count }, "the database cannot be reached; writes wait");
    return false;
  }

  /**
   * Writes the remaining rows. Rows that cannot be written are lost, and the log has their number.
   */
  async close(): Promise<void> {
    await this.flush();
    await this.#running;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#count > 0) this.#log.error({ rows: this.#count }, "rows lost at shutdown");
  }
}

/**
 * Combines all inserts into one statement, the first ones as common table expressions. It is atomic
 * without a transaction and takes one round trip instead of several. PostgreSQL executes such
 * expressions although nothing reads them.
 */
function insertTogether(filled: readonly Queue[]): RawBuilder<unknown> {
  const inserts = filled.map((queue) => queue.insert(queue.writing));
  const last = inserts.pop();
  if (last === undefined || inserts.length === 0) return last ?? sql`select 1`;
  const before = inserts.map((insert, index) => sql`${sql.ref(`written_${index}`)} as (${insert})`);
  return sql`with ${sql.join(before)} ${last}`;
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof LimitError;
}
