// Makes checkpoints of the embedded database, which runs without PostgreSQL's background processes.
// Otherwise its write-ahead log would grow until the next clean stop, and a start after a crash
// would replay all of it.
import type { Logger } from "../../logger.ts";

/** Write-ahead log size that triggers a checkpoint, which takes about 20 ms. */
const MAX_WAL_BYTES = 16 * 1024 * 1024;
/** Maximum age of changes without a checkpoint, like PostgreSQL's `checkpoint_timeout`. */
const MAX_AGE_MS = 5 * 60 * 1000;
/** Statements between two checks of the log size. */
const STATEMENTS_PER_CHECK = 50;

/** Runs a statement on the embedded database outside of transactions. */
type Run = (text: string) => Promise<{ readonly rows: readonly unknown[] }>;

/** Makes checkpoints by size and by age. The creator closes it. */
export class Checkpointer {
  readonly #run: Run;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #statements = 0;
  /** Log position after the last checkpoint; undefined before the first. */
  #position: number | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(run: Run, log: Logger, maxAgeMs = MAX_AGE_MS) {
    this.#run = run;
    this.#log = log;
    this.#timer = setInterval(() => this.#start(0), maxAgeMs).unref();
  }

  /** Call after each statement. */
  count(): void {
    this.#statements += 1;
    if (this.#statements < STATEMENTS_PER_CHECK) return;
    this.look();
  }

  /** Call after a large write. */
  look(): void {
    this.#statements = 0;
    this.#start(MAX_WAL_BYTES);
  }

  /** Settles when no checkpoint is running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #start(minBytes: number): void {
    if (this.#isClosed) return;
    this.#running ??= this.#runCheckpoint(minBytes).finally(() => {
      this.#running = undefined;
    });
  }

  async #runCheckpoint(minBytes: number): Promise<void> {
    try {
      const position = await this.#readPosition();
      // The log of an earlier process is unknown, so the first check makes a checkpoint.
      if (this.#position !== undefined && position - this.#position <= minBytes) return;
      await this.#run("checkpoint");
      this.#position = await this.#readPosition();
    } catch (error) {
      if (!this.#isClosed) this.#log.warn({ err: error }, "checkpoint failed; retrying later");
    }
  }

  async #readPosition(): Promise<number> {
    const { rows } = await this.#run(
      "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as position",
    );
    const [row] = rows as readonly { readonly position: number }[];
    return row?.position ?? 0;
  }
}
