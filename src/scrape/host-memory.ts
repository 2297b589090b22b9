// Remembers hosts that need a browser and hosts where a browser was no better than plain HTTP, so
// that the next page of a site takes the right path at once.
import type { VerdictKind } from "../contract/page/verdict.ts";

export type HostMemory = {
  /** True if a page of this place recently needed a browser. */
  needsBrowser(url: URL): boolean;
  /**
   * True if a browser recently brought no improvement over plain HTTP for this place and verdict.
   */
  isBrowserUseless(url: URL, kind: VerdictKind): boolean;
  noteNeeded(url: URL): void;
  noteUseless(url: URL, kind: VerdictKind): void;
};

const MAX_PLACES = 5_000;
const NEEDED_TTL_MS = 60 * 60_000;
const USELESS_TTL_MS = 10 * 60_000;

/** In memory and bounded; evicts the least recently seen. */
export function createHostMemory(now: () => number = Date.now): HostMemory {
  const ends = new Map<string, number>();
  const isNoted = (fact: string): boolean => (ends.get(fact) ?? 0) > now();
  const remember = (fact: string, lifeMs: number): void => {
    ends.delete(fact);
    ends.set(fact, now() + lifeMs);
    const [oldest] = ends.keys();
    if (ends.size > MAX_PLACES && oldest !== undefined) ends.delete(oldest);
  };
  const buildNeededKey = (url: URL): string => `${toPlace(url)} needed`;
  const buildUselessKey = (url: URL, kind: VerdictKind): string =>
    `${toPlace(url)} useless for ${kind}`;
  return {
    needsBrowser: (url) => isNoted(buildNeededKey(url)),
    isBrowserUseless: (url, kind) => isNoted(buildUselessKey(url, kind)),
    noteNeeded: (url) => remember(buildNeededKey(url), NEEDED_TTL_MS),
    noteUseless(url, kind) {
      ends.delete(buildNeededKey(url));
      remember(buildUselessKey(url, kind), USELESS_TTL_MS);
    },
  };
}

/** Host and first path folder: an application and its manual may share a host. */
function toPlace(url: URL): string {
  const [, folder = "", rest] = url.pathname.split("/", 3);
  return rest === undefined ? url.host : `${url.host}/${folder}`;
}
