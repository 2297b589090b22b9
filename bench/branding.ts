// Measures the branding format on pages with known colors and fonts: each Bootswatch theme, light
// and dark, in four layouts, with and without names of variables and classes; and pages without
// Bootstrap. node bench/branding.ts [--themes=darkly,flatly] [--misses]
import process from "node:process";
import type { Page } from "playwright-core";
import { brandingProbe } from "../src/browser/branding/branding-probe.ts";
import { runProbe } from "../src/browser/page/page-probe.ts";
import { Deadline } from "../src/deadline.ts";
import { toBranding } from "../src/formats/branding/to-branding.ts";
import { launchTestBrowser } from "../test/browser/launch.ts";
import {
  formatAnswer,
  disguise,
  DISGUISES,
  isRight,
  listLayouts,
  listThemes,
  openFromMemory,
  readLayout,
  readPlainPages,
  readTheme,
  readTruth,
  THEMES,
  type Truth,
} from "../test/branding/pages.ts";
import { readArgument } from "./pages.ts";

type Row = Map<string, { right: number; all: number }>;

const rows = new Map<string, Row>();
const misses: string[] = [];
const times: { collect: number; derive: number }[] = [];

async function measure(page: Page, row: string, name: string, truth: Truth): Promise<void> {
  using deadline = Deadline.start(20_000);
  const started = performance.now();
  const evidence = await runProbe(page, brandingProbe, deadline);
  const collected = performance.now();
  const profile = toBranding(evidence);
  times.push({ collect: collected - started, derive: performance.now() - collected });
  const counts: Row = rows.get(row) ?? new Map();
  rows.set(row, counts);
  for (const [key, expected] of Object.entries(truth)) {
    const answer = formatAnswer(profile, key);
    const right = isRight(answer, expected);
    const count = counts.get(key) ?? { right: 0, all: 0 };
    counts.set(key, { right: count.right + Number(right), all: count.all + 1 });
    if (!right) misses.push(`${row} | ${name} | ${key}: ${answer || "nothing"}, truth ${expected}`);
  }
}

async function measureThemes(page: Page): Promise<void> {
  const all = await listThemes();
  const wanted = readArgument("themes", all.join(",")).split(",");
  for (const theme of all.filter((name) => wanted.includes(name))) {
    const css = await readTheme(theme);
    for (const layout of await listLayouts()) {
      const html = await readLayout(layout);
      for (const mode of ["light", "dark"] as const) {
        for (const how of DISGUISES) {
          const hidden = disguise(html, css, mode, how);
          await openFromMemory(page, hidden.html, hidden.css);
          const row = `${THEMES}, hidden: ${how}`;
          await measure(page, row, `${theme} ${mode} ${layout}`, readTruth(css, mode));
        }
      }
    }
  }
}

function printRows(): void {
  for (const [row, counts] of rows) {
    const values = [...counts.values()];
    const right = values.reduce((sum, count) => sum + count.right, 0);
    const all = values.reduce((sum, count) => sum + count.all, 0);
    const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
    const keys = [...counts].map(([key, count]) => `${key} ${share(count.right, count.all)}`);
    console.log(`${row}: ${share(right, all)} of ${all}\n  ${keys.join(", ")}`);
  }
  const median = (pick: (time: (typeof times)[number]) => number): string =>
    (times.map(pick).toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0).toFixed(1);
  console.log(
    `median ms: collecting ${median(({ collect }) => collect)}, deriving ${median(({ derive }) => derive)}`,
  );
}

const browser = await launchTestBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  if (readArgument("only", "") !== "plain") await measureThemes(page);
  for (const { name, html, truth } of await readPlainPages()) {
    await openFromMemory(page, html, "");
    await measure(page, "no bootstrap", name, truth);
  }
} finally {
  await browser.close();
}
if (process.argv.includes("--misses")) for (const miss of misses) console.log(miss);
printRows();
