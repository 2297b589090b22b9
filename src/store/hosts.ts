// Politeness over all processes. A process asks for a share of a host's slots and uses it by itself for some seconds, so
// the database is asked per host and second, not per page. With the embedded database one process is all there is, and
// everything stays in memory.

export type HostShare = {
  /** Pages of the host this worker may have in flight until `until`; 0 when others have them all. */
  readonly slots: number;
  readonly until: number;
  /** Nobody fetches from the host before this time, milliseconds since the epoch; 0 when it is free. */
  readonly backOffUntil: number;
  /** The least time between two fetches of the host that was found out; 0 when none was. */
  readonly delayMs: number;
};

export type HostStore = {
  /** The worker's share of the host: at most `want`, and never more than `cap` over all workers. Replaces its earlier one. */
  share(ask: {
    readonly host: string;
    readonly worker: string;
    readonly want: number;
    readonly cap: number;
    readonly leaseMs: number;
    readonly now?: number;
  }): Promise<HostShare>;
  /** Reserves `count` starts `delayMs` apart; when the first may start. */
  takeTurns(ask: {
    readonly host: string;
    readonly count: number;
    readonly delayMs: number;
    readonly now?: number;
  }): Promise<number>;
  /** The host asked for a rest: a later time or longer delay wins. `delayMs` 0 ends a delay. */
  backOff(
    host: string,
    rest: { readonly until?: number; readonly delayMs?: number },
  ): Promise<void>;
  /** Gives back all shares of a worker. */
  release(worker: string): Promise<void>;
};
