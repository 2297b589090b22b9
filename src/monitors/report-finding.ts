// The report on one page of a check: whether channels are notified and why, and its fields on the
// wire.
import type { NoticeEvent } from "../contract/jobs/monitor-channels.ts";
import type { CheckPage } from "../store/monitors/monitor-checks.ts";
import type { PageFinding } from "./check-page.ts";
import { checkConditions } from "./conditions.ts";
import type { JudgeChange, Judgment } from "./judge.ts";
import type { MonitorSettings } from "./settings.ts";
import { describeShare, type ShownPicture } from "./shown-picture.ts";

const MAX_DIFF_CHARACTERS = 200_000;

type Judging = {
  readonly judge: JudgeChange;
  readonly settings: MonitorSettings;
  readonly signal: AbortSignal;
};

export type FindingReport = {
  readonly event?: NoticeEvent;
  readonly reason: string;
  readonly judgment: Judgment | null;
};

/** Decides whether channels are notified, with the reason. */
export async function judgeFinding(
  judging: Judging,
  url: string,
  finding: PageFinding,
  isNews: boolean,
): Promise<FindingReport> {
  const report = await judgeDifference(judging, url, finding, isNews);
  const { event } = finding;
  if (event === undefined || report.event !== undefined) return report;
  if (event === "broken") return { ...report, event };
  return { ...report, event, reason: `The page can be read again. ${report.reason}`.trim() };
}

/** Judges what differs from the last version. */
async function judgeDifference(
  { judge, settings, signal }: Judging,
  url: string,
  finding: PageFinding,
  isNews: boolean,
): Promise<FindingReport> {
  const { status, difference, previous, seen } = finding;
  if (status === "removed") return { event: "change", reason: "The page is gone.", judgment: null };
  if (status === "new" && isNews)
    return { event: "change", reason: "The page is new.", judgment: null };
  if (status !== "changed" || difference === undefined || previous === null || seen.kind !== "page")
    return { reason: finding.reason ?? "", judgment: null };
  const { added, removed } = difference;
  const verdict = checkConditions(settings.when, { previous, current: seen, added, removed });
  if (!verdict.notifies) return { reason: verdict.reason, judgment: toJudgment(verdict.reason) };
  const { goal, judgeEnabled } = settings;
  if (goal === null || goal === "" || !judgeEnabled) {
    const { picture } = difference;
    const reason = picture === undefined ? verdict.reason : describeShare(picture);
    return { event: "change", reason, judgment: null };
  }
  if (difference.picture !== undefined)
    return {
      event: "change",
      reason: `${describeShare(difference.picture)} A goal cannot judge pictures.`,
      judgment: null,
    };
  const diff = difference.diff?.text ?? JSON.stringify(difference.fields ?? {});
  const judgment = await judge(goal, { url, added, removed, diff }, signal);
  return {
    ...(judgment.meaningful && { event: "change" as const }),
    reason: judgment.reason,
    judgment,
  };
}

const toJudgment = (reason: string): Judgment => ({
  meaningful: false,
  confidence: "high",
  reason,
  meaningfulChanges: [],
});

/** Fields of a page in its wire format, except URL and status. */
export function describeFinding(
  finding: PageFinding,
  { event, judgment }: Pick<FindingReport, "event" | "judgment">,
  picture: ShownPicture | undefined,
): CheckPage["about"] {
  const { seen, previous, difference, status, reason, state } = finding;
  const page = seen.kind === "page" ? seen : seen.kind === "unchanged" ? previous : undefined;
  const text = difference?.diff?.text;
  const isLong = (text?.length ?? 0) > MAX_DIFF_CHARACTERS;
  const fields = difference?.fields;
  const json = {
    ...(difference?.diff !== undefined && !isLong && { files: difference.diff.json.files }),
    ...fields,
  };
  const diff =
    difference === undefined
      ? null
      : {
          ...(text !== undefined && { text: text.slice(0, MAX_DIFF_CHARACTERS) }),
          ...(Object.keys(json).length > 0 && { json }),
          ...(picture !== undefined && { picture }),
        };
  return {
    previousScrapeId: previous?.scrapeId ?? null,
    currentScrapeId: seen.scrapeId,
    statusCode: seen.statusCode,
    error: status === "error" ? (reason ?? null) : null,
    metadata: {
      ...(page && { title: page.title, url: page.finalUrl }),
      ...(status !== "error" && reason !== undefined && { note: reason }),
      ...(state.brokenSince !== null && {
        brokenSince: new Date(state.brokenSince).toISOString(),
        failedChecks: state.failures,
      }),
    },
    diff,
    snapshot: page?.values === undefined ? null : { json: toFields(page.values) },
    event: event ?? null,
    judgment,
  };
}

const toFields = (values: unknown): Record<string, unknown> =>
  typeof values === "object" && values !== null && !Array.isArray(values)
    ? (values as Record<string, unknown>)
    : { value: values };
