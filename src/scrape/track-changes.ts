// The changeTracking format: compares a page with the newest snapshot of its history and adds it.
// An error page, a bot check or a partial page is neither compared nor stored.
import { createHash } from "node:crypto";
import type { Capture } from "../capture.ts";
import type { ChangeTracking } from "../contract/page/change-tracking.ts";
import { findFormat, type FormatOf } from "../contract/page/formats.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import type { Deadline } from "../deadline.ts";
import type { Verdict } from "../html/evidence/verdict.ts";
import { QuarryError } from "../errors.ts";
import {
  compareVersions,
  SAME,
  SAME_BUT_WHITESPACE,
  type Comparison,
} from "../formats/change-tracking/compare.ts";
import { classifyDifference, hashText } from "../formats/change-tracking/lines.ts";
import { askForChanges } from "../formats/change-tracking/ask-for-changes.ts";
import { compareFields, type FieldChanges } from "../formats/change-tracking/fields.ts";
import { buildDiff } from "../formats/change-tracking/diff.ts";
import type { Logger } from "../logger.ts";
import type { Models } from "../models/model.ts";
import type {
  ChangeHistory,
  ChangeHistoryStore,
  ChangeVersion,
  HistoryScope,
} from "../store/captures/change-histories.ts";
import { removeUserinfoFromText } from "../url/userinfo.ts";

/** Owner of the page's history and how the page was discovered. */
export type TrackingScope = {
  readonly accountId: string;
  /** A page that a job fetches again after a crash is not compared with its first fetch. */
  readonly jobId?: string | undefined;
  /** Equal for crawls with the same scope. */
  readonly crawlKey?: string | undefined;
  /** No link leads to the page any more: it is known from an earlier crawl. */
  readonly hidden?: boolean;
};

export type TrackedPage = {
  readonly options: ScrapeOptions;
  readonly url: URL;
  readonly capture: Capture;
  readonly verdict: Verdict;
  readonly markdown: string;
  /** Values of the json format for mode json, and a text that identifies the task. */
  readonly values?: Values | undefined;
  readonly fromCache: boolean;
  readonly deadline: Deadline;
};

export type TrackingResult = {
  /** Undefined when the page could not be compared; a warning gives the reason. */
  readonly changeTracking: ChangeTracking | undefined;
  readonly warnings: readonly string[];
};

export type TrackChanges = {
  (page: TrackedPage, scope: TrackingScope): Promise<TrackingResult>;
  /** In mode json without a schema a model compares, so no values are needed. */
  readonly comparesInWords: boolean;
};

export type TrackParts = {
  /** Compares texts in mode json without a schema. */
  readonly models: Pick<Models, "role" | "inputTokens">;
  /** Resolves once the store is open. */
  readonly store: () => Promise<{ readonly changeHistories: ChangeHistoryStore }>;
  readonly log: Logger;
};

/**
 * Maximum versions of a history; of consecutive versions with the same text the first and last are
 * kept.
 */
const MAX_VERSIONS = 16;
/** Retries when another scrape changed the history first. */
const MAX_ATTEMPTS = 8;

type Format = FormatOf<"changeTracking">;
type Values = { readonly task: string; readonly value: unknown };
/** Stored content of a version. */
export type VersionBody = { readonly markdown: string; readonly values?: Values | undefined };
type Work = TrackedPage & { readonly format: Format; readonly scope: TrackingScope };

/**
 * Rejects only when the scrape's deadline has passed: a page that cannot be compared is returned
 * without the comparison.
 */
export function createTrackChanges(parts: TrackParts): TrackChanges {
  const track = async (page: TrackedPage, scope: TrackingScope): Promise<TrackingResult> => {
    const format = findFormat(page.options.formats, "changeTracking");
    if (format === undefined) return { changeTracking: undefined, warnings: [] };
    if (page.options.zeroDataRetention)
      return skipTracking(
        "changeTracking keeps a snapshot of the page, which zeroDataRetention forbids: the page was not compared.",
      );
    const objection = findObjection(page);
    if (objection !== undefined)
      return skipTracking(`${objection}: it was not compared, and its history is unchanged.`);
    try {
      return await trackAgain(parts, { ...page, format, scope });
    } catch (error) {
      page.deadline.check();
      parts.log.error({ err: error }, "failed to compare a page with its history");
      const reason = error instanceof QuarryError ? error.message : "see the server log.";
      return skipTracking(`The page could not be compared with its history: ${reason}`);
    }
  };
  return Object.assign(track, { comparesInWords: parts.models.role("fast") !== undefined });
}

