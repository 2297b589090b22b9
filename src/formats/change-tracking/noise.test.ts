// Two versions of a page, without earlier ones: which lines are noise, and which are edits. `test/noise/lines.json` has
// single lines; each file in `test/noise/pages` has whole pages, as `{name, before, after, isChange}`.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../../test/growth.ts";
import { compareVersions } from "./compare.ts";
import { maskLine } from "./masks.ts";

const FOLDER = new URL("../../../test/noise/", import.meta.url);
const BEFORE = Date.UTC(2026, 10, 9, 3);
const AFTER = Date.UTC(2026, 10, 12, 3);

type Lines = {
  readonly noise: readonly (readonly [string, string])[];
  readonly edits: readonly (readonly [string, string])[];
};
type Page = {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly isChange: boolean;
};

const readJson = (path: string): unknown => JSON.parse(readFileSync(new URL(path, FOLDER), "utf8"));

async function isChange(before: string, after: string): Promise<boolean> {
  const { changed } = await compareVersions(
    { markdown: before, fetchedAt: BEFORE },
    { markdown: after, fetchedAt: AFTER },
    { ignoreNoise: true, earlier: async () => [] },
  );
  return changed;
}

const around = (line: string): string => `# Harbour\n\nOpen all year.\n\n${line}\n\nWrite to us.`;

describe("noise between two versions", () => {
  const { noise, edits } = readJson("lines.json") as Lines;

  it.each(noise)("does not count as a change: %s → %s", async (before, after) => {
    expect(await isChange(around(before), around(after))).toBe(false);
  });

  it.each(edits)("counts as a change: %s → %s", async (before, after) => {
    expect(await isChange(around(before), around(after))).toBe(true);
  });

  const files = readdirSync(new URL("pages/", FOLDER)).filter((name) => name.endsWith(".json"));
  describe.each(files)("pages of %s", (file) => {
    const pages = readJson(`pages/${file}`) as Page[];
    it.each(pages)("judges $name as change: $isChange", async (page) => {
      expect(await isChange(page.before, page.after)).toBe(page.isChange);
    });
  });

  it.each([
    ["counters", "12 comments "],
    ["numbers", "1,"],
    ["digits", "1"],
    ["links", "[1 comment](x "],
    ["durations", "2 days "],
    ["countdowns", "ends in 2 days "],
    ["labels", "last updated: "],
    ["dates", "Last updated: 3 March 2024 "],
    ["Chinese words", "浏览次数"],
    ["pictures", "👁 1 "],
    ["brackets", "(1"],
    ["spaces", " "],
    ["hexadecimal names", "a-4f1c9e2b"],
  ])("takes linear time for a line of %s", (_name, part) => {
    expectNoSquare((size) => void maskLine(part.repeat(Math.ceil(size / part.length)), AFTER));
  });
});
