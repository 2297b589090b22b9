// Stops claiming pages while the service's own storage fails. Otherwise pages are fetched
// repeatedly and nothing can be stored.
import type { StorageError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";

export type StorageGateParts = {
  /** Resolves when database and blob store can be written, rejects otherwise. */
  readonly check: () => Promise<void>;
  /** Adds a warning to a job. */
  readonly warn: (jobId: string, warning: string) => Promise<void>;
  readonly log: Logger;
  readonly now: () => number;
  readonly minRetryMs?: number;
};

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 10_000;

export class StorageGate {
  readonly #parts: StorageGateParts;
  readonly #warned = new Set<string>();
  #fault: { readonly error: StorageError; readonly since: number } | undefined;
  #retryMs = 0;
  #retryAt = 0;
  #probe: Promise<boolean> | undefined;

  constructor(parts: StorageGateParts) {
    this.#parts = parts;
  }

  /** Warning for users: the failing storage and since when; undefined while storage works. */
  get warning(): string | undefined {
    if (this.#fault === undefined) return undefined;
    const { error, since } = this.#fault;
    return `Pages wait because the ${error.storage} has failed since ${new Date(since).toISOString()}; they continue once it works again.`;
  }

  /** Closes the gate. The job's warning is stored as soon as the database works. */
  async report(error: StorageError, jobId: string): Promise<void> {
    const { log, now } = this.#parts;
    if (this.#fault === undefined) {
      log.error({ err: error, storage: error.storage }, "storage failed; pages wait");
      this.#fault = { error, since: now() };
      this.#retryMs = this.#parts.minRetryMs ?? MIN_RETRY_MS;
      this.#retryAt = now() + this.#retryMs;
    }
    await this.#warn(jobId);
  }

  /** True when pages may be claimed. While storage fails it is checked with an increasing delay. */
  async isOpen(): Promise<boolean> {
    if (this.#fault === undefined) return true;
    if (this.#parts.now() < this.#retryAt) return false;
    return await (this.#probe ??= this.#try().finally(() => {
      this.#probe = undefined;
    }));
  }

  async #try(): Promise<boolean> {
    const { check, log, now } = this.#parts;
    try {
      await check();
    } catch (error) {
      log.debug({ err: error }, "storage still fails");
      this.#retryMs = Math.min(MAX_RETRY_MS, this.#retryMs * 2);
      this.#retryAt = now() + this.#retryMs;
      return false;
    }
    log.info({ seconds: (now() - (this.#fault?.since ?? now())) / 1_000 }, "storage works again");
    this.#fault = undefined;
    this.#warned.clear();
    return true;
  }

  async #warn(jobId: string): Promise<void> {
    const text = this.warning;
    if (text === undefined || this.#warned.has(jobId)) return;
    this.#warned.add(jobId);
    try {
      await this.#parts.warn(jobId, text);
    } catch (error) {
      this.#warned.delete(jobId);
      this.#parts.log.debug({ err: error, jobId }, "failed to save a job warning");
    }
  }
}
