// Detects endless sites: calendars, session ids, combined filters, circular links. URLs alone do
// not distinguish them from large sites, so the detector compares content. It holds back URLs that
// pages of a group (url-groups.ts) generated, once nearly all of them repeat other pages of the
// group. Pages linked from elsewhere are always let through. Its state is bounded and kept in this
// process; the chain length is stored with the page.
import { hash } from "node:crypto";
import { readWords } from "./page-words.ts";
import { stripSessionIds } from "./session-ids.ts";
import { UrlGroups, type UrlGroup } from "./url-groups.ts";

export type SpiderTrapLimits = {
  readonly urlCharacters: number;
  readonly pathSegments: number;
  /** Maximum occurrences of one segment in a path. */
  readonly sameSegment: number;
  /** Maximum chain: pages of one group, each found on the one before. */
  readonly chain: number;
  /** The same for groups that count days or months. */
  readonly dateChain: number;
  /** Number of recent pages of a group that are judged; in a trap, most of them repeat others. */
  readonly recent: number;
  readonly barren: number;
  /**
   * Number of URLs that two groups found of each other before they count as one group without new
   * text.
   */
  readonly turns: number;
  /**
   * Pages without a new word that filters may have, by the number of parameters. More parameters
   * count as the last.
   */
  readonly dry: readonly number[];
};

export const TRAP_LIMITS: SpiderTrapLimits = {
  urlCharacters: 4_096,
  pathSegments: 40,
  sameSegment: 5,
  chain: 10_000,
  dateChain: 4_000,
  recent: 40,
  barren: 36,
  turns: 5,
  dry: [Infinity, 3_000, 250],
};

/** Maximum remembered URLs with session ids; then the memory is cleared. */
const MAX_SESSIONS = 50_000;
const MAX_GROUPS = 2_000;
/** Maximum fingerprints and words of all groups. */
const MAX_REMEMBERED = 300_000;
/** Maximum groups named in warnings. */
const MAX_WARNED_GROUPS = 3;
/** Pages skipped per examined page of a group that keeps bringing new pages. */
const MAX_SKIPPED_PAGES = 7;

export type Link = {
  readonly url: URL;
  /** The page the link was found on. */
  readonly parent: URL;
  /** Chain of the parent. */
  readonly parentChain: number;
};

export type SpiderTrapVerdict = {
  /** Consecutive pages of this group that led here. */
  readonly chain: number;
  /** Reason why it is not followed; undefined if it is. */
  readonly reason: string | undefined;
};

type Evidence = {
  readonly group: UrlGroup;
  readonly fingerprints: Set<number>;
  readonly words: Set<number>;
  /** The last examined pages. barren: repeated others. dry: had no new word. */
  readonly recent: { readonly barren: boolean; readonly dry: boolean }[];
  /** Pages without a new word. */
  dry: number;
  skippedPages: number;
};

/** The spider-trap detector of one crawl. */
export class SpiderTrapDetector {
  readonly #limits: SpiderTrapLimits;
  readonly #groups = new UrlGroups();
  readonly #evidence = new Map<string, Evidence>();
  readonly #sessions = new Map<string, string>();
  /** Number of URLs that pages of one family found of another. */
  readonly #ways = new Map<string, number>();
  /** Blocked groups, and those not yet reported. */
  readonly #held = new Set<string>();
  #untold: string[] = [];
  #remembered = 0;
  #parent = { href: "", family: "", isBarren: false };

  constructor(limits: SpiderTrapLimits = TRAP_LIMITS) {
    this.#limits = limits;
  }

  /** Judges and counts a link that is new to the crawl. */
  judge({ url, parent, parentChain }: Link): SpiderTrapVerdict {
    const refused = this.#findForm(url) ?? this.#findSessionId(url);
    if (refused !== undefined) return { chain: 0, reason: refused };
    const group = this.#groups.find(url);
    // The links of a page come consecutively.
    if (this.#parent.href !== parent.href) {
      const { family, name } = this.#groups.find(parent);
      const isBarren = this.#countBarrenPages(name) >= this.#limits.barren;
      this.#parent = { href: parent.href, family, isBarren };
    }
    const isWithin = group.family === this.#parent.family || this.#takesTurns(group.family);
    const chain = isWithin ? parentChain + 1 : 0;
    return { chain, reason: this.#judgeGroup(group, chain) };
  }

  /** Returns groups blocked since the last call; at most the first few of a crawl. */
  drain(): readonly string[] {
    const held = this.#untold;
    if (held.length > 0) this.#untold = [];
    return held;
  }

  #judgeGroup(group: UrlGroup, chain: number): string | undefined {
    const reason = this.#checkChain(group, chain) ?? this.#checkBarren(group, chain);
    if (
      reason !== undefined &&
      this.#held.size < MAX_WARNED_GROUPS &&
      !this.#held.has(group.name)
    ) {
      this.#held.add(group.name);
      this.#untold.push(group.name);
    }
    return reason;
  }

  /**
   * Calendars with several views link to each other: links between two such families do not count
   * as links from elsewhere.
   */
  #takesTurns(family: string): boolean {
    const way = `${this.#parent.family} ${family}`;
    const ways = this.#ways.get(way) ?? 0;
    if (ways > 0 || this.#ways.size < MAX_GROUPS) this.#ways.set(way, ways + 1);
    const back = this.#ways.get(`${family} ${this.#parent.family}`) ?? 0;
    return this.#parent.isBarren && back >= this.#limits.turns;
  }

