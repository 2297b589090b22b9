// How many pages of the development sets and of a manual would go on to the browser after plain HTTP, and which: every one of
// them was saved as it came over HTTP and has its text, so each is work that need not be done.
//   EVAL_DATA=DIR node bench/ladder.ts --pages=DIR [--list]
import process from "node:process";
import { judge } from "../src/html/evidence/verdict.ts";
import { readEvidence } from "../src/html/evidence/evidence.ts";
import { parseHtml } from "../src/html/parse/parse.ts";
import { readPages } from "./eval/read-pages.ts";
import { listPages, print, readPage } from "./pages.ts";

type Page = { readonly set: string; readonly id: string; readonly html: string };

function* iteratePages(): Generator<Page> {
  yield* readPages(process.env["EVAL_DATA"] ?? "");
  const { folder, files } = listPages();
  for (const id of files) yield { set: "manual", id, html: readPage(folder, id).toString("utf8") };
}

const counts = new Map<string, { pages: number; browser: number; reasons: string[] }>();
for (const { set, id, html } of iteratePages()) {
  const verdict = judge(200, readEvidence(parseHtml(html)), html.length);
  const row = counts.get(set) ?? { pages: 0, browser: 0, reasons: [] };
  counts.set(set, row);
  row.pages += 1;
  if (verdict.remedy !== "browser" && verdict.remedy !== "any") continue;
  row.browser += 1;
  row.reasons.push(`${id}: ${verdict.kind}, ${verdict.reason}`);
}
for (const [set, { pages, browser, reasons }] of counts) {
  print({ set, pages, browser, percent: Math.round((browser / pages) * 1_000) / 10 });
  if (process.argv.includes("--list")) for (const reason of reasons) print({ set, reason });
}
