// Decides by the conditions of a monitor whether a change notifies.
import type { Condition, Conditions } from "../contract/jobs/monitor-rules.ts";
import { findFirstNumber } from "../formats/json/values/coerce.ts";
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
  const line = page.text.split("\n").find((text) => includes(text, near ?? ""));
  if (line === undefined) return undefined;
  // The text itself may contain a number, as in "Model 3 price".
  const at = line.toLowerCase().indexOf((near ?? "").toLowerCase());
  return (
    findFirstNumber(at === -1 ? line : line.slice(at + (near ?? "").length)) ??
    findFirstNumber(line)
  );
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
  if (met.length === 0) return { notifies, reason: "No condition is met." };
  return {
    notifies,
    reason: notifies ? `Met: ${names}.` : `Not all conditions are met, only: ${names}.`,
  };
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
