// Decides by the conditions of a monitor whether a change notifies.
import type { Condition, Conditions } from "../contract/jobs/monitor-rules.ts";
import { findFirstNumber } from "../formats/json/values/coerce.ts";
import { replaceImages } from "../formats/markdown/strip-links.ts";
import { toPlainText } from "../formats/markdown/to-plain-text.ts";
import { readField } from "./compare-page.ts";
import { describeCondition } from "./describe-condition.ts";

export type ComparedPage = {
  readonly text: string;
  readonly values?: unknown;
  readonly title: string | null;
  readonly statusCode: number;
  readonly finalUrl: string;
};

export type ComparedChange = {
  readonly previous: ComparedPage;
  readonly current: ComparedPage;
  /** Changed lines that count. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
};

export type ConditionsVerdict = { readonly notifies: boolean; readonly reason: string };

const fold = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, " ");
const includes = (text: string, part: string): boolean => fold(text).includes(fold(part));
const hasLineWith = (lines: readonly string[], part: string): boolean =>
  lines.some((line) => includes(line, part));

type NumberCondition = Extract<
  Condition,
  { type: "numberAbove" | "numberBelow" | "numberChangedByPercent" }
>;

function readNumber({ field, near }: NumberCondition, page: ComparedPage): number | undefined {
  if (field !== undefined) {
    const value = readField(page.values, field);
    if (typeof value === "number") return value;
    return typeof value === "string" ? findFirstNumber(value) : undefined;
  }
  if (near === undefined) return findFirstInLines(page);
  const line = findLineWith(page, near);
  if (line === undefined) return undefined;
  const text = toSearchText(near);
  return findFirstNumber(line.slice(line.indexOf(text) + text.length));
}

/** Folded lines of pages as they are shown. */
const shownLines = new WeakMap<ComparedPage, readonly string[]>();

/** A line such as `[1]: https://shop.example/20`, which Markdown does not show. */
const LINK_DEFINITION = /^\s{0,3}\[[^\]]{1,200}\]: {0,10}<?(?:https?:|mailto:|#|\.{0,2}\/)/i;
const URLS = /https?:\/\/\S{1,2000}/gi;
/** Markers of a folded line, also of a list in a list item: `- 1. Offers`. */
const LIST_MARKERS = /^ ?(?:(?:[-*+]|\d{1,9}[.)]) (?=\S)){1,5}/;

/** Lines without the URLs of links and images, which are not shown and may have numbers. */
function listShownLines(page: ComparedPage): readonly string[] {
  let lines = shownLines.get(page);
  if (lines === undefined) {
    const markdown = replaceImages(page.text, (alt) => (/\d/.test(alt) ? "" : alt));
    lines = toPlainText(markdown)
      .split("\n")
      .filter((line) => !LINK_DEFINITION.test(line))
      .map((line) => fold(line.replaceAll(URLS, "")));
    shownLines.set(page, lines);
  }
  return lines;
}

/** A text may be given as shown or as Markdown, as diffs have it: `**Price**`. */
const toSearchText = (text: string): string => fold(toPlainText(text) || text);

function findLineWith(page: ComparedPage, part: string): string | undefined {
  const text = toSearchText(part);
  return listShownLines(page).find((line) => line.includes(text));
}

