/** How long a session counts as alive after its process was last heard of, milliseconds. */
export const ALIVE_MS = 30_000;
