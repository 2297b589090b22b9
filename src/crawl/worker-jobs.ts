// A job in this process's workers: parsed options, knowledge about the site, and the signal that
// ends its pages.
import { allowsHost } from "../account/allow-hosts.ts";
import type { Identity } from "../account/identity.ts";
import type { Plan } from "../engines/plan.ts";
import { QuarryError, type ErrorRecord } from "../errors.ts";
import { buildJobIdentity } from "../jobs/caller.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { PageScraper, ScrapedPage } from "../scrape/page.ts";
import type { FinishedPage, FinishReport } from "../store/jobs/finish.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import type { JobStore } from "../store/jobs/jobs.ts";
import { compileScope, type Scope } from "../url/scope.ts";
import { buildBasicAuthorization, hasUserinfo } from "../url/userinfo.ts";
import { readStoredOptions, type StoredOptions } from "./stored-options.ts";
import { shouldLearnTexts, SiteTexts } from "./site-texts.ts";
import { SpiderTrapDetector } from "./spider-traps/spider-trap-detector.ts";

export type WorkerJob = {
  readonly record: JobRecord;
  readonly options: StoredOptions;
  readonly identity: Identity;
  readonly plan: Plan;
  /** The scope of a crawl. `home` is where its start URL turned out to be, if elsewhere. */
  readonly scope: (home: string | undefined) => Scope;
  readonly trapDetector: SpiderTrapDetector;
  /**
   * Links sent to the frontier with their least depth, or ACCEPTED_STATUS when done. Only an optimization:
   * the frontier deduplicates.
   */
  readonly sent: Map<string, number>;
  /** Set for a crawl that drops texts its sites repeat. */
  readonly siteTexts: SiteTexts | undefined;
  /** Attempts of pages that were released while they waited for a retry. */
  readonly tries: Map<bigint, AttemptState>;
  /** Hosts given up, with the time since which they serve nothing. */
  readonly lost: Map<string, number>;
  /** Hosts whose long delay was reported. */
  readonly told: Set<string>;
  /** Aborts when the job has ended. */
  readonly ended: AbortController;
};

/** The attempts of a page at its host. */
export type AttemptState = {
  /** The next attempt, from 1. */
  number: number;
  readonly beganAt: number;
  /**
   * Requests sent by the status of the answer; undefined without an answer. One attempt may send
   * several.
   */
  readonly requests: Map<number | undefined, number>;
  /** The partial page, if the response broke off. */
  partial: ScrapedPage | undefined;
  /** Reason why this process had no time for it. */
  delayed: DelayedPage | undefined;
};

/** The page timed out while this process was busy; `cause` is reported to the caller. */
export class DelayedPage extends Error {}

const UNUSABLE: ErrorRecord = {
  code: "UNKNOWN_ERROR",
  message: "This server cannot use the options that the job was started with.",
};

/** Value in `sent`: accepted once. */
export const ACCEPTED_STATUS = -1;
const MAX_SENT_LINKS = 20_000;
const MAX_JOBS = 200;

export type WorkerJobs = {
  /** Undefined when the job has ended or does not exist. */
  find(id: string): Promise<WorkerJob | undefined>;
  /** Ends the job's pages in progress here. */
  end(id: string): void;
  /** Forgets which links were sent to the frontier, because some may not have arrived. */
  forget(id: string): void;
  /** Takes over the knowledge about the job's sites. */
  learn(id: string, pages: readonly FinishedPage[], report: FinishReport): void;
};

export type WorkerJobsParts = {
  readonly jobs: Pick<JobStore, "load">;
  readonly lifecycle: Pick<Jobs, "end">;
  readonly pages: Pick<PageScraper, "plan">;
};

