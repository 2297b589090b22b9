// Runs one check: fetches every page of every target, judges the changes, and ends the check with
// its notifications in one transaction. After a crash the check starts again, because nothing was
// written.
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { crawlRequestSchema } from "../contract/jobs/crawl.ts";
import type { Document } from "../contract/page/document.ts";
import type { Crawls } from "../crawl/job.ts";
import { InternalError, LimitError, QuarryError } from "../errors.ts";
import type { Identity } from "../account/identity.ts";
import type {
  CheckPage,
  CheckRecord,
  MonitorCheckStore,
  PageChange,
} from "../store/monitors/monitor-checks.ts";
import type { MonitorNoticeStore } from "../store/monitors/monitor-notices.ts";
import type { CheckSummary, MonitorRecord } from "../store/monitors/monitors.ts";
import { computeBaselineEnd } from "./baseline-life.ts";
import {
  checkPage,
  NEW_STATE,
  type PageFinding,
  type Observation,
  type PageState,
  type UnchangedPage,
} from "./check-page.ts";
import type { PageBody, Version } from "./compare-page.ts";
import { listWatchedFacts } from "./conditions.ts";
import { showCheck } from "./show-monitor.ts";
import type { JudgeChange } from "./judge.ts";
import { buildNotices, listRoutes, shortenLines, type ReportedPage } from "./notices.ts";
import { isFatal, toObservation, toReading, type CheckCaller } from "./observe.ts";
import { describeFinding, judgeFinding } from "./report-finding.ts";
import { getSettings, type MonitorSettings, type Target } from "./settings.ts";
import { keepPictures } from "./shown-picture.ts";
import {
  listPages,
  getPageOptions,
  toCrawlOptions,
  toScrapedPage,
  type TargetPage,
  type TargetParts,
} from "./targets.ts";
import { hashText } from "../formats/change-tracking/lines.ts";

export type RunCheckParts = TargetParts & {
  readonly checks: MonitorCheckStore;
  readonly notices: Pick<MonitorNoticeStore, "countSince">;
  /** Settles when the scrapes of the check are committed. */
  readonly flush: () => Promise<void>;
  readonly crawls: () => Promise<Crawls>;
  readonly judge: JudgeChange;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Stores a file at least until `until` and returns its reference. */
  readonly keepFile: (bytes: Uint8Array, until: number) => Promise<string>;
};

export type RunCheck = {
  readonly monitor: MonitorRecord;
  readonly check: CheckRecord;
  readonly identity: Identity;
  readonly signal: AbortSignal;
  /** Crawls that an earlier attempt started, by target. */
  readonly crawlIds: Readonly<Record<string, string>>;
  saveCrawl(targetId: string, crawlId: string): Promise<void>;
};

const MAX_CONCURRENCY = 4;
/** Maximum pages to fetch again that a crawl no longer finds. */
const MAX_MISSING_PAGES = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type FoundChange = {
  readonly target: Target;
  readonly page: CheckPage;
  readonly change: PageChange;
  readonly finding: PageFinding;
  readonly reported: ReportedPage;
};

type Work = RunCheck & {
  readonly parts: RunCheckParts;
  readonly settings: MonitorSettings;
  readonly caller: CheckCaller;
  credits: number;
};

export type EndedCheck = Pick<CheckRecord, "status" | "summary" | "error">;