const skipTracking = (warning: string): TrackingResult => ({
  changeTracking: undefined,
  warnings: [warning],
});

const isGone = ({ statusCode }: Capture): boolean => statusCode === 404 || statusCode === 410;

/** Returns the reason why the page is not a version. */
function findObjection({ capture, verdict, markdown }: TrackedPage): string | undefined {
  if (isGone(capture)) return undefined;
  if (verdict.kind === "partial") return "Not all of the page came";
  if (verdict.kind !== "content") return `What came is not the page (${verdict.reason})`;
  return markdown.trim() === "" ? "The page has no text" : undefined;
}

async function trackAgain(parts: TrackParts, work: Work): Promise<TrackingResult> {
  const { changeHistories: histories } = await parts.store();
  const where: HistoryScope = {
    accountId: work.scope.accountId,
    url: removeUserinfoFromText(work.options.url, work.url),
    tag: work.format.tag,
  };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    work.deadline.check();
    const history = await histories.load(where);
    const tracked = isGone(work.capture)
      ? await recordGone(histories, where, history, work)
      : await addVersion(histories, where, history, work, parts.models);
    if (tracked !== undefined) return tracked;
  }
  return skipTracking("Too many scrapes of this page ran at once to compare it in time.");
}

/** Undefined if another scrape changed the history meanwhile. */
async function recordGone(
  histories: ChangeHistoryStore,
  where: HistoryScope,
  history: ChangeHistory,
  { scope, capture, fromCache }: Work,
): Promise<TrackingResult | undefined> {
  const { crawlKey, jobId } = scope;
  if (crawlKey !== undefined && jobId !== undefined && history.revision > 0) {
    const gone = { crawlKey, jobId };
    if (!(await histories.save(where, history.revision, { drop: [], gone }))) return undefined;
  }
  const [previous] = listEarlierVersions(history, scope, fromCache ? capture : undefined);
  const changeTracking = describe("removed", previous, scope);
  return { changeTracking, warnings: [] };
}

async function addVersion(
  histories: ChangeHistoryStore,
  where: HistoryScope,
  history: ChangeHistory,
  work: Work,
  models: TrackParts["models"],
): Promise<TrackingResult | undefined> {
  const { capture, markdown, scope, fromCache } = work;
  const earlier = listEarlierVersions(history, scope, fromCache ? capture : undefined);
  const tracked = await compareWith(earlier, work, models);
  const textHash = hashText(markdown);
  const isKept = history.versions.some(
    (version) => version.fetchedAt === capture.fetchedAt && version.textHash === textHash,
  );
  if (fromCache && isKept) return tracked;
  const { crawlKey, jobId } = scope;
  const saved = await histories.save(where, history.revision, {
    version: {
      fetchedAt: capture.fetchedAt,
      jobId: jobId ?? null,
      textHash,
      madeWith: describeOptions(work),
      body: { markdown, values: work.values } satisfies VersionBody,
    },
    drop: listOutdated(history, scope, capture.fetchedAt, textHash),
    ...(crawlKey === undefined || jobId === undefined ? {} : { seen: { crawlKey, jobId } }),
  });
  return saved ? tracked : undefined;
}

/** Newest first. A cached page is compared with the versions from before its fetch. */
function listEarlierVersions(
  { versions }: ChangeHistory,
  { jobId }: TrackingScope,
  cached: Capture | undefined,
): readonly ChangeVersion[] {
  return versions.filter(
    (version) =>
      (jobId === undefined || version.jobId !== jobId) &&
      (cached === undefined || version.fetchedAt <= cached.fetchedAt),
  );
}

/** Versions to drop when this one is added. */
function listOutdated(
  { versions }: ChangeHistory,
  { jobId }: TrackingScope,
  fetchedAt: number,
  textHash: string,
): string[] {
  const own = versions.filter((version) => jobId !== undefined && version.jobId === jobId);
  const others = versions.filter((version) => !own.includes(version));
  const [last, beforeLast] = others;
  const isMiddle =
    last?.textHash === textHash && beforeLast?.textHash === textHash && last.fetchedAt <= fetchedAt;
  const kept = isMiddle ? others.slice(1) : others;
  const dropped = [...own, ...(isMiddle ? [last] : []), ...kept.slice(MAX_VERSIONS - 1)];
  return dropped.map(({ id }) => id);
}

