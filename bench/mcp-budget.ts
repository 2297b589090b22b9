// Measures answers of the MCP server: 20 tool calls for each of 500 pages, each counted by three tokenizers against its budget, and
// questions about long pages, whose answers the passages must hold: of manuals, and of pages of the WCXB set.
//   node bench/mcp-budget.ts --pages=DIR [--count=500] [--manuals=DIR] [--asked=DIR] [--port=3917]
// DIR of --pages has HTML files at any depth, that of --manuals the folders python, postgresql, git and nodejs, and that of --asked the
// development pages of WCXB as 0025.html; see bench/eval/README.md.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import llama3 from "llama3-tokenizer-js";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { BUDGET } from "../src/mcp/answer.ts";
import { splitSections } from "../src/formats/markdown/sections.ts";
import {
  readArgument,
  listPages,
  print,
  computeQuantile,
  readPage,
  USAGE_EXIT_CODE,
} from "./pages.ts";
import {
  BENCH_KEY,
  servePages,
  startService,
  createTemporaryFolder,
  waitUntilReady,
} from "./service.ts";

/** Pages of fewer tokens are returned whole. */
const LONG_PAGE_TOKENS = 1_500;
const SPECIAL = { disallowedSpecial: new Set<string>() };

const TOKENIZERS: Readonly<Record<string, (text: string) => number>> = {
  cl100k: (text) => cl100k.countTokens(text, SPECIAL),
  o200k: (text) => o200k.countTokens(text, SPECIAL),
  llama3: (text) => llama3.encode(text, { bos: false, eos: false }).length,
};

type Answer = {
  readonly isError?: boolean;
  readonly content: { readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
};
type Asked = readonly [page: string, question: string, expected: string];

const readQuestions = (name: string): Asked[] =>
  JSON.parse(readFileSync(new URL(`./eval/${name}.json`, import.meta.url), "utf8")) as Asked[];

const { folder, files } = listPages();
const count = Number(readArgument("count", "500"));
const step = Math.max(1, files.length / count);
const chosen = Array.from(
  { length: Math.min(count, files.length) },
  (_, at) => files[Math.floor(at * step)] ?? "",
);
const manuals = readArgument("manuals");
const asked = readArgument("asked");
if (manuals !== "" && !existsSync(path.join(manuals, "python"))) {
  process.stderr.write("--manuals needs the folders python, postgresql, git and nodejs.\n");
  process.exit(USAGE_EXIT_CODE);
}

const site = await servePages((target) => {
  const [, kind = "", ...rest] = target.split("/").map(decodeURIComponent);
  if (kind === "page") return readPage(folder, chosen[Number(rest[0])] ?? "");
  const file = path.join(kind === "manual" ? manuals : asked, ...rest);
  return (kind === "manual" || kind === "asked") && existsSync(file)
    ? readFileSync(file)
    : undefined;
});
const data = createTemporaryFolder();
const service = await startService(Number(readArgument("port", "3917")), data.folder, {
  // For browse.
  QUARRY_BROWSER: "",
});
await waitUntilReady(service);
const client = new Client({ name: "bench", version: "1" });
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${service.base}/mcp?tools=all`), {
    requestInit: { headers: { authorization: `Bearer ${BENCH_KEY}` } },
  }),
);

let calls = 0;
const errors: string[] = [];
const over: Record<string, unknown>[] = [];
const largest: Record<string, number> = {};

async function call(name: string, given: Record<string, unknown>): Promise<Answer> {
  const answer = (await client.callTool(
    { name, arguments: given },
    { timeout: 120_000 },
  )) as unknown as Answer;
  calls += 1;
  if (answer.isError === true) errors.push(`${name}: ${answer.content[0]?.text ?? ""}`);
  const budget = Number(given["maxTokens"] ?? BUDGET.default);
  // A client shows its model one of them.
  for (const shown of [answer.content, answer.structuredContent ?? null])
    for (const [tokenizer, countTokens] of Object.entries(TOKENIZERS)) {
      const tokens = countTokens(JSON.stringify(shown));
      largest[tokenizer] = Math.max(largest[tokenizer] ?? 0, tokens / budget);
      if (tokens > budget) over.push({ name, given, tokenizer, tokens, budget });
    }
  return answer;
}

const schema = {
  type: "object",
  properties: { title: { type: "string" }, author: { type: "string" }, date: { type: "string" } },
};

/** 20 calls for one page; returns what `read` cost and what the page has. */
async function readPageByTools(url: string): Promise<{ read: number; whole: number } | undefined> {
  const first = await call("read", { target: url });
  const { handle: target, title } = first.structuredContent ?? {};
  if (typeof target !== "string") return undefined;
  const question = `${String(title)} who, where and when`.slice(0, 400);
  await call("read", { target, whole: true });
  await call("read", { target, whole: true, maxTokens: 500 });
  await call("read", { target, whole: true, maxTokens: BUDGET.max });
  await call("read", { target, question });
  await call("read", { target, question, maxTokens: 500 });
  // Pages differ in their sections: the first, one in the middle, and the last.
  const markdown = await readMarkdown(url, true);
  const numbers = splitSections(markdown).map(({ number }) => number);
  const half = Math.floor(markdown.length / 2);
  // A page without text has no sections and no offsets.
  if (numbers.length === 0) return undefined;
  const pick = (share: number): string => String(numbers[Math.floor((numbers.length - 1) * share)]);
  await call("read", { target, section: pick(0) });
  await call("read", { target, section: pick(0.5), maxTokens: 1_000 });
  await call("read", { target: `${target}#${pick(1)}` });
  await call("read", { target, from: half });
  await call("read", { target, from: 10, maxTokens: 700 });
  await call("find", { target, pattern: "the" });
  await call("find", { target, pattern: String.raw`\w+`, isRegex: true });
  await call("find", { target, pattern: ".", isRegex: true, maxTokens: 600 });
  await call("find", { target, pattern: "a", skip: 20, maxTokens: 2_000 });
  await call("map", { url, limit: 1_000, maxTokens: 1_000 });
  await call("search", { query: String(title).slice(0, 200) || "page", limit: 50 });
  await call("data", { url, schema });
  await call("data", { url, schema, maxTokens: 500 });
  await call("crawl", { url, limit: 1 });
  return {
    read: TOKENIZERS["cl100k"]?.(first.content.map(({ text }) => text ?? "").join("\n")) ?? 0,
    whole: await countMarkdown(url),
  };
}

