// Finishes a page: document, links, fates, counters, credits, events and the end of the job in one
// transaction.
import { sql, type Transaction } from "kysely";
import type { Document } from "../../contract/page/document.ts";
import type { ErrorRecord } from "../../errors.ts";
import { toJsonBytes } from "../../runtime/json-bytes.ts";
import type { FoundUrl, LeasedPage, Refusal } from "./frontier.ts";
import {
  admit,
  announce,
  endIfDone,
  openDraft,
  promoteHeld,
  writeDraft,
  type Draft,
  type JobChange,
} from "./job-change.ts";
import type { JobCounters } from "./job-record.ts";
import { buildGivenKeys } from "../database/json-rows.ts";
import type { KnownUrl, KnownUrls } from "./known-urls.ts";
import { DepthUpdates } from "./depth-updates.ts";
import { readPageTitle } from "../captures/page-title.ts";
import type { Database, Tables } from "../database/schema.ts";
import type { SiteTally } from "./site-tally.ts";
import { countTexts, type PageTexts } from "./site-tallies.ts";
import type { Seals } from "../database/seals.ts";

/** Two pages of a job with the same target or content give one document. */
export type DuplicateKeys = {
  /** Identity of the final or canonical URL. */
  readonly target?: { readonly identity: bigint; readonly by: "redirect" | "canonical" };
  /** Signed 64-bit hash of the content. */
  readonly content?: bigint;
};

export type PageOutcome =
  | {
      readonly type: "document";
      readonly scrapeId: string;
      readonly finalUrl: string;
      readonly statusCode: number | null;
      readonly document: Document;
      readonly same: DuplicateKeys;
      /** Additional reason in the ledger. */
      readonly reason?: string | undefined;
      readonly credits: number;
    }
  | { readonly type: "failed"; readonly error: ErrorRecord; readonly credits: number }
  /**
   * Neither document nor error: a redirect out of scope, or a start page that matches no include
   * pattern.
   */
  | { readonly type: "refused"; readonly refusal: Refusal; readonly credits: number };

export type FinishedPage = {
  /** The page as claimed. */
  readonly page: LeasedPage;
  readonly outcome: PageOutcome;
  /** The links of the page, also when it gave no document; `parent` is filled in. */
  readonly links: readonly Omit<FoundUrl, "parent">[];
  /** Texts for its site's tally. */
  readonly texts?: PageTexts | undefined;
};

export type FinishReport = JobChange & {
  /**
   * Outcomes of the pages, in the given order. lost: another worker has it or the job ended;
   * nothing was written.
   */
  readonly pages: readonly ("fetched" | "failed" | "refused" | "duplicate" | "lost")[];
  /** URLs that became claimable. */
  readonly ready: number;
  readonly counters: JobCounters;
  /** Tallies of these pages' sites, by host. */
  readonly tallies: ReadonlyMap<string, SiteTally>;
};

type StoredDocument = Awaited<ReturnType<Seals["keep"]>>;

export type Finish = (
  jobId: string,
  worker: string,
  pages: readonly FinishedPage[],
  now?: number,
) => Promise<FinishReport>;

const DUPLICATE_WORDS = {
  redirect: "same final URL as",
  canonical: "same canonical URL as",
  named: "canonical URL of",
  content: "same content as",
} as const;

type DocumentOutcome = Extract<PageOutcome, { type: "document" }>;

/** Database state about the pages to finish. */
type FrontierLookup = {
  /** Leases the worker still holds. */
  readonly owned: Set<string>;
  /** Existing documents by target, and requested URLs by content. */
  readonly targets: Map<bigint, Earliest>;
  readonly contents: Map<bigint, string>;
};

type Earliest = { readonly url: string; readonly finalUrl: string };

const getLease = ({ page }: FinishedPage): string => `${page.identity}.${page.attempt}`;

type LookedRow = {
  kind: "owned" | "target" | "content";
  key: string;
  url: string | null;
  final_url: string | null;
};

