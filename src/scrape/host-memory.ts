// What was found out about hosts: whose pages need a browser, and where a browser was of no more use than plain HTTP. So
// the second page of a site goes the right way at once.

export type HostMemory = {
  /** What is known for the URL; undefined when nothing is, or not lately. */
  recall(url: URL): "needed" | "useless" | undefined;
  note(url: URL, found: "needed" | "useless"): void;
};

const MOST_PLACES = 5_000;
const LIFE_MS = { needed: 60 * 60_000, useless: 10 * 60_000 };

/** In memory, bounded: the places seen longest ago go first. */
export function createHostMemory(now: () => number = Date.now): HostMemory {
  const places = new Map<string, { found: "needed" | "useless"; until: number }>();
  return {
    recall(url) {
      const known = places.get(placeOf(url));
      return known !== undefined && known.until > now() ? known.found : undefined;
    },
    note(url, found) {
      const place = placeOf(url);
      places.delete(place);
      places.set(place, { found, until: now() + LIFE_MS[found] });
      const [oldest] = places.keys();
      if (places.size > MOST_PLACES && oldest !== undefined) places.delete(oldest);
    },
  };
}

/** Host and first folder of the path: an application and its manual may live side by side on one host. */
function placeOf(url: URL): string {
  const [, folder = "", rest] = url.pathname.split("/", 3);
  return rest === undefined ? url.host : `${url.host}/${folder}`;
}
