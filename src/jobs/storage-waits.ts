// Jobs of this process that wait because the service's own storage fails, and what their callers are told of it. Kept in
// memory: while the database cannot be written, a warning cannot be stored there.
import type { StorageError } from "../errors.ts";

type Wait = { readonly storage: StorageError["storage"]; readonly since: number; until: number };

/** A wait that is not reported again within this time is over: another process may have taken the job. */
const LIFE_MS = 90_000;

export class StorageWaits {
  readonly #waits = new Map<string, Wait>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Reports that the job waits; the time of the first fault is kept until `end`. */
  begin(jobId: string, { storage }: StorageError): void {
    const now = this.#now();
    const { since } = this.#find(jobId) ?? { since: now };
    this.#waits.set(jobId, { storage, since, until: now + LIFE_MS });
  }

  /** The jobs that wait go on waiting. */
  extend(): void {
    for (const jobId of this.#waits.keys()) {
      const wait = this.#find(jobId);
      if (wait !== undefined) wait.until = this.#now() + LIFE_MS;
    }
  }

  /** The job continues, or has ended. */
  end(jobId: string): void {
    this.#waits.delete(jobId);
  }

  /** `warning` of the job, followed by what it waits for. */
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