async function compareWith(
  earlier: readonly ChangeVersion[],
  work: Work,
  models: TrackParts["models"],
): Promise<TrackingResult> {
  const { scope, format, markdown, capture } = work;
  const [previous, ...older] = earlier;
  if (previous === undefined)
    return { changeTracking: describe("new", undefined, scope), warnings: [] };
  const difference = classifyDifference(previous.textHash, hashText(markdown));
  if (difference !== "text") {
    const same = difference === "none" ? SAME : SAME_BUT_WHITESPACE;
    return { changeTracking: describe("same", previous, scope, same), warnings: [] };
  }
  const body = (await previous.load()) as VersionBody | undefined;
  if (body === undefined)
    return {
      changeTracking: describe("changed", previous, scope),
      warnings: ["The text of the last snapshot is lost, so the change cannot be shown."],
    };
  const comparison = await compareVersions(
    { markdown: body.markdown, fetchedAt: previous.fetchedAt },
    { markdown, fetchedAt: capture.fetchedAt },
    { ignoreNoise: format.ignoreNoise, earlier: () => loadAll(older) },
  );
  const fields = await compareJson(body, work, comparison.changed, models);
  // Fields requested by name are never noise.
  const isChanged = comparison.changed || Object.keys(fields.changes ?? {}).length > 0;
  const changeTracking = describe(isChanged ? "changed" : "same", previous, scope, comparison);
  if (isChanged && format.modes.includes("git-diff"))
    changeTracking.diff = buildDiff(body.markdown, markdown, comparison);
  if (isChanged && fields.changes !== undefined) changeTracking.json = fields.changes;
  const isOtherwise = isChanged && previous.madeWith !== describeOptions(work);
  return {
    changeTracking,
    warnings: [...fields.warnings, ...(isOtherwise ? [OTHER_OPTIONS] : [])],
  };
}

type ComparisonResult = {
  readonly changes: FieldChanges | undefined;
  readonly warnings: readonly string[];
};

/** Mode json. Compares field by field with a schema, or when no model can compare texts. */
async function compareJson(
  body: VersionBody,
  { format, markdown, values, deadline }: Work,
  changed: boolean,
  models: TrackParts["models"],
): Promise<ComparisonResult> {
  if (!format.modes.includes("json")) return { changes: undefined, warnings: [] };
  const model = models.role("fast");
  if (format.schema === undefined && model !== undefined) {
    if (!changed) return { changes: undefined, warnings: [] };
    const texts = { previous: body.markdown, current: markdown };
    const request = { ...texts, prompt: format.prompt ?? "", inputTokens: models.inputTokens };
    return await askForChanges(model, request, deadline);
  }
  if (values === undefined) return { changes: undefined, warnings: [NO_TASK] };
  if (body.values?.task !== values.task) return { changes: undefined, warnings: [OTHER_TASK] };
  return { changes: compareFields(body.values.value, values.value), warnings: [] };
}

const NO_TASK =
  "changeTracking: mode json needs a schema or a prompt where no language model is configured (QUARRY_MODEL).";
const OTHER_TASK =
  "changeTracking: the last snapshot has no values for this schema and prompt; they are compared from the next scrape on.";
const OTHER_OPTIONS =
  "The snapshot was made with other options, which may have caused the change; give scrapes with other options a tag of their own.";

/** Oldest first. */
async function loadAll(versions: readonly ChangeVersion[]) {
  const loaded = [];
  for (const version of versions.toReversed()) {
    const body = (await version.load()) as VersionBody | undefined;
    if (body !== undefined) loaded.push({ markdown: body.markdown, fetchedAt: version.fetchedAt });
  }
  return loaded;
}

function describe(
  changeStatus: ChangeTracking["changeStatus"],
  previous: ChangeVersion | undefined,
  { hidden = false }: TrackingScope,
  comparison?: Comparison,
): ChangeTracking {
  const noise =
    comparison === undefined || comparison.noise.kinds.length === 0 ? undefined : comparison.noise;
  return {
    previousScrapeAt: previous === undefined ? null : new Date(previous.fetchedAt).toISOString(),
    changeStatus,
    visibility: hidden ? "hidden" : "visible",
    ...(noise === undefined ? {} : { noise: { lines: noise.lines, kinds: [...noise.kinds] } }),
  };
}

/** The options that the text of a page depends on, as a short text. */
function describeOptions({ options }: TrackedPage): string {
  const {
    onlyMainContent,
    includeTags,
    excludeTags,
    removeBase64Images,
    mobile,
    location,
    parsers,
    markdown,
  } = options;
  const shaping = [
    onlyMainContent,
    includeTags,
    excludeTags,
    removeBase64Images,
    mobile,
    location,
    parsers,
    ...(markdown === undefined ? [] : [markdown]),
  ];
  return createHash("sha256").update(JSON.stringify(shaping)).digest("base64url").slice(0, 16);
}