  /** Judges a waiting page again that was let through when it was found. */
  check(url: URL, chain: number): string | undefined {
    if (chain === 0 || this.#evidence.size === 0) return undefined;
    return this.#judgeGroup(this.#groups.find(url), chain);
  }

  /**
   * Learns from a fetched page. `chain` is as judged: only pages that a group generated itself are
   * examined.
   */
  learn(url: URL, chain: number, body: Uint8Array): void {
    if (chain === 0) return;
    const group = this.#groups.find(url);
    const evidence = this.#evidence.get(group.name) ?? this.#begin(group);
    if (evidence === undefined || this.#mayPassOver(evidence)) return;
    const { fingerprint, words } = readWords(body, group.isNumeric);
    const barren = evidence.fingerprints.has(fingerprint);
    this.#remember(evidence.fingerprints, [fingerprint]);
    const before = evidence.words.size;
    if (group.isDate || group.parameters > 1) this.#remember(evidence.words, words);
    // When the memory is full nothing counts as known.
    const dry = evidence.words.size === before && this.#remembered < MAX_REMEMBERED;
    if (dry) evidence.dry += 1;
    evidence.recent.push({ barren: barren || (group.isDate && dry), dry });
    if (evidence.recent.length > this.#limits.recent) evidence.recent.shift();
  }

  #begin(group: UrlGroup): Evidence | undefined {
    if (this.#evidence.size >= MAX_GROUPS) return undefined;
    const evidence: Evidence = {
      group,
      fingerprints: new Set(),
      words: new Set(),
      recent: [],
      dry: 0,
      skippedPages: 0,
    };
    this.#evidence.set(group.name, evidence);
    return evidence;
  }

  #mayPassOver(evidence: Evidence): boolean {
    const { recent } = evidence;
    if (recent.length < this.#limits.recent) return false;
    const barren = recent.filter((page) => page.barren || page.dry).length;
    if (barren > recent.length / 4 || evidence.skippedPages >= MAX_SKIPPED_PAGES) {
      evidence.skippedPages = 0;
      return false;
    }
    evidence.skippedPages += 1;
    return true;
  }

  #remember(place: Set<number>, values: Iterable<number>): void {
    if (this.#remembered >= MAX_REMEMBERED) return;
    const before = place.size;
    for (const value of values) place.add(value);
    this.#remembered += place.size - before;
  }

  #findForm(url: URL): string | undefined {
    const { urlCharacters, pathSegments, sameSegment } = this.#limits;
    if (url.href.length > urlCharacters)
      return `the URL is longer than ${urlCharacters} characters`;
    const segments = url.pathname.split("/").filter((segment) => segment !== "");
    if (segments.length > pathSegments) return `the path has more than ${pathSegments} parts`;
    if (segments.length <= sameSegment) return undefined;
    const counts = new Map<string, number>();
    for (const segment of segments) {
      const count = (counts.get(segment) ?? 0) + 1;
      if (count > sameSegment) return `"${segment}" is in the path more than ${sameSegment} times`;
      counts.set(segment, count);
    }
    return undefined;
  }

  /** Lets through one of the URLs that differ by session id only. */
  #findSessionId(url: URL): string | undefined {
    const bare = stripSessionIds(url);
    if (bare === undefined) return undefined;
    const key = hash("sha1", bare.url, "base64");
    const first = this.#sessions.get(key);
    const mark = hash("sha1", url.href, "base64");
    if (first !== undefined)
      return first === mark
        ? undefined
        : `differs from a URL that was found before by ${bare.name} only`;
    if (this.#sessions.size >= MAX_SESSIONS) this.#sessions.clear();
    this.#sessions.set(key, mark);
    return undefined;
  }

  #checkChain({ isDate, name }: UrlGroup, chain: number): string | undefined {
    const max = isDate ? this.#limits.dateChain : this.#limits.chain;
    if (chain < max) return undefined;
    return `${max} pages of ${name} in a row lead from one to the next`;
  }

  /** Number of recent pages of a group that repeated others; 0 before there are enough to judge. */
  #countBarrenPages(name: string): number {
    const { recent = [] } = this.#evidence.get(name) ?? {};
    return recent.length < this.#limits.recent ? 0 : recent.filter((page) => page.barren).length;
  }

  #checkBarren({ name, parameters }: UrlGroup, chain: number): string | undefined {
    if (chain === 0) return undefined;
    const { recent: max, barren: mostBarren, dry } = this.#limits;
    const evidence = this.#evidence.get(name);
    if (evidence === undefined || evidence.recent.length < max) return undefined;
    const barren = this.#countBarrenPages(name);
    if (barren >= mostBarren)
      return `${barren} of the last ${max} pages of ${name} brought nothing new`;
    const mostDry = dry[Math.min(parameters, dry.length) - 1] ?? Infinity;
    if (evidence.dry < mostDry) return undefined;
    if (evidence.recent.filter((page) => page.dry).length < mostBarren) return undefined;
    return `${evidence.dry} pages of ${name} had no new word`;
  }
}
