// The embedded database runs without PostgreSQL's autovacuum. Without it tables fill with dead
// rows, and the planner lacks statistics: a claim from a long queue may then read the whole queue.
import type { Logger } from "../../logger.ts";

/** Number of statements between two checks of the tables. */
const STATEMENTS_PER_CHECK = 200;
/**
 * A vacuum of this many new or changed rows takes about 20 ms; the first one of a table takes as
 * long as all its rows.
 */
const MIN_ROWS = 20_000;
/** Dead rows are removed from every index, which takes time linear in the rows of the table. */
const DEAD_SHARE = 0.1;

/** Runs a statement on the embedded database, outside any transaction. */
type Run = (text: string) => Promise<{ readonly rows: readonly unknown[] }>;

/** Vacuums tables as they change. The creator closes it. */
export class Vacuumer {
  readonly #run: Run;
  readonly #log: Logger;
  readonly #onVacuumed: () => void;
  #statements = 0;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(run: Run, log: Logger, onVacuumed: () => void) {
    this.#run = run;
    this.#log = log;
    this.#onVacuumed = onVacuumed;
  }

  /** Call after each statement. */
  count(): void {
    this.#statements += 1;
    if (this.#statements < STATEMENTS_PER_CHECK || this.#isClosed) return;
    this.#statements = 0;
    this.#running ??= this.#checkTables().finally(() => {
      this.#running = undefined;
    });
  }

  /** Settles when no vacuum is running any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  /** Vacuums the table that needs it most. */
  async #checkTables(): Promise<void> {
    try {
      const { rows } = await this.#run(
        `select quote_ident(relname) as name from pg_stat_user_tables where schemaname = 'public'
          and (n_ins_since_vacuum >= ${MIN_ROWS} or n_dead_tup >= greatest(${MIN_ROWS}, n_live_tup * ${DEAD_SHARE}))
          order by n_ins_since_vacuum + n_dead_tup desc limit 1`,
      );
      const [table] = rows as readonly { readonly name: string }[];
      if (table === undefined || this.#isClosed) return;
      const from = performance.now();
      await this.#run(`vacuum (analyze) ${table.name}`);
      const ms = Math.round(performance.now() - from);
      this.#onVacuumed();
      this.#log.debug({ table: table.name, ms }, "vacuumed");
    } catch (error) {
      if (!this.#isClosed) this.#log.warn({ err: error }, "vacuum failed; retrying later");
    }
  }
}
