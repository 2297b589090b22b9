import { expect, it } from "vitest";
import { v7 } from "uuid";
import { ANONYMOUS_IDENTITY } from "../account/identity.ts";
import { monitorRequestSchema } from "../contract/jobs/monitor.ts";
import { selectGrants } from "../jobs/caller.ts";
import type { MonitorRecord } from "../store/monitors/monitors.ts";
import { listMonitors } from "./list-monitors.ts";
import { createSettings } from "./settings.ts";

const ACCOUNT = v7();
const TIME = Date.parse("2026-03-01T00:00:00Z");

/** Every third monitor was created by the key of a.example, newest first. */
function buildRecords(count: number): MonitorRecord[] {
  const options = monitorRequestSchema.parse({
    name: "town",
    schedule: { cron: "0 * * * *" },
    targets: [{ type: "scrape", urls: ["https://a.example/"] }],
  });
  return Array.from({ length: count }, (_, at) => {
    const id = v7({ msecs: TIME + at });
    const allowHosts = at % 3 === 0 ? ["a.example"] : undefined;
    const grants = selectGrants({ ...ANONYMOUS_IDENTITY, allowHosts });
    return {
      id,
      accountId: ACCOUNT,
      keyId: ACCOUNT,
      name: "town",
      status: "active",
      settings: createSettings(id, options, grants, { now: TIME, baseUrl: "" }),
      feedToken: "",
      retentionDays: 1,
      currentCheckId: null,
      lastRunAt: null,
      lastSummary: null,
      createdAt: TIME + at,
      updatedAt: TIME + at,
    } satisfies MonitorRecord;
  }).toReversed();
}

/** A store that counts the rows that were read. */
function createCountingStore(records: readonly MonitorRecord[]) {
  const store = {
    rowsRead: 0,
    list: async (
      _account: string,
      page: { limit: number; offset: number; before?: string | undefined },
    ): Promise<MonitorRecord[]> => {
      const { limit, offset, before = "~" } = page;
      const rows = records.filter(({ id }) => id < before).slice(offset, offset + limit);
      store.rowsRead += rows.length;
      return rows;
    },
  };
  return store;
}

it.each([
  ["a key limited to hosts", ["a.example"], 500],
  ["a key of all hosts", undefined, 1_500],
] as const)("pages of %s follow the cursor and list each monitor once", async (_, hosts, count) => {
  const records = buildRecords(1_500);
  const store = createCountingStore(records);
  const identity = { accountId: ACCOUNT, allowHosts: hosts };
  const ids: string[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const page = await listMonitors(store, identity, { limit: 100, cursor: cursor ?? undefined });
    ids.push(...page.monitors.map(({ id }) => id));
    cursor = page.cursor;
  }
  expect(pages).toBe(count / 100);
  expect(new Set(ids).size).toBe(count);
  expect(ids).toEqual(ids.toSorted().toReversed());
  // Reading from the start for each page would take over 4,000 rows.
  expect(store.rowsRead).toBeLessThan(2_500);
});

it("lists by offset what a key limited to hosts may see", async () => {
  const records = buildRecords(30);
  const identity = { accountId: ACCOUNT, allowHosts: ["a.example"] };
  const own = records.filter((_, at) => (30 - 1 - at) % 3 === 0).map(({ id }) => id);
  const read = async (limit: number, offset: number, cursor?: string) => {
    const page = await listMonitors(createCountingStore(records), identity, {
      limit,
      offset,
      cursor,
    });
    return [page.monitors.map(({ id }) => id), page.cursor];
  };
  expect(await read(4, 2)).toEqual([own.slice(2, 6), own[5]]);
  expect(await read(4, 6)).toEqual([own.slice(6), null]);
  expect(await read(4, 1, own[3])).toEqual([own.slice(5, 9), own[8]]);
});
