// Compares the values of an extractor with the expected values of a page.
import type { ExtractorExample, TestResponse } from "../contract/extractors/extractor.ts";
import { foldBlanks } from "../extractors/convert.ts";
import { toMinutes } from "../extractors/units.ts";
import { parseDateText } from "../html/metadata/date-text.ts";
import { parseNumber } from "../page-model/parse-number.ts";
import { readTypedValues } from "../page-model/typed-values.ts";
import { isObject } from "../runtime/is-object.ts";
import { escape } from "../runtime/json-schema/pointer.ts";
import type { FetchedPage } from "./fetch-pages.ts";

export type Difference = {
  readonly pointer: string;
  readonly expected: unknown;
  /** Missing if the extractor gave no value. */
  readonly given?: unknown;
};

export type Comparison = {
  readonly counts: Readonly<Record<string, { right: number; wrong: number; missing: number }>>;
  readonly differences: readonly Difference[];
};

/**
 * Expected values are written as on the page; null expects no value, and an omitted field is not
 * compared.
 */
export function compareValues(expected: unknown, given: unknown): Comparison {
  const counts = new Map<string, { right: number; wrong: number; missing: number }>();
  const differences: Difference[] = [];
  const note = (name: string, verdict: "right" | "wrong" | "missing"): void => {
    const count = counts.get(name) ?? { right: 0, wrong: 0, missing: 0 };
    count[verdict] += 1;
    counts.set(name, count);
  };
  const open = [{ expected, given, pointer: "", name: "" }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { pointer, name } = entry;
    if (isListOfObjects(entry.expected)) {
      const found: readonly unknown[] = Array.isArray(entry.given) ? entry.given : [];
      for (const [at, record] of entry.expected.entries())
        open.push({
          expected: record,
          given: findClosest(record, found),
          pointer: `${pointer}/${at}`,
          name,
        });
    } else if (isObject(entry.expected)) {
      for (const [key, value] of Object.entries(entry.expected))
        open.push({
          expected: value,
          given: isObject(entry.given) ? entry.given[key] : undefined,
          pointer: `${pointer}/${escape(key)}`,
          name: name === "" ? key : `${name}.${key}`,
        });
    } else {
      const verdict = judge(entry.expected, entry.given);
      if (verdict === "silent") continue;
      note(name, verdict);
      if (verdict !== "right")
        differences.push({
          pointer,
          expected: entry.expected,
          ...(entry.given === undefined ? {} : { given: entry.given }),
        });
    }
  }
  return { counts: Object.fromEntries(counts), differences: differences.toReversed() };
}

type JsonObject = Readonly<Record<string, unknown>>;
const isListOfObjects = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item));

function judge(expected: unknown, given: unknown): "right" | "wrong" | "missing" | "silent" {
  if (given === undefined || given === null)
    return expected === null || expected === undefined ? "silent" : "missing";
  if (expected === null) return "wrong";
  return isSame(expected, given) ? "right" : "wrong";
}

/** True if a text of an example equals the typed value of the extractor. */
function isSame(expected: unknown, given: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(given) &&
      given.length === expected.length &&
      expected.every((item, at) => isSame(item, given[at]))
    );
  if (typeof expected !== "string") return expected === given;
  if (typeof given === "number") return readAmounts(expected).includes(given);
  if (typeof given === "boolean")
    return expected === String(given) || !/^(?:true|false)$/.test(expected);
  if (typeof given !== "string") return false;
  const [one, other] = [foldBlanks(expected), foldBlanks(given)];
  return (
    one === other ||
    parseDateText(one, "day-first") === other ||
    parseDateText(one, "month-first") === other ||
    (/^https?:/.test(other) && other.endsWith(one) && one.startsWith("/"))
  );
}

/** Numbers that a text of an example may represent. */
const readAmounts = (text: string): (number | undefined)[] => [
  parseNumber(text),
  parseNumber(text, "money"),
  toMinutes(text),
  ...readTypedValues(text, "day-first").map(({ amount }) => amount),
  ...[...text.matchAll(/[-−+]?\d[\d.,'’]*/gu)].map(([digits]) => parseNumber(digits)),
];

/** The record with the most common values. */
function findClosest(record: JsonObject, found: readonly unknown[]): unknown {
  let best: unknown;
  let max = 0;
  for (const each of found) {
    if (!isObject(each)) continue;
    const common = Object.entries(record).filter(([key, value]) => isSame(value, each[key])).length;
    if (common > max) [best, max] = [each, common];
  }
  return best;
}

/** Compares the pages with the data expected of each; sums the counts of each field. */
export function compareCases(
  cases: readonly ExtractorExample[],
  pages: readonly FetchedPage[],
): TestResponse["data"] {
  const fields = new Map<string, { right: number; wrong: number; missing: number }>();
  let passed = true;
  const results = cases.map(({ url, data }, at) => {
    const page = pages[at];
    const given = page !== undefined && "document" in page ? page.document.json : undefined;
    const { counts, differences } = compareValues(data, given);
    for (const [name, count] of Object.entries(counts)) {
      const sum = fields.get(name) ?? { right: 0, wrong: 0, missing: 0 };
      fields.set(name, {
        right: sum.right + count.right,
        wrong: sum.wrong + count.wrong,
        missing: sum.missing + count.missing,
      });
    }
    passed &&= differences.length === 0;
    const error = page !== undefined && "error" in page ? page.error.message : undefined;
    return { url, differences: [...differences], ...(error === undefined ? {} : { error }) };
  });
  return { passed, fields: Object.fromEntries(fields), pages: results };
}
