// Rows whose writer need not wait are gathered and committed together: at most 200 ms or 128 rows later, in one
// statement over all tables. Until then readers find them in memory through `pending`. What a crash can lose is
// what was enqueued in the last moments; whoever must not lose a row awaits `flush`.
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Logger } from "../../log.ts";
import { LimitError } from "../../errors.ts";
import { rowInsert, type ColumnKind } from "./json-rows.ts";
import type { Tables } from "./schema.ts";

type Columns<Row> = { readonly [Name in keyof Row & string]: ColumnKind };

export type RowQueue<Row extends object> = {
  enqueue(row: Row): void;
  /** Rows not yet committed, oldest first. */
  pending(): readonly Row[];
};

type Queue = {
  readonly table: string;
  readonly insert: ReturnType<typeof rowInsert>;
  waiting: object[];
  writing: object[];
};

export type GroupWriterOptions = {
  readonly maxDelayMs?: number;
  readonly maxRows?: number;
  /** Rows kept while the database cannot be reached; further ones are refused. */
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

  /** Registers a table; in one commit the tables are written in the order they were registered. */
  table<Row extends object>(table: string, columns: Columns<Row>): RowQueue<Row> {
    const queue: Queue = { table, insert: rowInsert(table, columns), waiting: [], writing: [] };
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
    else this.#later(this.#options.maxDelayMs);
  }

  #later(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, ms).unref();
  }

  /** Settles when everything enqueued before this call is committed, or the database was found out of reach. */
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
      if (this.#count > 0) this.#later(reached ? this.#options.maxDelayMs : this.#options.retryMs);
    });
    return this.#running;
  }

  /** False when the database could not be reached: the rows wait for the next try. */
  async #write(): Promise<boolean> {
    for (const queue of this.#queues) {
      queue.writing = queue.waiting;
      queue.waiting = [];
    }
    const filled = this.#queues.filter((queue) => queue.writing.length > 0);
    try {
      await insertTogether(filled).execute(this.#kysely);
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

  /** One bad row must not take the others with it: each gets its own statement, and those refused again are dropped. */
  async #writeSingly(filled: readonly Queue[]): Promise<boolean> {
    for (const queue of filled)
      for (const row of queue.writing)
        try {
          await queue.insert([row]).execute(this.#kysely);
        } catch (error) {
          if (isOutOfReach(error)) return false;
          this.#log.error({ error, table: queue.table }, "a row was refused and is lost");
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

  /** Writes what is left. Rows that cannot be written now are lost, and the log says how many. */
  async close(): Promise<void> {
    await this.flush();
    await this.#running;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#count > 0) this.#log.error({ rows: this.#count }, "rows lost at shutdown");
  }
}

/**
 * All inserts as one statement, the first ones as common table expressions: atomic without a transaction around it, and one
 * round trip instead of one for each table and two more. (PostgreSQL runs such expressions although nobody reads them.)
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
