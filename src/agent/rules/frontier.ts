// Orders the pages a walk could read next by BM25 of the terms over anchor, URL and title of the
// linking page, and by what pages with the same URL pattern have brought.
import { scoreTexts, WeightedWords } from "../../ranking/bm25.ts";
import { toUrlWords, toWords } from "../../ranking/words.ts";
import { toUrlIdentity } from "../pages/run-scope.ts";
import type { RowReference } from "../answer/rows.ts";
import { shareStem } from "../answer/terms.ts";

export type Lead = {
  readonly url: string;
  readonly text: string;
  /** Links followed from a given URL, which has 0. */
  readonly depth: number;
  /**
   * given: by the caller. found: by a search. next: next page of a list with rows. page: next page
   * of a page without rows. row: page of a known row. link: any other.
   */
  readonly role: "given" | "found" | "next" | "page" | "row" | "link";
  /** The linking page. */
  readonly from?: string;
  /** The link is in the main content of its page. */
  readonly isMain: boolean;
  /** Title of the linking page. */
  readonly context: string;
  /** The rows the page belongs to. */
  readonly rows?: readonly RowReference[];
  /** Its URL is below that of the linking page. */
  readonly isBelow: boolean;
};

const WEIGHTS = { anchor: 3, path: 2, context: 0.5 } as const;
const ROLE = { given: 1_000, found: 1_000, next: 6, page: 2, row: 5, link: 0 } as const;
const MAIN_LINK_WEIGHT = 1;
const BELOW_START_BONUS = 0.6;
const DEPTH_PENALTY = 0.35;
const GAIN_WEIGHT = 4;
const BARREN_PENALTY = 3;
/** Share of a page's gain that counts for the page that linked it. */
const LINKER_GAIN_SHARE = 0.5;
const MAX_LEADS = 5_000;
/** Pages about the site itself, or that change something. */
const ASIDE =
  /\b(?:log-?in|log-?out|sign-?in|sign-?up|sign-?out|register|password|cart|basket|checkout|privacy|terms|cookies?|imprint|impressum|datenschutz|share|print|mailto|rss|feed|subscribe|unsubscribe|delete|remove)\b/i;
const SIDE_LINK_COST = 4;

type CountedLead = {
  readonly lead: Lead;
  readonly words: WeightedWords;
  readonly form: string;
};

export class WalkFrontier {
  readonly #terms: readonly string[];
  readonly #waiting = new Map<string, CountedLead>();
  readonly #seen = new Set<string>();
  /** Pages read per URL pattern, and their total gain. */
  readonly #forms = new Map<string, { pages: number; gain: number }>();

  constructor(terms: readonly string[]) {
    this.#terms = terms;
  }

  /**
   * Returns false for a known page or a full frontier. The page of a row replaces a plain link to
   * it.
   */
  add(lead: Lead): boolean {
    const identity = toPageIdentity(lead.url);
    if (this.#seen.has(identity)) return false;
    const waiting = this.#waiting.get(identity);
    if (waiting !== undefined) {
      if (ROLE[lead.role] > ROLE[waiting.lead.role] || lead.rows !== undefined)
        this.#waiting.set(identity, this.#count(joinLeads(waiting.lead, lead)));
      return false;
    }
    if (this.#waiting.size >= MAX_LEADS) return false;
    this.#waiting.set(identity, this.#count(lead));
    return true;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Records the gain of a page: rows or values that were new. The pages that led to it share in it:
   * a list is not barren because its rows are on their own pages.
   */
  learn(url: string, gain: number, from?: string): void {
    this.#seen.add(toPageIdentity(url));
    this.#record(url, gain);
    const parent = from === undefined || gain <= 0 ? undefined : this.#forms.get(toUrlForm(from));
    if (parent !== undefined) parent.gain += gain * LINKER_GAIN_SHARE;
  }

  #record(url: string, gain: number): void {
    const form = toUrlForm(url);
    const known = this.#forms.get(form) ?? { pages: 0, gain: 0 };
    this.#forms.set(form, { pages: known.pages + 1, gain: known.gain + gain });
  }

  /** Removes and returns the best leads: at most `max`, none scored below `min`. */
  take(max: number, min: number): Lead[] {
    const scored = this.#score();
    const best = scored
      .filter(({ score }) => score >= min)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, max);
    for (const { identity } of best) {
      this.#waiting.delete(identity);
      this.#seen.add(identity);
    }
    return best.map(({ lead }) => lead);
  }

  #count(lead: Lead): CountedLead {
    const words = new WeightedWords();
    words.add(toWords(lead.text), WEIGHTS.anchor);
    words.add(toUrlWords(lead.url), WEIGHTS.path);
    words.add(toWords(lead.context), WEIGHTS.context);
    return { lead, words, form: toUrlForm(lead.url) };
  }