export function createWorkerJobs({ jobs, lifecycle, pages }: WorkerJobsParts): WorkerJobs {
  const known = new Map<string, Promise<WorkerJob | undefined>>();

  async function load(id: string): Promise<WorkerJob | undefined> {
    const record = await jobs.load(id);
    if (record === undefined || record.state !== "scraping") return undefined;
    try {
      return prepare(record, pages);
    } catch (error) {
      // Possibly stored by another version that this one cannot read.
      const failure = error instanceof QuarryError ? error.toRecord() : UNUSABLE;
      await lifecycle.end(id, { state: "failed", error: failure });
      return undefined;
    }
  }

  return {
    async find(id) {
      const found = known.get(id) ?? load(id);
      known.delete(id);
      known.set(id, found);
      const oldest = known.size > MAX_JOBS ? known.keys().next().value : undefined;
      if (oldest !== undefined) known.delete(oldest);
      try {
        const job = await found;
        if (job === undefined || job.ended.signal.aborted) known.delete(id);
        return job?.ended.signal.aborted === true ? undefined : job;
      } catch (error) {
        known.delete(id);
        throw error;
      }
    },
    end(id) {
      void known.get(id)?.then(
        (job) => job?.ended.abort(),
        () => undefined,
      );
      known.delete(id);
    },
    forget(id) {
      void known.get(id)?.then(
        (job) => job?.sent.clear(),
        () => undefined,
      );
    },
    learn(id, pages, { tallies }) {
      void known.get(id)?.then(
        (job) =>
          job?.siteTexts?.settle(
            pages.map(({ texts }) => texts),
            tallies,
          ),
        () => undefined,
      );
    },
  };
}

function prepare(record: JobRecord, pages: Pick<PageScraper, "plan">): WorkerJob {
  const options = readStoredOptions(record);
  const scopes = new Map<string, Scope>();
  return {
    record,
    options,
    identity: buildJobIdentity(record),
    plan: pages.plan({ ...options.page, url: "" }),
    scope: (home) => {
      const key = home ?? "";
      const made = scopes.get(key) ?? buildScope(record, options, home);
      scopes.set(key, made);
      return made;
    },
    trapDetector: new SpiderTrapDetector(),
    sent: new Map(),
    tries: new Map(),
    siteTexts:
      options.crawl !== undefined && shouldLearnTexts(options.page)
        ? new SiteTexts(!record.zeroDataRetention)
        : undefined,
    lost: new Map(),
    told: new Set(),
    ended: new AbortController(),
  };
}

/** Builds the scope from a crawl's options. Throws SyntaxError for an invalid pattern. */
export function buildScope(
  { url }: Pick<JobRecord, "url">,
  { crawl, page, allowHosts }: Pick<StoredOptions, "crawl" | "page" | "allowHosts">,
  home?: string,
): Scope {
  return compileScope({
    startUrl: url ?? "",
    movedTo: home,
    includePaths: crawl?.includePaths ?? [],
    excludePaths: crawl?.excludePaths ?? [],
    regexOnFullURL: crawl?.regexOnFullURL ?? false,
    maxDiscoveryDepth: crawl?.maxDiscoveryDepth,
    crawlEntireDomain: crawl?.crawlEntireDomain ?? false,
    allowSubdomains: crawl?.allowSubdomains ?? false,
    allowExternalLinks: crawl?.allowExternalLinks ?? false,
    ignoreQueryParameters: crawl?.ignoreQueryParameters ?? false,
    deduplicateSimilarURLs: crawl?.deduplicateSimilarURLs ?? true,
    allowsHost: allowHosts && ((target) => allowsHost(allowHosts, target)),
    avoidLogout: page.profile !== undefined || isPersonal(page.headers),
  });
}

const isPersonal = (headers: Readonly<Record<string, string>>): boolean =>
  Object.keys(headers).some((name) => /^(?:cookie|authorization)$/i.test(name));

/** Records that a link was sent to the frontier. */
export function markSent({ sent }: WorkerJob, url: string, depth: number): void {
  if (sent.size >= MAX_SENT_LINKS) sent.clear();
  sent.set(url, depth);
}

/**
 * Splits a start URL with credentials into the plain URL and page options with the Authorization
 * header. The header is sent to that site only.
 */
export function omitLogin<Page extends { readonly headers: Record<string, string> }>(
  url: URL,
  page: Page,
): { url: URL; page: Page } {
  if (!hasUserinfo(url)) return { url, page };
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  const authorization = buildBasicAuthorization(url);
  const headers = authorization === undefined ? page.headers : { authorization, ...page.headers };
  return { url: plain, page: { ...page, headers } };
}
