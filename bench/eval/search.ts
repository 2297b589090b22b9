// Measures how well the search index finds pages of real manuals: questions and identifiers with
// the pages that answer them, in a half for tuning and a held-out half.
//   node bench/eval/search.ts --pages=DIR [--cache=FILE] [--database=URL] [--half=dev] [--verbose]
// DIR has the folders python, postgresql, git and nodejs; see bench/eval/README.md.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { createTestConfig } from "../../src/config.ts";
import type { Document } from "../../src/contract/page/document.ts";
import { Deadline } from "../../src/deadline.ts";
import { derive } from "../../src/formats/derive.ts";
import { deriveInput } from "../../test/derive-input.ts";
import { createLogger } from "../../src/logger.ts";
import { createIndexer } from "../../src/search/indexer.ts";
import { createIndexProvider } from "../../src/search/index-provider.ts";
import { Secret } from "../../src/settings/secret.ts";
import { openStore } from "../../src/store/store.ts";
import { readArgument, listPages, print, computeQuantile, readPage } from "../pages.ts";
import { sql } from "kysely";

type QueryCase = readonly [query: string, pages: readonly string[]];
type Half = {
  readonly questions: readonly QueryCase[];
  readonly identifiers: readonly QueryCase[];
};
type Page = { readonly file: string; readonly document: Document };

const ACCOUNT = "00000000-0000-7000-8000-000000000001";
const ORIGIN = "https://manuals.example/";
const halves = JSON.parse(
  readFileSync(new URL("./search-questions.json", import.meta.url), "utf8"),
) as Readonly<Record<string, Half>>;

function readDocuments(): Page[] {
  const cache = readArgument("cache");
  if (cache !== "" && existsSync(cache))
    return readFileSync(cache, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Page);
  const { folder, files } = listPages();
  const pages = files.map((file) => {
    const { document, metadata } = derive(
      deriveInput(readPage(folder, file), { url: ORIGIN + file }),
    );
    return { file, document: { ...document, metadata } as Document };
  });
  if (cache !== "") writeFileSync(cache, pages.map((page) => JSON.stringify(page)).join("\n"));
  return pages;
}

const measureCpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

const dataDir = await mkdtemp(path.join(os.tmpdir(), "quarry-eval-"));
const database = readArgument("database");
const log = createLogger("warn");
const store = await openStore(
  createTestConfig({ dataDir, ...(database === "" ? {} : { databaseUrl: new Secret(database) }) }),
  log,
);
const indexer = createIndexer({
  pages: async () => store.searchPages,
  scrapes: async () => store.scrapes,
  log,
});
const provider = createIndexProvider({
  pages: async () => store.searchPages,
  catchUp: async () => await indexer.catchUp(),
  isOn: true,
});

async function fillIndex(pages: readonly Page[]): Promise<void> {
  const before = process.cpuUsage();
  for (const { file, document } of pages) {
    indexer.enqueuePage({
      accountId: ACCOUNT,
      scrapeId: "x",
      cacheKey: "0".repeat(64),
      url: ORIGIN + file,
      statusCode: 200,
      mimeType: "text/html",
      verdict: "content",
      fetchedAt: Date.now(),
      document,
    });
    if (indexer.waiting() >= 8) await indexer.catchUp();
  }
  await indexer.catchUp();
  const { rows } = await sql<{ bytes: number; pages: number }>`
    select pg_total_relation_size('search_pages')::bigint as bytes,
      (select count(*) from search_pages)::int as pages`.execute(store.database.kysely);
  const characters = pages.reduce((sum, { document }) => sum + (document.markdown?.length ?? 0), 0);
  print({
    pages: rows[0]?.pages,
    markdownKilobytesPerPage: characters / pages.length / 1_000,
    cpuMsPerPage: measureCpuMs(before) / pages.length,
    indexKilobytesPerPage: Number(rows[0]?.bytes) / pages.length / 1_000,
  });
}

async function findRank([query, expected]: QueryCase): Promise<{ rank: number; first: string }> {
  using deadline = Deadline.start(60_000);
  const { results } = await provider.search(
    {
      source: "web",
      query,
      limit: 10,
      includeDomains: [],
      excludeDomains: [],
      categories: [],
      country: "us",
      language: "en",
      location: undefined,
      tbs: undefined,
      range: {
        since: undefined,
        until: undefined,
        unit: undefined,
        newestFirst: false,
        isUnknown: false,
      },
      isSafe: undefined,
      highlights: true,
      accountId: ACCOUNT,
    },
    deadline,
  );
  const found = results.map(({ url }) => url?.slice(ORIGIN.length) ?? "");
  return { rank: found.findIndex((file) => expected.includes(file)) + 1, first: found[0] ?? "-" };
}

async function measure(name: string, asked: readonly QueryCase[]): Promise<void> {
  const times: number[] = [];
  const ranks: number[] = [];
  for (const one of asked) {
    const before = process.cpuUsage();
    const { rank, first } = await findRank(one);
    times.push(measureCpuMs(before));
    ranks.push(rank);
    // Held-out questions are only counted, never listed.
    if (rank !== 1 && name.startsWith("dev") && process.argv.includes("--verbose"))
      print({ query: one[0], expected: one[1][0], rank, first });
  }
  print({
    set: name,
    first: ranks.filter((rank) => rank === 1).length,
    amongFive: ranks.filter((rank) => rank >= 1 && rank <= 5).length,
    of: asked.length,
    cpuMsP50: computeQuantile(times, 0.5),
    cpuMsMax: computeQuantile(times, 1),
  });
}

try {
  await fillIndex(readDocuments());
  for (const [half, { questions, identifiers }] of Object.entries(halves)) {
    if (readArgument("half", half) !== half) continue;
    await measure(`${half} questions`, questions);
    await measure(`${half} identifiers`, identifiers);
  }
} finally {
  await indexer.close();
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}
