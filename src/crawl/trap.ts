// Sites that never end: calendars, session ids, filters that combine, paths that repeat themselves. A brake that lets real
// sites through and says in the ledger what it held back. Pure; what it counts lives with the crawl in this process, and the
// length of a chain travels with the page.

export type TrapLimits = {
  readonly urlCharacters: number;
  readonly pathSegments: number;
  /** How often one segment may be in a path. */
  readonly sameSegment: number;
  /** Pages of one shape each of which was found on the one before. */
  readonly chain: number;
  /** The same for shapes that count days or months. */
  readonly dateChain: number;
  /** The same along rel=next, which a person put there. */
  readonly nextChain: number;
  /** Query strings with the same parameters on one path, by the number of parameters; more of them count as the last. */
  readonly queries: readonly number[];
};

export const TRAP_LIMITS: TrapLimits = {
  urlCharacters: 4_096,
  pathSegments: 40,
  sameSegment: 5,
  chain: 250,
  dateChain: 60,
  nextChain: 5_000,
  queries: [10_000, 2_000, 500],
};

/** Paths whose queries are counted one by one; further ones are not braked. */
const MOST_COUNTED = 20_000;

const DATE_PATH = /\/(?:19|20)\d\d[/-]\d{1,2}(?:[/-]\d{1,2})?(?:\/|$)/;
const DATE_KEY = /(?:^|[?&])(?:date|day|month|mon|week|year|cal|from|start)=[\d-]+/i;

export type Link = {
  readonly url: URL;
  /** The page it was found on. */
  readonly parent: URL;
  /** Chain of the parent. */
  readonly parentChain: number;
  /** Found as rel=next. */
  readonly isNext: boolean;
};

export type TrapVerdict = {
  /** Pages of this shape in a row that led here. */
  readonly chain: number;
  /** Why it is not followed; undefined when it is. */
  readonly reason: string | undefined;
};

/** A URL with its numbers taken out: what is alike but for them has one shape. */
export function shapeOf(url: URL): string {
  return `${url.host}${url.pathname}${url.search}`.replaceAll(/\d+/g, "#");
}

/** The brake of one crawl. */
export class TrapBrake {
  readonly #limits: TrapLimits;
  readonly #queries = new Map<string, number>();

  constructor(limits: TrapLimits = TRAP_LIMITS) {
    this.#limits = limits;
  }

  /** Judges a link that the crawl has not seen before; counts it. */
  judge(link: Link): TrapVerdict {
    const chain = shapeOf(link.url) === shapeOf(link.parent) ? link.parentChain + 1 : 0;
    return {
      chain,
      reason: this.#form(link.url) ?? this.#chain(link, chain) ?? this.#query(link.url),
    };
  }

  #form(url: URL): string | undefined {
    const { urlCharacters, pathSegments, sameSegment } = this.#limits;
    if (url.href.length > urlCharacters)
      return `the URL is longer than ${urlCharacters} characters`;
    const segments = url.pathname.split("/").filter((segment) => segment !== "");
    if (segments.length > pathSegments) return `the path has more than ${pathSegments} parts`;
    const counts = new Map<string, number>();
    for (const segment of segments) {
      const count = (counts.get(segment) ?? 0) + 1;
      if (count > sameSegment) return `"${segment}" is in the path more than ${sameSegment} times`;
      counts.set(segment, count);
    }
    return undefined;
  }

  #chain({ url, isNext }: Link, chain: number): string | undefined {
    const limits = this.#limits;
    const isDate = DATE_PATH.test(url.pathname) || DATE_KEY.test(url.search);
    const most = isNext ? limits.nextChain : isDate ? limits.dateChain : limits.chain;
    if (chain < most) return undefined;
    return `${most} pages in a row lead from one to the next with nothing but a number changed`;
  }

  #query(url: URL): string | undefined {
    if (url.search.length < 2) return undefined;
    const names = [...new Set(url.searchParams.keys())].toSorted();
    const key = `${url.host}${url.pathname}?${names.join("&")}`;
    const count = (this.#queries.get(key) ?? 0) + 1;
    if (count > 1 || this.#queries.size < MOST_COUNTED) this.#queries.set(key, count);
    const { queries } = this.#limits;
    const most = queries[Math.min(names.length, queries.length) - 1] ?? Infinity;
    if (count <= most) return undefined;
    return `more than ${most} query strings with ${names.join(", ")} on ${url.pathname}`;
  }
}
