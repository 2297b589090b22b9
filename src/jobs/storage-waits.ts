// Jobs of this process that wait because the service's own storage fails, and the warning for their
// callers. Kept in memory, because a failing database cannot store it.
import type { StorageError } from "../errors.ts";

type Wait = { readonly storage: StorageError["storage"]; readonly since: number; until: number };

/** A wait not reported again within this time has ended: another process may have taken the job. */
const TTL_MS = 90_000;

export class StorageWaits {
  readonly #waits = new Map<string, Wait>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Reports that the job waits; keeps the time of the first failure until `end`. */
  begin(jobId: string, { storage }: StorageError): void {
    const now = this.#now();
    const { since } = this.#find(jobId) ?? { since: now };
    this.#waits.set(jobId, { storage, since, until: now + TTL_MS });
  }

  /** The waiting jobs continue to wait. */
  extend(): void {
    for (const jobId of this.#waits.keys()) {
      const wait = this.#find(jobId);
      if (wait !== undefined) wait.until = this.#now() + TTL_MS;
    }
  }

  /** The job continues or has ended. */
  end(jobId: string): void {
    this.#waits.delete(jobId);
  }

  /** Returns the `warning` of the job with the failing storage. */
  addWarning(jobId: string, warning: string | undefined): string | undefined {
    const wait = this.#find(jobId);
    if (wait === undefined) return warning;
    const text = `The job waits because the ${wait.storage} has failed since ${new Date(wait.since).toISOString()}; it continues once it works again.`;
    return warning === undefined ? text : `${warning} ${text}`;
  }

  #find(jobId: string): Wait | undefined {
    const wait = this.#waits.get(jobId);
    if (wait === undefined || wait.until > this.#now()) return wait;
    this.#waits.delete(jobId);
    return undefined;
  }
}
