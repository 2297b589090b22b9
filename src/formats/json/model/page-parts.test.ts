import { describe, expect, it } from "vitest";
import { readShape } from "../../../runtime/json-schema/shape.ts";
import type { CountedLine, ModelPage } from "../../model/model-page.ts";
import { choosePageParts, listWantedWords, type PageParts } from "./page-parts.ts";

const line = (text: string, more: Partial<CountedLine> = {}): CountedLine => ({
  text,
  places: [{ ref: text.split(" ", 1)[0] ?? "", words: text.replace(/^\S+ \S+ /, "") }],
  level: 0,
  isAside: false,
  isData: false,
  tokens: 10,
  ...more,
});

const pageOf = (lines: readonly CountedLine[], left = 0): ModelPage => ({
  lines,
  left,
  base: "https://site.example/",
  order: "day-first",
});

const SCHEMA = readShape({ type: "object", properties: { warranty: { type: "string" } } });

const choose = (
  lines: readonly CountedLine[],
  more: { room?: number; maxParts?: number; inOrder?: boolean; left?: number } = {},
): PageParts =>
  choosePageParts(pageOf(lines, more.left), {
    wanted: listWantedWords(SCHEMA, ""),
    room: more.room ?? 200,
    maxParts: more.maxParts ?? 12,
    inOrder: more.inOrder ?? false,
  });

const LONG = [
  line("n1 h1 Deck lamp", { level: 1 }),
  ...Array.from({ length: 40 }, (_, at) => line(`n${at + 2} p Sentence ${at}`)),
  line("n50 h2 Guarantee", { level: 2 }),
  line("n51 p Warranty 2 years"),
];

describe("choosePageParts", () => {
  it("returns a small page as one part, with navigation at its end", () => {
    const { parts, left } = choose([line("n1 a Home", { isAside: true }), line("n2 h1 Lamp")]);
    expect(parts).toEqual([{ text: "n2 h1 Lamp\nn1 a Home", note: "" }]);
    expect(left).toBe(0);
  });

  it("returns the most relevant sections first", () => {
    const { parts } = choose(LONG);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0]?.text).toContain("Warranty 2 years");
    expect(parts.at(-1)?.text).not.toContain("Warranty");
    expect(parts[0]?.note).toBe(`This is part 1 of ${parts.length}.`);
  });

  it("keeps page order when the answer holds lists", () => {
    const { parts } = choose(LONG, { inOrder: true });
    expect(parts[0]?.text).toMatch(/^n1 h1 Deck lamp\nn2 /);
    expect(parts.at(-1)?.text).toContain("Warranty 2 years");
  });

  it("leaves out the least relevant lines and reports their number", () => {
    const { parts, left } = choose(LONG, { maxParts: 1 });
    expect(parts).toHaveLength(1);
    expect(parts[0]?.text).toContain("Warranty 2 years");
    expect(left).toBeGreaterThan(20);
    expect(parts[0]?.note).toBe(`${left} less relevant lines of the page were left out.`);
    expect(choose([line("n1 p Text")], { left: 3 }).parts[0]?.note).toBe(
      "3 less relevant lines of the page were left out.",
    );
  });

  it("creates parts of equal size within the token limit, without losing a line", () => {
    for (const inOrder of [true, false]) {
      const { parts } = choose(LONG, { inOrder });
      const sizes = parts.map(
        ({ text }) => text.split("\n").filter((row) => !/\(c/.test(row)).length,
      );
      expect(Math.max(...sizes) * 10).toBeLessThanOrEqual(200);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(9);
      const shown = new Set(parts.flatMap(({ text }) => text.split("\n")));
      for (const { text } of LONG) expect(shown).toContain(text);
    }
  });

  it("repeats the heading and the names of the columns in a part that starts below them", () => {
    const head = "n2 tr | Name | Age";
    const rows = Array.from({ length: 40 }, (_, at) =>
      line(`n${at + 3} tr | Person ${at} | ${at}`, { headLine: head }),
    );
    const { parts } = choose([line("n1 h2 Staff", { level: 2 }), line(head), ...rows], {
      inOrder: true,
    });
    expect(parts.length).toBeGreaterThan(1);
    for (const { text } of parts.slice(1))
      expect(text.split("\n").slice(0, 2)).toEqual([
        "n1 h2 Staff (continued)",
        `${head} (column names)`,
      ]);
  });

  it("cuts a line that is longer than a part", () => {
    const { parts } = choose([line(`n1 p ${"word ".repeat(300)}`, { tokens: 330 })]);
    expect(
      parts
        .map(({ text }) => text)
        .join("")
        .match(/word/g),
    ).toHaveLength(300);
  });
});
