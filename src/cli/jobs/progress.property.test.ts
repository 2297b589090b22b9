import {
  assert,
  constantFrom,
  dictionary,
  integer,
  option,
  property,
  record,
  string,
} from "fast-check";
import { expect, it } from "vitest";
import { LEDGER_STATES } from "../../contract/jobs/url-outcomes.ts";
import { renderProgress, type Paint, type Progress } from "./progress.ts";
import { clip, clipMiddle, toPlainLine, measureWidth } from "../terminal/terminal-text.ts";

const plain: Paint = (_style, text) => text;
const text = string({ unit: "binary", maxLength: 200 });
const number = integer({ min: 0, max: 10_000_000 });
const maybe = { nil: undefined };

it("no progress line is wider than the terminal for any job and page", () => {
  const progress = record({
    title: text,
    status: constantFrom("scraping", "completed", "failed", "cancelled"),
    completed: number,
    total: number,
    sums: dictionary(constantFrom(...LEDGER_STATES), number),
    creditsUsed: number,
    pagesPerSecond: option(integer({ min: 0, max: 5_000 }), maybe),
    elapsedMs: number,
    current: option(text, maybe),
    written: option(record({ count: number, where: text }), maybe),
    trouble: option(text, maybe),
  });
  assert(
    property(progress, integer({ min: 1, max: 200 }), (state, columns) =>
      renderProgress(state as Progress, columns, plain).every(
        (line) => measureWidth(line) <= columns && !/\p{Cc}/u.test(line),
      ),
    ),
  );
});

it("a clipped text fits, and one that fits is not clipped", () => {
  assert(
    property(text, integer({ min: 0, max: 100 }), (raw, columns) => {
      const line = toPlainLine(raw);
      const fits = measureWidth(line) <= columns;
      return [clip(line, columns), clipMiddle(line, columns)].every(
        (cut) => measureWidth(cut) <= columns && (!fits || cut === line),
      );
    }),
  );
});

it("removed characters leave no double spaces behind", () => {
  expect(toPlainLine("¡\t\0\t! \u202e\0a\0b\n")).toBe("¡ ! ab");
});

it("toPlainLine is idempotent and removes control characters", () => {
  assert(
    property(text, (raw) => {
      const line = toPlainLine(raw);
      return toPlainLine(line) === line && !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(line);
    }),
  );
});
