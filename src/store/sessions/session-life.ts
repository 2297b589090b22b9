/** Time that a session counts as alive after its process was last seen, milliseconds. */
export const ALIVE_MS = 30_000;
