// A run without a language model: walks from page to page, most promising first, and merges what
// the rules read. Every decision follows from the journal, so a resumed walk takes the same path.
import { resolveUrl } from "../../contract/request/url.ts";
import { QuarryError, StorageError } from "../../errors.ts";
import { findUnfollowedExtension } from "../../url/file-type.ts";
import { toUrlIdentity, type RunScope } from "../pages/run-scope.ts";
import { WalkFrontier, type Lead } from "./frontier.ts";
import { isPagination } from "../pages/pagination.ts";
import type { PageNote } from "../pages/read-page.ts";
import type { RowReference } from "../answer/rows.ts";
import type { Effort } from "../run.ts";

/** Strategy of a walk: how it reads a page and what it extracts. */
export type Purpose = {
  /** Reads a page as one step of the journal. */
  readonly read: (lead: Lead) => Promise<PageNote>;
  /** Processes a page; `rowLinks` names the leads that follow from it. */
  readonly take: (note: PageNote, lead: Lead) => PageGain;
  readonly isComplete: () => boolean;
  /** Called after pages were processed. */
  readonly tell: () => Promise<void>;
};

export type PageGain = {
  /** Share of the page that was new. */
  readonly gain: number;
  /** Rows that continue at a URL, by its identity. */
  readonly rowLinks: ReadonlyMap<string, readonly RowReference[]>;
  /** The page is about a requested thing or list. */
  readonly isFruitful: boolean;
};

export type WalkParts = {
  readonly starts: readonly string[];
  readonly terms: readonly string[];
  readonly scope: RunScope;
  readonly effort: Effort;
  /** Milliseconds since the epoch, after which no page is started. */
  readonly endsAt: number;
  readonly now: () => number;
};

export type WalkReport = {
  readonly pages: number;
  readonly failures: readonly { readonly url: string; readonly error: string }[];
  /** Reason why it ended with unread pages. */
  readonly cut: "pages" | "time" | undefined;
};

/** Minimum score of a page once something was found. */
const MIN_SCORE = 0.3;
/** Minimum score before that: nearly every page qualifies. */
const MIN_AT_FIRST = -3;
/** Factor for the number of pages without gain that are read before the first find. */
const BARREN_PAGES_FACTOR = 3;
const MAX_DEPTH = 6;

/** Walks until no page is promising. Throws errors of a step that are not page failures. */
export async function walk(parts: WalkParts, purpose: Purpose): Promise<WalkReport> {
  const { effort, scope } = parts;
  const frontier = new WalkFrontier(parts.terms);
  const failures: { url: string; error: string }[] = [];
  for (const url of parts.starts) frontier.add(toStart(url, scope));
  let pages = 0;
  let fruitless = 0;
  let hasFound = false;
  for (;;) {
    const patience = effort.fruitless * (hasFound ? 1 : BARREN_PAGES_FACTOR);
    if (purpose.isComplete() || fruitless >= patience) break;
    const room = Math.min(effort.parallel, effort.pages - pages);
    const leads = frontier.take(Math.max(1, room), hasFound ? MIN_SCORE : MIN_AT_FIRST);
    if (leads.length === 0) break;
    if (room <= 0) return { pages, failures, cut: "pages" };
    if (parts.now() >= parts.endsAt) return { pages, failures, cut: "time" };
    const read = await Promise.allSettled(leads.map((lead) => purpose.read(lead)));
    let stop: unknown;
    for (const [index, result] of read.entries()) {
      const lead = leads[index];
      if (lead === undefined) continue;
      if (result.status === "rejected") {
        if (result.reason instanceof QuarryError && !(result.reason instanceof StorageError))
          failures.push({ url: lead.url, error: result.reason.message });
        else stop ??= result.reason;
        frontier.learn(lead.url, 0);
        continue;
      }
      pages += 1;
      const taken = purpose.take(result.value, lead);
      frontier.learn(result.value.url, taken.gain, lead.from);
      hasFound ||= taken.gain > 0;
      fruitless = taken.gain > 0 ? 0 : fruitless + 1;
      addLinks(frontier, scope, result.value, lead, taken);
    }
    await purpose.tell();
    if (stop !== undefined) throw stop;
  }
  return { pages, failures, cut: undefined };
}

const toStart = (url: string, scope: RunScope): Lead => {
  const parsed = new URL(resolveUrl(url));
  return {
    url: parsed.href,
    text: "",
    depth: 0,
    role: scope.isGiven(parsed) ? "given" : "found",
    isMain: true,
    context: "",
    isBelow: false,
  };
};

function addLinks(
  frontier: WalkFrontier,
  scope: RunScope,
  note: PageNote,
  lead: Lead,
  taken: PageGain,
): void {
  if (scope.isStrict || note.statusCode >= 400 || lead.depth >= MAX_DEPTH) return;
  const here = new URL(note.url);
  for (const link of note.links) {
    const url = URL.parse(link.url);
    if (url === null || !scope.allows(url) || findUnfollowedExtension(url.pathname) !== undefined)
      continue;
    const rows = taken.rowLinks.get(toUrlIdentity(url));
    const goesOn = isPagination(link, here);
    const next = taken.isFruitful ? "next" : "page";
    frontier.add({
      url: url.href,
      text: link.text,
      // The pages of a list have the same depth.
      depth: goesOn ? lead.depth : lead.depth + 1,
      role: rows !== undefined ? "row" : goesOn ? next : "link",
      from: note.url,
      isMain: link.isMain,
      context: note.title,
      isBelow: url.host === here.host && isBelow(url.pathname, here.pathname),
      ...(rows === undefined ? {} : { rows }),
    });
  }
}

function isBelow(path: string, page: string): boolean {
  const folder = page.slice(0, page.lastIndexOf("/") + 1);
  return path.length > folder.length && path !== page && path.startsWith(folder);
}