async function lookUpFrontier(
  transaction: Transaction<Tables>,
  jobId: string,
  worker: string,
  pages: readonly FinishedPage[],
): Promise<FrontierLookup> {
  const same = pages.flatMap(({ outcome }) => (outcome.type === "document" ? [outcome.same] : []));
  const targetsAsked = same.flatMap(({ target }) =>
    target === undefined ? [] : [target.identity],
  );
  const contentsAsked = same.flatMap(({ content }) => (content === undefined ? [] : [content]));
  const rows = await sql<LookedRow>`
    select 'owned' as kind, identity || '.' || attempt as key, null as url, null as final_url
      from ${buildGivenKeys(pages.map(({ page }) => page.identity))} join frontier on identity = given.key
      where job_id = ${jobId}::uuid and state = 'leased' and worker = ${worker}
    union all
    select 'target', target::text, requested_url, final_url
      from ${buildGivenKeys(targetsAsked)} join results on target = given.key where job_id = ${jobId}::uuid
    union all
    select 'content', content::text, requested_url, null
      from ${buildGivenKeys(contentsAsked)} join results on content = given.key where job_id = ${jobId}::uuid`.execute(
    transaction,
  );
  const owned = new Set<string>();
  const targets = new Map<bigint, Earliest>();
  const contents = new Map<bigint, string>();
  for (const { kind, key, url, final_url } of rows.rows)
    if (kind === "owned") owned.add(key);
    else if (kind === "content") contents.set(BigInt(key), url ?? "");
    else targets.set(BigInt(key), { url: url ?? "", finalUrl: final_url ?? "" });
  return { owned, targets, contents };
}

const readQueryString = (url: string): string => URL.parse(url)?.search ?? "";

/** Returns why a page is a duplicate; undefined for the first of its kind, which is remembered. */
function findDuplicate(
  { targets, contents }: FrontierLookup,
  { same: { target, content }, finalUrl }: DocumentOutcome,
  url: string,
): string | undefined {
  const sameTarget = target === undefined ? undefined : targets.get(target.identity);
  if (target !== undefined && sameTarget !== undefined) {
    // The other page came first and named this one: a canonical URL differs from its pages by the
    // query.
    const isNamed =
      target.by === "redirect" &&
      readQueryString(finalUrl) !== readQueryString(sameTarget.finalUrl);
    return `${DUPLICATE_WORDS[isNamed ? "named" : target.by]} ${sameTarget.url}`;
  }
  const sameContent = content === undefined ? undefined : contents.get(content);
  if (sameContent !== undefined) return `${DUPLICATE_WORDS.content} ${sameContent}`;
  if (target !== undefined) targets.set(target.identity, { url, finalUrl });
  if (content !== undefined) contents.set(content, url);
  return undefined;
}

function keepDocument(
  draft: Draft,
  url: string,
  outcome: DocumentOutcome,
  kept: StoredDocument,
): void {
  const { progress } = draft;
  const { scrapeId, finalUrl, statusCode, document, same, credits } = outcome;
  progress.completed += 1;
  draft.results.push({
    job_id: draft.jobId,
    sequence: progress.completed,
    scrape_id: scrapeId,
    requested_url: url,
    final_url: finalUrl,
    status_code: statusCode,
    target: same.target === undefined ? null : String(same.target.identity),
    content: same.content === undefined ? null : String(same.content),
    ...readPageTitle(kept.sealed ? undefined : document),
    document_ref: kept.ref,
    document_inline: kept.inline,
    size_bytes: kept.sizeBytes,
    credits,
    created_at: draft.now,
  });
  announce(draft, "page", { resultSequence: progress.completed });
}

function endPage(
  draft: Draft,
  looked: FrontierLookup,
  { page, outcome }: FinishedPage,
  kept: StoredDocument | undefined,
): FinishReport["pages"][number] {
  const { progress } = draft;
  const { identity, url } = page;
  progress.pending -= 1;
  if (outcome.type === "failed") {
    const { error } = outcome;
    progress.credits_used += outcome.credits;
    progress.failed += 1;
    progress.spent += 1;
    if (page.source === "start") progress.start_error = error;
    draft.endings.push({ identity, fate: "error", reason: error.message, error });
    announce(draft, "page", { error: error.message, data: { url, code: error.code } });
    return "failed";
  }
  if (outcome.type === "refused") {
    const { fate, reason } = outcome.refusal;
    progress.credits_used += outcome.credits;
    // A page held back as a trap was not fetched; there may be very many.
    if (fate !== "trap") progress.spent += 1;
    if (fate === "robots") progress.robots_blocked += 1;
    draft.endings.push({ identity, fate, reason });
    return "refused";
  }
  const { verdict } = outcome.document.metadata;
  const duplicate = findDuplicate(looked, outcome, url);
  if (duplicate !== undefined || kept === undefined) {
    progress.spent += 1;
    draft.endings.push({ identity, fate: "duplicate", reason: duplicate, verdict });
    return "duplicate";
  }
  // Only results are charged (wire contract, section 20).
  progress.credits_used += outcome.credits;
  keepDocument(draft, url, outcome, kept);
  draft.endings.push({ identity, fate: "fetched", reason: outcome.reason, verdict });
  return "fetched";
}

