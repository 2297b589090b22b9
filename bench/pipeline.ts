// CPU milliseconds a page from HTML text to Markdown: ours beside turndown, Readability with turndown, and mdream,
// in one process and one run, in rounds that alternate so that a drift of the machine shows. A first round is not counted: a
// service is warm for all but its first pages.
//   node bench/pipeline.ts --pages=DIR [--limit=200] [--rounds=3]
import { deriveInput } from "../test/derive-input.ts";
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import { gfm } from "turndown-plugin-gfm";
import { derive } from "../src/formats/derive.ts";
import type { DeriveInput } from "../src/formats/derivation.ts";
import { type ContentOptions, selectContent } from "../src/html/clean/content.ts";
import { listLinks } from "../src/html/links/links.ts";
import { toMarkdown } from "../src/html/markdown/markdown.ts";
import { parseHtml } from "../src/html/parse/parse.ts";
import { loadMdream } from "./mdream.ts";
import { readArgument, listPages, print, computeQuantile, readPage } from "./pages.ts";

type Contender = { name: string; run: (text: string, bytes: Uint8Array) => number };

const turndown = new TurndownService({ codeBlockStyle: "fenced", headingStyle: "atx" });
turndown.use(gfm);

const input = (body: Uint8Array, onlyMainContent: boolean): DeriveInput =>
  deriveInput(body, {
    url: "http://127.0.0.1/page.html",
    formats: [{ type: "markdown" }, { type: "links" }],
    onlyMainContent,
  });

const WHOLE: ContentOptions = {
  url: "http://127.0.0.1/page.html",
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  findMainContent: () => ({ removals: [] }),
  parseAgain: () => parseHtml(""),
};

const { folder, files } = listPages();
const mdream = await loadMdream();

const contenders: Contender[] = [
  {
    name: "quarry",
    run: (_text, bytes) => derive(input(bytes, true)).document.markdown?.length ?? 0,
  },
  {
    name: "quarry, whole page",
    run: (_text, bytes) => derive(input(bytes, false)).document.markdown?.length ?? 0,
  },
  {
    name: "quarry, whole page, without metadata",
    run: (text) => {
      const { root, base } = selectContent(parseHtml(text), WHOLE);
      return listLinks(root, base).length + toMarkdown(root, { base }).length;
    },
  },
  ...(mdream === undefined
    ? []
    : [{ name: "mdream, whole page", run: (text: string) => mdream(text).length }]),
  {
    name: "linkedom + turndown, whole page",
    run: (text) => turndown.turndown(parseHTML(text).document.body as never).length,
  },
  {
    name: "linkedom + readability + turndown",
    run: (text) => {
      const article = new Readability(parseHTML(text).document as never).parse();
      return turndown.turndown(article?.content ?? "").length;
    },
  },
];

const limit = Number(readArgument("limit", "200"));
const rounds = Number(readArgument("rounds", "3"));
const step = Math.max(1, Math.floor(files.length / limit));
const pages = files
  .filter((_, index) => index % step === 0)
  .map((file) => readPage(folder, file))
  .map((bytes) => ({ bytes, text: bytes.toString("utf8") }));

const spent = new Map<
  string,
  { cpuMs: number; pageMs: number[]; characters: number; failures: number }
>();
for (let round = -1; round < rounds; round += 1) {
  for (const { name, run } of contenders) {
    if (round === 0) spent.delete(name);
    const tally = spent.get(name) ?? { cpuMs: 0, pageMs: [], characters: 0, failures: 0 };
    spent.set(name, tally);
    for (const { text, bytes } of pages) {
      const started = performance.now();
      const before = process.cpuUsage();
      try {
        tally.characters += run(text, bytes);
      } catch {
        tally.failures += 1;
      }
      const used = process.cpuUsage(before);
      tally.cpuMs += (used.user + used.system) / 1000;
      tally.pageMs.push(performance.now() - started);
    }
  }
}
for (const [name, tally] of spent) {
  print({
    bench: "pipeline",
    name,
    pages: pages.length,
    rounds,
    cpuMsPerPage: Number((tally.cpuMs / (pages.length * rounds)).toFixed(2)),
    p50Ms: Number(computeQuantile(tally.pageMs, 0.5).toFixed(2)),
    p95Ms: Number(computeQuantile(tally.pageMs, 0.95).toFixed(2)),
    maxMs: Number(Math.max(...tally.pageMs).toFixed(1)),
    characters: tally.characters,
    failures: tally.failures,
  });
}
