// What the index of searches costs: CPU for each page that is put into it, and what scrapes lose to it while the server is
// busy, with and without the index in turn, in one process. --pages=DIR [--count=200] [--rounds=6] [--only=index,load]
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { createApp, type App } from "../src/app.ts";
import { createTestConfig } from "../src/config.ts";
import { createLogger } from "../src/logger.ts";
import { createIndexer } from "../src/search/indexer.ts";
import { Secret } from "../src/settings/secret.ts";
import { openStore } from "../src/store/store.ts";
import { readArgument, listPages, print, computeQuantile, readPage } from "./pages.ts";
import { BENCH_KEY, servePages } from "./service.ts";

const PAGES = Number(readArgument("count", "200"));
const ROUNDS = Number(readArgument("rounds", "6"));
const MAX_CONCURRENCY = 10;

const folders: string[] = [];
const createFolder = async (): Promise<string> => {
  const made = await mkdtemp(path.join(os.tmpdir(), "quarry-bench-"));
  folders.push(made);
  return made;
};
const measureCpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

async function start(searchIndex: boolean): Promise<{ app: App; url: string }> {
  const config = createTestConfig({
    port: 0,
    dataDir: await createFolder(),
    apiKey: new Secret(BENCH_KEY),
    egressAllow: ["127.0.0.1"],
    searchIndex,
    browser: "none",
  });
  const app = await createApp(config, { log: createLogger("warn") });
  const url = await app.listen();
  await app.open();
  return { app, url };
}

/** Cycles through all different pages. */
function readPages(): Buffer[] {
  const { folder: kept, files } = listPages();
  const step = Math.max(1, Math.floor(files.length / PAGES));
  return files
    .filter((_, index) => index % step === 0)
    .slice(0, PAGES)
    .map((file) => readPage(kept, file));
}

const toText = (html: Buffer): string =>
  html
    .toString("utf8")
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

type Phase = { readonly cpu: number; readonly ms: number; readonly p50: number };

async function scrapeAll(url: string, targets: readonly string[]): Promise<Phase> {
  const times: number[] = [];
  const before = process.cpuUsage();
  const began = performance.now();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let target = targets[next++]; target !== undefined; target = targets[next++]) {
      const at = performance.now();
      const answer = await fetch(`${url}/v2/scrape`, {
        method: "POST",
        headers: { authorization: `Bearer ${BENCH_KEY}`, "content-type": "application/json" },
        body: JSON.stringify({ url: target, maxAge: 0 }),
      });
      if (answer.status !== 200) throw new Error(await answer.text());
      await answer.arrayBuffer();
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENCY }, work));
  const ms = performance.now() - began;
  return {
    cpu: measureCpuMs(before) / targets.length,
    ms: ms / targets.length,
    p50: computeQuantile(times, 0.5),
  };
}

async function searchOnce(url: string): Promise<void> {
  const answer = await fetch(`${url}/v2/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${BENCH_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ query: "quarry" }),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
}

async function comparePhases(): Promise<void> {
  const real = readPages();
  const site = await servePages((target) => real[Number(target.slice(1)) % real.length]);
  const variants = { on: await start(true), off: await start(false) };
  const phases: Record<"on" | "off", Phase[]> = { on: [], off: [] };
  let number = 0;
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of round % 2 === 0 ? (["on", "off"] as const) : (["off", "on"] as const)) {
      const targets = Array.from({ length: PAGES }, () => `${site.url}/${number++}`);
      const phase = await scrapeAll(variants[name].url, targets);
      // Waits for the index, so that its pending work does not count in the other phase.
      if (name === "on")
        for (let left = 0; left < PAGES; left += 64) await searchOnce(variants.on.url);
      // The first round warms up.
      if (round > 0) phases[name].push(phase);
    }
  const median = (name: "on" | "off", value: keyof Phase): number =>
    computeQuantile(
      phases[name].map((phase) => phase[value]),
      0.5,
    );
  for (const name of ["off", "on"] as const)
    print({
      index: name,
      cpuMsPerPage: median(name, "cpu"),
      msPerPage: median(name, "ms"),
      p50: median(name, "p50"),
    });
  print({
    ratio: median("on", "cpu") / median("off", "cpu"),
    ofTime: median("on", "ms") / median("off", "ms"),
  });
  await Promise.all(Object.values(variants).map(({ app }) => app.close()));
  site.close();
}

/** The index alone: documents of real pages where there are some, into the embedded database. */
async function measureIndex(): Promise<void> {
  const store = await openStore(
    createTestConfig({ dataDir: await createFolder() }),
    createLogger("warn"),
  );
  const texts = readPages().map(toText);
  const indexer = createIndexer({
    pages: async () => store.searchPages,
    scrapes: async () => store.scrapes,
    log: createLogger("warn"),
  });
  const stalls: number[] = [];
  for (let round = 0; round < 3; round++) {
    for (const [index, markdown] of texts.entries())
      indexer.enqueuePage({
        accountId: "00000000-0000-7000-8000-000000000001",
        scrapeId: "x",
        cacheKey: "0".repeat(64),
        url: `https://site${index % 50}.example/${round}/${index}`,
        statusCode: 200,
        mimeType: "text/html",
        verdict: "content",
        fetchedAt: Date.now(),
        document: { markdown, metadata: { title: `Page ${index}`, language: "en" } },
      });
    const before = process.cpuUsage();
    for (let left = indexer.waiting(); left > 0; left = indexer.waiting()) {
      const at = performance.now();
      await indexer.catchUp(8);
      stalls.push(performance.now() - at);
    }
    print({
      round,
      indexCpuMsPerPage: measureCpuMs(before) / texts.length,
      characters: texts.reduce((sum, text) => sum + text.length, 0) / texts.length,
    });
  }
  print({
    groupMsP50: computeQuantile(stalls, 0.5),
    groupMsP95: computeQuantile(stalls, 0.95),
    groupMsMax: computeQuantile(stalls, 1),
  });
  await indexer.close();
  await store.close();
}

try {
  const only = readArgument("only", "index,load").split(",");
  if (only.includes("index")) await measureIndex();
  if (only.includes("load")) await comparePhases();
} finally {
  for (const made of folders) rmSync(made, { recursive: true, force: true });
}