/** Ends the check; undefined when it had already ended. Throws errors that stop the check. */
export async function runCheck(
  parts: RunCheckParts,
  run: RunCheck,
): Promise<EndedCheck | undefined> {
  const { monitor, check, identity, signal } = run;
  const settings = getSettings(monitor);
  const sharesFetches = check.trigger === "scheduled";
  const caller = { identity, requestId: check.id, signal, sharesFetches };
  const work: Work = { ...run, parts, settings, caller, credits: 0 };
  const found: FoundChange[] = [];
  let noCredits: QuarryError | undefined;
  try {
    for (const target of settings.targets) found.push(...(await checkTarget(work, target)));
  } catch (error) {
    if (!(error instanceof LimitError) || error.code !== "INSUFFICIENT_CREDITS") throw error;
    noCredits = error;
  }
  const summary = summarize(found);
  const targetResults = settings.targets.map(({ id, type }) => ({
    targetId: id,
    type,
    ...summarize(found.filter(({ target }) => target.id === id)),
  }));
  const status =
    noCredits !== undefined
      ? "skipped_no_credits"
      : summary.error === 0
        ? "completed"
        : summary.error < summary.totalPages
          ? "partial"
          : "failed";
  const error =
    noCredits?.message ?? (status === "failed" ? "No page of the monitor could be checked." : null);
  const now = parts.now();
  const ended = {
    ...check,
    status,
    summary,
    targetResults,
    error,
    finishedAt: now,
    updatedAt: now,
  };
  const loads = new Map<string, number>();
  if (found.some(({ reported }) => reported.event !== undefined))
    for (const { name } of listRoutes(monitor, settings))
      loads.set(name, await parts.notices.countSince(monitor.id, name, now - HOUR_MS));
  const notices = buildNotices({
    monitor,
    settings,
    check,
    pages: found.map(({ reported }) => reported),
    completed: showCheck({ ...ended, actualCredits: work.credits }),
    load: (route) => loads.get(route) ?? 0,
    now,
  });
  // Their expiry is extended with the end.
  await parts.flush();
  const isMine = await parts.checks.end(
    check,
    {
      status,
      summary,
      targetResults,
      actualCredits: work.credits,
      error,
      pages: found.map(({ page }) => page),
      changes: found.map(({ change }) => change),
      notices,
      keptScrapes: found.flatMap(({ page, finding }) =>
        finding.status === "same" ? [] : listScrapes(page),
      ),
      baselines: findBaselines(work, found),
    },
    now,
  );
  return isMine ? { status, summary, error } : undefined;
}

const listScrapes = ({ about }: CheckPage): string[] =>
  [about["previousScrapeId"], about["currentScrapeId"]].filter((id) => typeof id === "string");

/** Scrapes of unchanged pages, for a next check that starts up to a day late. */
function findBaselines({ monitor, parts }: Work, found: readonly FoundChange[]) {
  const now = parts.now();
  const until = computeBaselineEnd(monitor, now);
  // Results live for an hour or longer.
  if (until - now < HOUR_MS + DAY_MS) return undefined;
  const same = found.filter(({ finding }) => finding.status === "same");
  return { scrapes: same.flatMap(({ page }) => listScrapes(page)), until };
}

function summarize(found: readonly FoundChange[]): CheckSummary {
  const count = (status: string): number =>
    found.filter(({ page }) => page.status === status).length;
  return {
    totalPages: found.length,
    same: count("same"),
    changed: count("changed"),
    new: count("new"),
    removed: count("removed"),
    error: count("error"),
  };
}

async function checkTarget(work: Work, target: Target): Promise<FoundChange[]> {
  const { parts, caller } = work;
  if (target.type === "crawl") return await checkCrawl(work, target);
  return await checkAll(work, target, listPages(parts, target, caller), () => false);
}

/** Checks a few pages at a time, in order. */
async function checkAll(
  work: Work,
  target: Target,
  pages: readonly TargetPage[],
  isNews: (url: string) => boolean,
): Promise<FoundChange[]> {
  const found: FoundChange[] = [];
  const left = pages.entries();
  const next = async (): Promise<void> => {
    for (const [index, page] of left) found[index] = await checkOne(work, target, page, isNews);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENCY, pages.length) }, next));
  return found;
}

