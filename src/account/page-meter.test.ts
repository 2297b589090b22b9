import { expect, it } from "vitest";
import { createLogger } from "../logger.ts";
import { estimateLatency, NO_PAGES } from "../store/accounts/page-counts.ts";
import type { PageUsageRow } from "../store/accounts/page-usage.ts";
import { createPageMeter, type MeteredPage } from "./page-meter.ts";

const READ: MeteredPage = {
  verdict: "content",
  engine: "http",
  bytes: 100,
  ms: 30,
};
const CALLER = { accountId: "account", keyId: "key" };

function meterInto(rows: PageUsageRow[], parts: { now?: () => number; failing?: () => boolean }) {
  const { now = () => 3_600_000, failing = () => false } = parts;
  const add = async (added: readonly PageUsageRow[]): Promise<void> => {
    if (failing()) throw new Error("the database is gone");
    rows.push(...added);
  };
  const pageUsage = { add, sum: async () => [] };
  return createPageMeter({ store: async () => ({ pageUsage }), log: createLogger("silent"), now });
}

it("counts pages by outcome, and error pages and failures as failed", async () => {
  const rows: PageUsageRow[] = [];
  const meter = meterInto(rows, {});
  for (const verdict of [
    "content",
    "partial",
    "bot_check",
    "blocked",
    "login",
    "empty",
    "empty_shell",
    "error_page",
    "soft_404",
    undefined,
  ] as const)
    meter.count(CALLER, { ...READ, verdict });
  meter.count(CALLER, { ...READ, engine: "cache", bytes: 0, ms: 3 });
  meter.count(CALLER, { ...READ, engine: "browser", ms: 700_000 });
  await meter.close();
  expect(rows).toMatchObject([
    {
      ...CALLER,
      hour: 3_600_000,
      pages: 12,
      blocked: 3,
      thin: 2,
      failed: 3,
      cacheHits: 1,
      httpPages: 10,
      browserPages: 1,
      documentPages: 0,
      bytes: 1_100,
    },
  ]);
  expect(rows[0]?.latency.at(0)).toBe(11);
  expect(rows[0]?.latency.at(-1)).toBe(1);
});

it("keeps keys and hours apart", async () => {
  const rows: PageUsageRow[] = [];
  let now = 0;
  const meter = meterInto(rows, { now: () => now });
  meter.count(CALLER, READ);
  meter.count({ ...CALLER, keyId: "other" }, READ);
  now = 3_600_000;
  meter.count(CALLER, READ);
  await meter.close();
  expect(rows.map(({ keyId, hour, pages }) => [keyId, hour, pages])).toEqual([
    ["key", 0, 1],
    ["other", 0, 1],
    ["key", 3_600_000, 1],
  ]);
});

it("adds counts again after the database failed", async () => {
  const rows: PageUsageRow[] = [];
  let isDown = true;
  const meter = meterInto(rows, { failing: () => isDown });
  meter.count(CALLER, READ);
  await meter.flush();
  expect(rows).toEqual([]);
  isDown = false;
  meter.count(CALLER, READ);
  await meter.flush();
  expect(rows).toMatchObject([{ pages: 2, bytes: 200 }]);
  await meter.close();
});

it("estimates quantiles within the range that holds them", () => {
  const { latency } = NO_PAGES;
  expect(estimateLatency(latency, 0.5)).toBeNull();
  // 50 to 100 ms, and above 120 s.
  expect(estimateLatency(latency.with(1, 10), 0.5)).toBe(75);
  expect(estimateLatency(latency.with(1, 10), 1)).toBe(100);
  expect(estimateLatency(latency.with(1, 9).with(-1, 1), 0.95)).toBe(120_000);
});