function findFirstInLines(page: ComparedPage): number | undefined {
  for (const line of listShownLines(page)) {
    const found = findFirstNumber(line.replace(LIST_MARKERS, ""));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names the text, number or field that a condition needs and the page does not have. */
function describeMissing(condition: Condition, page: ComparedPage): string | undefined {
  switch (condition.type) {
    case "fieldChanged":
    case "fieldEquals":
      return describeMissingField(condition.field, page);
    case "numberAbove":
    case "numberBelow":
    case "numberChangedByPercent": {
      if (readNumber(condition, page) !== undefined) return undefined;
      const { field, near } = condition;
      if (field !== undefined)
        return describeMissingField(field, page) ?? `The field ${field} has no number.`;
      if (near === undefined) return "There is no number in the compared text.";
      return findLineWith(page, near) === undefined
        ? `"${near}" is not in the compared text.`
        : `There is no number after "${near}" on its line.`;
    }
    default:
      return undefined;
  }
}

const describeMissingField = (field: string, { values }: ComparedPage): string | undefined =>
  readField(values, field) === undefined ? `The page's json has no field ${field}.` : undefined;

/** What is missing in the page now, or in the last version for a comparison with it. */
function listMissing(conditions: readonly Condition[], { previous, current }: ComparedChange) {
  const missing = conditions.flatMap((condition) => {
    const now = describeMissing(condition, current);
    if (condition.type === "fieldChanged" && describeMissing(condition, previous) === undefined)
      return [];
    if (now !== undefined) return [now];
    const before =
      condition.type === "numberChangedByPercent"
        ? describeMissing(condition, previous)
        : undefined;
    return before === undefined ? [] : [`In the last version: ${before}`];
  });
  return [...new Set(missing)];
}

function checkNumber(condition: NumberCondition, { previous, current }: ComparedChange): boolean {
  const before = readNumber(condition, previous);
  const now = readNumber(condition, current);
  if (now === undefined) return false;
  const { value } = condition;
  if (condition.type === "numberAbove")
    return now > value && !(before !== undefined && before > value);
  if (condition.type === "numberBelow")
    return now < value && !(before !== undefined && before < value);
  if (before === undefined) return false;
  if (before === 0) return now !== 0;
  return (Math.abs(now - before) / Math.abs(before)) * 100 >= value;
}

const isUrl = (text: string): boolean => /https?:\/\/\S/.test(text);
const listUrls = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.match(/https?:\/\/[^\s)\]>"']{1,2000}/g) ?? []);

function check(condition: Condition, change: ComparedChange): boolean {
  const { previous, current, added, removed } = change;
  switch (condition.type) {
    case "textAppears":
      return includes(current.text, condition.text) && !includes(previous.text, condition.text);
    case "textDisappears":
      return !includes(current.text, condition.text) && includes(previous.text, condition.text);
    case "textAdded":
      return hasLineWith(added, condition.text);
    case "textRemoved":
      return hasLineWith(removed, condition.text);
    case "numberAbove":
    case "numberBelow":
    case "numberChangedByPercent":
      return checkNumber(condition, change);
    case "fieldChanged":
      return (
        JSON.stringify(readField(previous.values, condition.field)) !==
        JSON.stringify(readField(current.values, condition.field))
      );
    case "fieldEquals": {
      const isEqual = (page: ComparedPage): boolean =>
        (readField(page.values, condition.field) ?? null) === condition.value;
      return isEqual(current) && !isEqual(previous);
    }
    case "statusChanged":
      return previous.statusCode !== current.statusCode;
    case "redirectChanged":
      return previous.finalUrl !== current.finalUrl;
    case "titleChanged":
      return previous.title !== current.title;
    case "newUrls": {
      const known = new Set(listUrls([previous.text]));
      return added.some(isUrl) && listUrls(added).some((url) => !known.has(url));
    }
  }
}

/** Without conditions, all changes notify. */
export function checkConditions(
  conditions: Conditions | null,
  change: ComparedChange,
): ConditionsVerdict {
  if (conditions === null) return { notifies: true, reason: "" };
  const met = conditions.conditions.filter((condition) => check(condition, change));
  const notifies =
    conditions.match === "any" ? met.length > 0 : met.length === conditions.conditions.length;
  const names = met.map(describeCondition).join(", ");
  if (notifies) return { notifies, reason: `Met: ${names}.` };
  const unmet = conditions.conditions.filter((condition) => !met.includes(condition));
  const reason =
    met.length === 0 ? "No condition is met." : `Not all conditions are met, only: ${names}.`;
  return { notifies, reason: [reason, ...listMissing(unmet, change)].join(" ") };
}

/** Facts beside the text that conditions need. */
export function listWatchedFacts(
  conditions: Conditions | null,
): ("title" | "statusCode" | "finalUrl")[] {
  const types = new Set(conditions?.conditions.map(({ type }) => type));
  return [
    ...(types.has("titleChanged") ? (["title"] as const) : []),
    ...(types.has("statusChanged") ? (["statusCode"] as const) : []),
    ...(types.has("redirectChanged") ? (["finalUrl"] as const) : []),
  ];
}