/**
 * Processes links of the pages nearest to the start first: a URL found twice keeps its least depth.
 */
async function takeLinks(
  transaction: Transaction<Tables>,
  known: KnownUrls,
  draft: Draft,
  pages: readonly FinishedPage[],
): Promise<Map<bigint, KnownUrl>> {
  const identities = pages.flatMap(({ links }) => links.map(({ identity }) => identity));
  const earlier = await known.find(transaction, draft.jobId, identities);
  const nearer = new DepthUpdates();
  for (const { page, links } of pages.toSorted((one, other) => one.page.depth - other.page.depth))
    for (const link of links) {
      const url = { ...link, parent: page.identity };
      if (admit(draft, url, earlier.get(url.identity)) !== "known")
        earlier.set(url.identity, { fate: url.refused?.fate ?? null });
      else nearer.add(url);
    }
  await nearer.write(transaction, draft.jobId);
  return earlier;
}

const NO_COUNTERS: JobCounters = {
  pending: 0,
  completed: 0,
  failed: 0,
  held: 0,
  discovered: 0,
  robotsBlocked: 0,
  creditsUsed: 0,
};

function readCounters({ progress }: Draft): JobCounters {
  const { pending, completed, failed, held, discovered } = progress;
  return {
    pending,
    completed,
    failed,
    held,
    discovered,
    robotsBlocked: progress.robots_blocked,
    creditsUsed: progress.credits_used,
  };
}

/**
 * Finishes pages of one job. All results of a page are written atomically, and only while the
 * worker holds its lease. Finishing a page twice or too late changes nothing.
 */
export function createFinish(database: Database, seals: Seals, known: KnownUrls): Finish {
  async function keep(jobId: string, outcome: PageOutcome): Promise<StoredDocument | undefined> {
    if (outcome.type !== "document") return undefined;
    return await seals.keep(jobId, toJsonBytes(outcome.document));
  }
  return async (jobId, worker, pages, now = Date.now()) => {
    // Before the transaction: a blob without a row is swept later.
    const kept = await Promise.all(pages.map(({ outcome }) => keep(jobId, outcome)));
    let seen: Map<bigint, KnownUrl> | undefined;
    const report: FinishReport = await database.kysely
      .transaction()
      .execute(async (transaction) => {
        const draft = await openDraft(transaction, jobId, now);
        if (draft?.progress.state !== "scraping") return reportLost(pages, draft);
        const looked = await lookUpFrontier(transaction, jobId, worker, pages);
        const fates = pages.map((page, index) =>
          looked.owned.delete(getLease(page)) ? endPage(draft, looked, page, kept[index]) : "lost",
        );
        const owned = pages.filter((_, index) => fates[index] !== "lost");
        if (owned.length === 0) return reportLost(pages, draft);
        const fetched = pages.flatMap(({ texts }, index) =>
          texts === undefined || fates[index] !== "fetched" ? [] : [texts],
        );
        draft.tallies = await countTexts(transaction, jobId, fetched);
        promoteHeld(draft);
        seen = await takeLinks(transaction, known, draft, owned);
        const ended = endIfDone(draft);
        await writeDraft(transaction, draft);
        const { state } = draft.progress;
        const change = { state, ended, ...(draft.revisits && { revisits: true }) };
        const { ready, tallies } = draft;
        return { ...change, pages: fates, ready, counters: readCounters(draft), tallies };
      });
    if (report.state !== "scraping") known.forget(jobId);
    else if (seen !== undefined) known.remember(jobId, seen);
    return report;
  };
}

function reportLost(pages: readonly FinishedPage[], draft: Draft | undefined): FinishReport {
  return {
    state: draft?.progress.state ?? "cancelled",
    ended: false,
    pages: pages.map(() => "lost"),
    ready: 0,
    tallies: new Map(),
    counters: draft === undefined ? NO_COUNTERS : readCounters(draft),
  };
}