/** A live page takes seconds, so only some pages are opened: beyond the 20 calls. */
const BROWSED_EVERY = 25;

async function browse(url: string): Promise<void> {
  const opened = await call("browse", { action: "open", url });
  const session = opened.structuredContent?.["session"];
  if (typeof session !== "string") return;
  await call("browse", { action: "act", session, code: "await page.title()", maxTokens: 500 });
  await call("browse", { action: "read", session, maxTokens: 1_000 });
  await call("browse", { action: "close", session });
}

/** Tokens of the whole page as Markdown, which a scraper without size handling returns. */
async function countMarkdown(url: string): Promise<number> {
  return TOKENIZERS["cl100k"]?.(await readMarkdown(url, false)) ?? 0;
}

async function readMarkdown(url: string, onlyMainContent: boolean): Promise<string> {
  const response = await fetch(`${service.base}/v2/scrape`, {
    method: "POST",
    headers: { authorization: `Bearer ${BENCH_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ url, formats: ["markdown"], onlyMainContent }),
  });
  const { data: document } = (await response.json()) as { data?: { markdown?: string } };
  return document?.markdown ?? "";
}

/** Without the marks of Markdown, which may stand within a quote. */
const plain = (text: string): string => text.replaceAll(/[*_`\\]/g, "").replaceAll(/\s+/g, " ");

async function askPages(questions: readonly Asked[], toUrl: (page: string) => string) {
  const missed: string[] = [];
  const shares: number[] = [];
  for (const [page, question, expected] of questions) {
    const answer = await call("read", { target: toUrl(page), question });
    const { text = "", totalTokens } = answer.structuredContent ?? {};
    if (!plain(String(text)).includes(plain(expected))) missed.push(`${page}: ${question}`);
    const tokens = TOKENIZERS["cl100k"]?.(answer.content.map((part) => part.text).join("\n")) ?? 0;
    shares.push(tokens / Number(totalTokens));
  }
  print({
    questions: questions.length,
    answered: questions.length - missed.length,
    medianShareOfPage: Number(computeQuantile(shares, 0.5).toFixed(3)),
    missed,
  });
}

try {
  if (manuals !== "")
    await askPages(readQuestions("mcp-questions"), (page) => `${site.url}/manual/${page}`);
  if (asked !== "")
    for (const set of ["mcp-page-questions", "mcp-new-questions"])
      await askPages(readQuestions(set), (page) => `${site.url}/asked/${page}.html`);
  const pages: { read: number; whole: number }[] = [];
  for (const at of chosen.keys()) {
    const found = await readPageByTools(`${site.url}/page/${at}`);
    if (found !== undefined && found.whole > 0) pages.push(found);
    if (at % BROWSED_EVERY === 0) await browse(`${site.url}/page/${at}`);
    if (at % 50 === 49) process.stderr.write(`${at + 1} pages, ${over.length} over budget\n`);
  }
  const share = (list: typeof pages): number =>
    Number(
      computeQuantile(
        list.map(({ read, whole }) => read / whole),
        0.5,
      ).toFixed(3),
    );
  const long = pages.filter(({ whole }) => whole > LONG_PAGE_TOKENS);
  print({
    pages: chosen.length,
    calls,
    errors: errors.length,
    overBudget: over.length,
    largestShareOfBudget: largest,
    medianRead: share(pages),
    longPages: long.length,
    medianReadOfLong: share(long),
  });
  for (const one of over.slice(0, 10)) print(one);
  for (const error of errors.slice(0, 10)) print({ error: error.slice(0, 300) });
} finally {
  await client.close();
  await service.stop();
  site.close();
  data.remove();
}
if (over.length > 0) process.exitCode = 1;
