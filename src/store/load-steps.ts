// How long samples of the load are kept, without the database, which the API does not load at its
// start.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Lengths of the stored periods, each with the time for which its samples are kept. */
export const LOAD_STEPS = {
  short: { stepMs: MINUTE_MS, keptMs: DAY_MS },
  long: { stepMs: 15 * MINUTE_MS, keptMs: 30 * DAY_MS },
} as const;
