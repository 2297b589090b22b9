// Joins concurrent equal requests into one fetch, which lives as long as a caller waits for it.
import { Deadline } from "../deadline.ts";

type Flight<T> = {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  /** Callers that wait. */
  waiting: number;
  isOver: boolean;
};

export class Joiner<T> {
  readonly #flights = new Map<string, Flight<T>>();
  readonly #longestMs: number;

  /** `longestMs` limits a shared fetch, independent of the callers' deadlines. */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /**
   * Runs `work`, or waits for a running call with the same key.
   */
  async join(key: string, deadline: Deadline, work: (shared: Deadline) => Promise<T>): Promise<T> {
    const flight = this.#flights.get(key) ?? this.#start(key, work);
    flight.waiting += 1;
    try {
      return await deadline.race(flight.result);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
        // An abort creates an error with a stack trace, so it is skipped when nothing is left to
        // abort.
        if (!flight.isOver) flight.controller.abort();
      }
    }
  }

  #start(key: string, work: (shared: Deadline) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const run = async (): Promise<T> => {
      using shared = Deadline.start(this.#longestMs, controller.signal);
      return await work(shared);
    };
    const flight: Flight<T> = { result: run(), controller, waiting: 0, isOver: false };
    this.#flights.set(key, flight);
    // A caller whose deadline passed no longer listens; other callers still see the failure.
    flight.result.then(
      () => this.#end(key, flight),
      () => this.#end(key, flight),
    );
    return flight;
  }

  #end(key: string, flight: Flight<T>): void {
    flight.isOver = true;
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