  #score(): { readonly identity: string; readonly lead: Lead; readonly score: number }[] {
    const all = [...this.#waiting];
    const scores = scoreTexts(
      all.map(([, { words }]) => words.length),
      this.#terms.map((term) => all.map(([, { words }]) => getAmount(words.counts, term))),
    );
    return all.map(([identity, { lead, form }], index) => ({
      identity,
      lead,
      score: (scores[index] ?? 0) + this.#computePrior(lead, form),
    }));
  }

  #computePrior(lead: Lead, form: string): number {
    const known = this.#forms.get(form);
    const gain = known === undefined ? 0 : Math.min(1, known.gain / known.pages);
    const isBarren = known !== undefined && known.gain === 0 && known.pages >= BARREN_PENALTY;
    const isAside = lead.depth > 0 && ASIDE.test(`${lead.text} ${lead.url}`);
    return (
      ROLE[lead.role] +
      (lead.isMain ? MAIN_LINK_WEIGHT : 0) +
      (lead.isBelow ? BELOW_START_BONUS : 0) -
      DEPTH_PENALTY * lead.depth +
      GAIN_WEIGHT * gain -
      (isBarren ? GAIN_WEIGHT : 0) -
      (isAside ? SIDE_LINK_COST : 0)
    );
  }
}

const PAGE_NUMBERS = ["page", "p", "pg", "paged", "seite", "pagina", "pagenumber"] as const;

/** Identity of a page in a walk: `?page=1` and `/page/1` are the first page of the list. */
function toPageIdentity(text: string): string {
  const url = new URL(text);
  for (const name of PAGE_NUMBERS)
    if (url.searchParams.get(name) === "1") url.searchParams.delete(name);
  url.pathname = url.pathname.replace(/\/(?:page|seite|pagina)\/1\/?$/i, "") || "/";
  return toUrlIdentity(url);
}

function joinLeads(one: Lead, other: Lead): Lead {
  const better = ROLE[other.role] > ROLE[one.role] ? other : one;
  const all = [...(one.rows ?? []), ...(other.rows ?? [])];
  const rows = new Map(all.map((row) => [`${row.list} ${row.index}`, row]));
  return { ...better, ...(rows.size > 0 ? { rows: [...rows.values()] } : {}) };
}

function getAmount(counts: ReadonlyMap<string, number>, term: string): number {
  const exact = counts.get(term) ?? 0;
  if (exact > 0) return exact;
  let akin = 0;
  for (const [word, amount] of counts) if (shareStem(word, term)) akin += amount * 0.8;
  return akin;
}

/** The pattern of a URL: host and path, with the last part and all parts with digits replaced. */
export function toUrlForm(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  const parts = pathname.split("/").filter((part) => part !== "");
  const open = parts.map((part, index) =>
    index === parts.length - 1 || /\d/.test(part) ? "*" : part,
  );
  return `${host}/${open.join("/")}?${[...searchParams.keys()].toSorted().join("&")}`;
}
