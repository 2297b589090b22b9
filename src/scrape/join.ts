// Concurrent requests for the same thing share one fetch. The fetch lives as long as anyone waits for it.
import { Deadline } from "../deadline.ts";

type Flight<T> = {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
};

export class Joiner<T> {
  readonly #flights = new Map<string, Flight<T>>();
  readonly #longestMs: number;

  /** `longestMs` bounds a shared fetch, whatever the callers' own deadlines are. */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** Runs `work`, or waits for the run that another caller with the same key began and that has not ended. */
  async join(key: string, deadline: Deadline, work: (shared: Deadline) => Promise<T>): Promise<T> {
    const flight = this.#flights.get(key) ?? this.#start(key, work);
    flight.waiting += 1;
    try {
      return await deadline.race(flight.result);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
        flight.controller.abort();
      }
    }
  }

  #start(key: string, work: (shared: Deadline) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const run = async (): Promise<T> => {
      using shared = Deadline.start(this.#longestMs, controller.signal);
      return await work(shared);
    };
    const flight: Flight<T> = { result: run(), controller, waiting: 0 };
    this.#flights.set(key, flight);
    // A caller whose deadline passed no longer listens; the failure is not lost on anyone who does.
    flight.result.then(
      () => this.#forget(key, flight),
      () => this.#forget(key, flight),
    );
    return flight;
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