async function checkOne(
  work: Work,
  target: Target,
  page: TargetPage,
  isNews: (url: string) => boolean,
): Promise<FoundChange> {
  const { parts, settings, monitor, signal } = work;
  const place = { targetId: target.id, url: page.url };
  const history = await parts.checks.listHistory(monitor.id, place);
  const versions: Version[] = [];
  for (const version of history.versions) {
    const body = (await version.load()) as PageBody | undefined;
    if (body !== undefined) versions.push({ ...body, fetchedAt: version.fetchedAt });
  }
  const pause = parts.pause ?? ((ms) => sleep(ms, undefined, { signal }));
  const fetch = async (fingerprint?: string): Promise<Observation | UnchangedPage> => {
    const { seen, credits } = await page.fetch({ text: versions[0]?.text, fingerprint });
    work.credits += credits;
    return seen;
  };
  const finding = await checkPage({
    detection: settings.detection,
    fieldsOnly: page.reading.fieldsOnly,
    picture: page.reading.picture,
    watched: listWatchedFacts(settings.when),
    state: (history.state as PageState | undefined) ?? NEW_STATE,
    versions,
    rules: hashText(JSON.stringify([target, settings.detection, settings.when])),
    fetchFirst: fetch,
    async fetch() {
      const seen = await fetch();
      if (seen.kind === "unchanged") throw new InternalError("A confirming fetch was not read.");
      return seen;
    },
    pause: (ms) => pause(ms, signal),
    now: parts.now,
  });
  const report = await judgeFinding(
    { judge: parts.judge, settings, signal },
    page.url,
    finding,
    isNews(page.url),
  );
  const until = work.check.createdAt + monitor.retentionDays * DAY_MS;
  const pictures = await keepPictures(finding, async (bytes) => await parts.keepFile(bytes, until));
  const checked: CheckPage = {
    id: v7(),
    ...place,
    status: finding.status,
    about: describeFinding(finding, report, pictures),
    createdAt: parts.now(),
  };
  const { version } = finding;
  return {
    target,
    page: checked,
    finding,
    change: {
      ...place,
      state: finding.state,
      ...(version !== undefined && {
        version: {
          fetchedAt: version.fetchedAt,
          textHash: hashText(version.text),
          body: {
            text: version.text,
            ...(version.values !== undefined && { values: version.values }),
            ...(version.picture !== undefined && { picture: version.picture }),
          },
        },
      }),
    },
    reported: {
      page: checked,
      ...(report.event !== undefined && {
        event: report.event,
        notice: {
          ...place,
          status: finding.status,
          title:
            finding.seen.kind === "page" ? finding.seen.title : (finding.previous?.title ?? null),
          reason: report.reason,
          added: shortenLines(finding.difference?.added ?? []),
          removed: shortenLines(finding.difference?.removed ?? []),
        },
      }),
    },
  };
}

/** Runs a separate crawl; its documents are the first fetches of their pages. */
async function checkCrawl(
  work: Work,
  target: Extract<Target, { type: "crawl" }>,
): Promise<FoundChange[]> {
  const { parts, caller, monitor, identity, signal } = work;
  const crawls = await parts.crawls();
  const defaults = crawlRequestSchema.parse({ url: target.url });
  const options = getPageOptions(target) ?? defaults.scrapeOptions;
  let crawlId = work.crawlIds[target.id];
  if (crawlId === undefined) {
    try {
      ({ id: crawlId } = await crawls.start(toCrawlOptions(target, defaults), caller));
    } catch (error) {
      // A start URL that is refused stays refused in the next attempt.
      if (!(error instanceof QuarryError) || isFatal(error)) throw error;
      return [await checkStart(work, target, error.message)];
    }
    await work.saveCrawl(target.id, crawlId);
  }
  const known = await parts.checks.listKnownUrls(monitor.id, target.id);
  const knownUrls = new Set(known.map(({ url }) => url));
  const reading = toReading(options.formats, target.scope);
  const pages: TargetPage[] = [];
  for await (const event of crawls.watch(crawlId, identity, { skip: 0, signal })) {
    if (event.type === "ended") {
      work.credits += event.report.creditsUsed;
      if (event.report.status === "failed" && pages.length === 0)
        return [await checkStart(work, target, event.report.error ?? "The crawl failed.")];
      continue;
    }
    for (const bytes of event.documents) {
      const document = JSON.parse(Buffer.from(bytes).toString("utf8")) as Document;
      const url = String(document.metadata.sourceURL ?? document.metadata.url ?? target.url);
      const seen = await toObservation(document, {
        scope: target.scope,
        fieldsOnly: reading.fieldsOnly,
        hasSelector: (options.includeTags?.length ?? 0) > 0,
        fetchedAt: parts.now(),
        readPicture: parts.readPicture,
      });
      pages.push(toScrapedPage(parts, target, options, url, caller, { seen, credits: 0 }));
    }
  }
  signal.throwIfAborted();
  const crawled = new Set(pages.map(({ url }) => url));
  const missed = known
    .filter(({ url, state }) => !crawled.has(url) && (state as PageState).baseline?.isGone !== true)
    .slice(0, MAX_MISSING_PAGES)
    .map(({ url }) => toScrapedPage(parts, target, options, url, caller));
  return await checkAll(
    work,
    target,
    [...pages, ...missed],
    (url) => knownUrls.size > 0 && !knownUrls.has(url),
  );
}

/** Result for the start page of a crawl that failed as a whole. */
async function checkStart(
  work: Work,
  target: Extract<Target, { type: "crawl" }>,
  reason: string,
): Promise<FoundChange> {
  const seen = { kind: "broken", reason, statusCode: null, scrapeId: null } as const;
  return await checkOne(
    work,
    target,
    {
      url: target.url,
      reading: { fieldsOnly: false },
      fetch: async () => ({ seen, credits: 0 }),
    },
    () => false,
  );
}
