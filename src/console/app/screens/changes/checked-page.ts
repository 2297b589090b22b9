// A page of a check: what changed by words, fields and pictures, and how it was judged.
import type { VNode } from "preact";
import type { MonitorPage } from "../../../../contract/jobs/monitor-report.ts";
import { toOwnAddress } from "../../data/format.ts";
import { button } from "../../ui/button.ts";
import { dom } from "../../ui/dom.ts";
import { diffView, parseDiff, type DiffHunk } from "../../ui/diff-view.ts";
import { badge, statusBadge } from "../../ui/status.ts";
import { url } from "../../ui/values.ts";
import { fieldTable } from "./page-history.ts";
import { toLinePattern } from "./monitor-facts.ts";
import type { Verdict } from "./line-feedback.ts";

export type JudgedLines = { readonly verdict: Verdict; readonly lines: readonly string[] };

/** The lines of a hunk that a rule may ignore; of those that one rule ignores, the first. */
function listChanged({ lines }: DiffHunk): string[] {
  const byPattern = new Map<string, string>();
  for (const { kind, text } of lines) {
    const pattern = toLinePattern(text);
    if (kind !== "same" && text.trim() !== "" && !byPattern.has(pattern))
      byPattern.set(pattern, text);
  }
  return [...byPattern.values()];
}

/** Fields of the format json; a diff of lines has a tree in their place. */
const listFields = (json: Readonly<Record<string, unknown>> = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(json).filter(
      ([, change]) =>
        typeof change === "object" &&
        change !== null &&
        ("previous" in change || "current" in change),
    ),
  );

type PictureDiff = NonNullable<NonNullable<MonitorPage["diff"]>["picture"]>;

/** Links name the public address of the server; the console shows what it can load itself. */
function pictures({ share, before, after, difference }: PictureDiff): VNode {
  const shown = [
    ["Before", before],
    ["After", after],
    ["Difference", difference],
  ] as const;
  return dom.div(
    { class: "stack tight" },
    dom.p({ class: "small soft" }, `${formatShare(share)} of the pixels differ.`),
    dom.div(
      { class: "check-pictures" },
      ...shown.map(([name, link]) =>
        dom.figure(
          { key: name },
          dom.figcaption({ class: "small soft" }, name),
          dom.a(
            { href: toOwnAddress(link), target: "_blank", rel: "noopener" },
            dom.img({
              class: "shot",
              src: toOwnAddress(link),
              alt: `${name}: picture of the page`,
            }),
          ),
        ),
      ),
    ),
  );
}

const formatShare = (share: number): string =>
  share > 0 && share < 0.001 ? "Less than 0.1 %" : `${(share * 100).toFixed(1)} %`;

/** Without a judgment, the event of the page says whether channels were told. */
function verdictBadge({ event, judgment }: MonitorPage): VNode | undefined {
  const notifies = typeof event === "string" || judgment?.meaningful === true;
  if (!notifies && !judgment) return undefined;
  return badge(
    notifies ? "notifies" : "does not notify",
    notifies ? "blue" : "gray",
    notifies ? "check" : "dash",
  );
}

export type CheckedPageProps = {
  /** Marks the words of a changed line that differ, instead of the whole line. */
  readonly marksWords: boolean;
  readonly onJudge: (judged: JudgedLines) => void;
};

export const hasTextDiff = ({ diff }: MonitorPage): boolean => (diff?.text ?? "") !== "";

export function checkedPage(page: MonitorPage, { marksWords, onJudge }: CheckedPageProps): VNode {
  const { text, picture } = page.diff ?? {};
  const fields = listFields(page.diff?.json);
  return dom.li(
    { key: page.id, class: "stack tight" },
    dom.div({ class: "row wrap" }, statusBadge(page.status), url(page.url, 80), verdictBadge(page)),
    page.judgment?.reason !== undefined &&
      dom.p({ class: "small soft", dir: "auto" }, page.judgment.reason),
    typeof page.error === "string" && dom.p({ class: "small fault", dir: "auto" }, page.error),
    hasTextDiff(page) &&
      diffView({
        hunks: parseDiff(text ?? ""),
        before: "Before",
        after: "After",
        marksWords,
        actions: (hunk) => {
          const lines = listChanged(hunk);
          return (
            lines.length > 0 &&
            dom.span(
              { class: "row" },
              button({
                label: "This matters",
                kind: "quiet",
                small: true,
                onClick: () => onJudge({ verdict: "matters", lines }),
              }),
              button({
                label: "Ignore changes like this",
                kind: "quiet",
                small: true,
                onClick: () => onJudge({ verdict: "ignore", lines }),
              }),
            )
          );
        },
      }),
    picture !== undefined && pictures(picture),
    Object.keys(fields).length > 0 && fieldTable(fields),
  );
}
