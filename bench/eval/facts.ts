// Measures whether a page's own facts are in its Markdown and its boilerplate is not, over the
// pages of test/facts:
//   node bench/eval/facts.ts [--verbose [--held-out]] [--kind NAME] [--show ID]
// `--verbose` lists the failures of the dev half; tuning reads no others. `--held-out` lists those
// of the other half instead. `--show ID` prints one page's Markdown.
import { parseArgs } from "node:util";
import { selectContent } from "../../src/html/clean/content.ts";
import { findMainContent } from "../../src/html/main-content/find-main-content.ts";
import { toMarkdown } from "../../src/html/markdown/markdown.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";
import { holdsFact, readMarkdown } from "./match-facts.ts";
import { type FactPage, PARTS, readFactPages } from "./read-facts.ts";

const { values: flags } = parseArgs({
  options: {
    verbose: { type: "boolean", default: false },
    "held-out": { type: "boolean", default: false },
    kind: { type: "string" },
    show: { type: "string" },
  },
});

/** The page's Markdown with default options. */
function convert({ html, url }: FactPage): string {
  const content = selectContent(parseHtml(html), {
    url,
    onlyMainContent: true,
    includeTags: [],
    excludeTags: [],
    findMainContent,
    parseAgain: () => parseHtml(html),
  });
  return toMarkdown(content.root, { base: content.base, page: url });
}

type FactMeasurement = {
  readonly page: FactPage;
  readonly lost: readonly string[];
  readonly kept: readonly string[];
};

function measure(page: FactPage): FactMeasurement {
  const text = readMarkdown(convert(page));
  return {
    page,
    lost: page.facts
      .filter((fact) => !holdsFact(text, fact))
      .map((fact) => (typeof fact === "string" ? fact : `/${fact.pattern}/`)),
    kept: page.boilerplate.filter((words) => holdsFact(text, words)),
  };
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const formatShare = (failed: number, all: number): string =>
  all === 0 ? "–" : `${((1 - failed / all) * 100).toFixed(1)} %`;
const sum = (
  pages: readonly FactMeasurement[],
  count: (measured: FactMeasurement) => number,
): number => pages.reduce((total, measured) => total + count(measured), 0);

/** Pages, facts kept, boilerplate dropped, and pages without any failure. */
function formatCells(pages: readonly FactMeasurement[]): string[] {
  const clean = pages.filter(({ lost, kept }) => lost.length === 0 && kept.length === 0);
  return [
    String(pages.length),
    formatShare(
      sum(pages, ({ lost }) => lost.length),
      sum(pages, ({ page }) => page.facts.length),
    ),
    formatShare(
      sum(pages, ({ kept }) => kept.length),
      sum(pages, ({ page }) => page.boilerplate.length),
    ),
    formatShare(pages.length - clean.length, pages.length),
  ];
}

function printTable(title: string, groups: ReadonlyMap<string, readonly FactMeasurement[]>): void {
  print(
    `\n| ${title} | ${PARTS.map((part) => `${part}: pages | facts kept | boilerplate dropped | clean pages`).join(" | ")} |`,
  );
  print(`|---|${"---|".repeat(PARTS.length * 4)}`);
  for (const [name, pages] of [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const columns = PARTS.flatMap((part) =>
      formatCells(pages.filter(({ page }) => page.part === part)),
    );
    print(`| ${[name, ...columns].join(" | ")} |`);
  }
}

function run(): void {
  const pages = readFactPages().filter(
    ({ id, kind }) => (flags.kind ?? kind) === kind && (flags.show ?? id) === id,
  );
  const [shown] = pages;
  if (shown === undefined) {
    print("No page matches --kind or --show.");
    process.exitCode = 2;
    return;
  }
  if (flags.show !== undefined) {
    print(convert(shown));
    return;
  }
  const measured = pages.map(measure);
  printTable("all", new Map([["all pages", measured]]));
  printTable(
    "kind",
    Map.groupBy(measured, ({ page }) => page.kind),
  );
  printTable(
    "language",
    Map.groupBy(measured, ({ page }) => page.language),
  );
  if (!flags.verbose) return;
  const part = flags["held-out"] ? "held-out" : "dev";
  print(`\nFailures of the ${part} half:`);
  for (const { page, lost, kept } of measured) {
    if (page.part !== part) continue;
    for (const fact of lost) print(`${page.id} (${page.kind}, ${page.language}) lost: ${fact}`);
    for (const words of kept) print(`${page.id} (${page.kind}, ${page.language}) kept: ${words}`);
  }
}

run();
