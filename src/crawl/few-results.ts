// Explains in one sentence, from the ledger, why a finished crawl has few results (wire contract
// 5.7).
import type { RefusalCount, StartFate } from "../store/jobs/job-ledger.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import { findScopeRule } from "../url/scope.ts";
import { trimEndMatching } from "../runtime/trim-end-matching.ts";
import { readStoredOptions } from "./stored-options.ts";

type Cause = {
  /** Verb phrase after a number. */
  readonly words: string;
  readonly plural: string;
  /**
   * True if the cause alone explains a crawl of one page. Links to other sites do not, because most
   * pages have them.
   */
  readonly tells: boolean;
};

const defineCause = (words: string, plural: string, tells = true): Cause => ({
  words,
  plural,
  tells,
});

const CAUSES = {
  path: defineCause("is not below the start's path", "are not below the start's path"),
  include: defineCause("matches none of includePaths", "match none of includePaths"),
  exclude: defineCause("matches excludePaths", "match excludePaths"),
  subdomain: defineCause(
    "is on another host of the domain (allowSubdomains)",
    "are on other hosts of the domain (allowSubdomains)",
  ),
  external: defineCause(
    "is on another site (allowExternalLinks)",
    "are on other sites (allowExternalLinks)",
    false,
  ),
  never: defineCause("is never followed", "are never followed", false),
  robots: defineCause("is forbidden by robots.txt", "are forbidden by robots.txt"),
  depth: defineCause("is deeper than maxDiscoveryDepth", "are deeper than maxDiscoveryDepth"),
  fileType: defineCause(
    "is not a page by its file name",
    "are not pages by their file names",
    false,
  ),
  trap: defineCause("belongs to a spider trap", "belong to a spider trap"),
  limit: defineCause("is beyond the limit", "are beyond the limit"),
  error: defineCause("could not be fetched", "could not be fetched"),
  duplicate: defineCause("is the same document as another", "are the same documents as others"),
} as const;

type CauseName = keyof typeof CAUSES;

function findCause({ fate, reason }: RefusalCount): CauseName | undefined {
  if (fate !== "scope") return fate in CAUSES ? (fate as CauseName) : undefined;
  return findScopeRule(reason ?? "");
}

/** Returns whether the ledger is needed to explain the result count. */
export function hasFewResults(job: JobRecord): boolean {
  const { crawl } = readStoredOptions(job);
  return (
    crawl !== undefined && job.state === "completed" && job.completed <= 1 && crawl.limit !== 1
  );
}

/** Ledger entries about a job with few results. */
export type LedgerFindings = {
  readonly refusals: readonly RefusalCount[];
  readonly start: StartFate | undefined;
};

/** Explains a crawl with at most one document; undefined when nothing is wrong. */
export function explainFewResults(
  job: JobRecord,
  { refusals, start }: LedgerFindings,
): string | undefined {
  const url = URL.parse(job.url ?? "");
  if (url === null || !hasFewResults(job)) return undefined;
  const counts = countCauses(refusals);
  const fault = start && findFault(start);
  if (fault !== undefined) {
    if (start?.fate === "error") subtract(counts, "error");
    const hint = NOT_FOUND_STATUSES.has(start?.statusCode ?? 0) ? buildStartHint(url) : "";
    return `The start URL ${url.href} could not be read: ${fault}.${explainCause(job, counts)}${hint}`;
  }
  const isBound = url.pathname !== "/" && readStoredOptions(job).crawl?.crawlEntireDomain !== true;
  const mayClimb = isBound && job.completed === 1 && (counts.has("path") || job.discovered === 1);
  const tells = [...counts.keys()].some((name) => CAUSES[name].tells);
  if (!tells && !mayClimb && job.completed > 0) return undefined;
  const found = job.completed === 0 ? "No page was found" : "Only 1 page was found";
  const hint = mayClimb
    ? ` Set crawlEntireDomain to crawl the whole site, or start at ${url.origin}/.`
    : "";
  return `${found} from ${url.href} on.${explainCause(job, counts)}${hint}`;
}

type Counts = Map<CauseName, number>;

function countCauses(refusals: readonly RefusalCount[]): Counts {
  const counts: Counts = new Map();
  for (const refusal of refusals) {
    const name = findCause(refusal);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + refusal.count);
  }
  return counts;
}

/** Subtracts one occurrence that is reported elsewhere. */
function subtract(counts: Counts, name: CauseName): void {
  const left = (counts.get(name) ?? 0) - 1;
  if (left > 0) counts.set(name, left);
  else counts.delete(name);
}

function explainCause({ discovered }: JobRecord, counts: ReadonlyMap<CauseName, number>): string {
  if (counts.size === 0) return "";
  const reasons = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${count} ${count === 1 ? CAUSES[name].words : CAUSES[name].plural}`);
  return ` Of ${discovered} ${discovered === 1 ? "URL" : "URLs"} seen, ${reasons.join(", ")}.`;
}

/**
 * Returns why the start URL gave no page of the site, without a full stop; undefined when it gave
 * one.
 */
function findFault({ fate, reason, statusCode = 0 }: StartFate): string | undefined {
  if (fate === "error") return trimEndMatching(reason ?? "it could not be fetched", /\./);
  return fate === "fetched" && statusCode >= 400 ? `it answered ${statusCode}` : undefined;
}

/**
 * Statuses that mean the URL is wrong (RFC 9110 sections 15.5.5 and 15.5.11): another start URL
 * helps.
 */
const NOT_FOUND_STATUSES: ReadonlySet<number> = new Set([404, 410]);

const buildStartHint = ({ href, origin }: URL): string =>
  href === `${origin}/` ? "" : ` Check the URL, or start at ${origin}/.`;
