import { describe, expect, it } from "vitest";
import { UNLIMITED } from "../account/identity.ts";
import { monitorRequestSchema } from "../contract/jobs/monitor.ts";
import { detectionSchema } from "../contract/jobs/monitor-rules.ts";
import {
  checkPage,
  NEW_STATE,
  type Observation,
  type PageFinding,
  type PageState,
  type UnchangedPage,
} from "./check-page.ts";
import type { Version } from "./compare-page.ts";
import type { JudgeChange } from "./judge.ts";
import { describeFinding, judgeFinding } from "./report-finding.ts";
import { createSettings } from "./settings.ts";

const HOUR_MS = 3_600_000;
const UNCHANGED: UnchangedPage = { kind: "unchanged", statusCode: 200, scrapeId: null };

const page = (text: string, fingerprint: string | undefined = text): Observation => ({
  kind: "page",
  text: `The market opens at nine.\n\n${text}`,
  fetchedAt: 0,
  title: "Town",
  statusCode: 200,
  finalUrl: "https://town.example/",
  scrapeId: text,
  fingerprint,
});
const broken: Observation = { kind: "broken", reason: "503", statusCode: 503, scrapeId: null };
const gone: Observation = { kind: "gone", statusCode: 404, fetchedAt: 0, scrapeId: null };

/** Checks one page again and again, and records the fingerprints that need no conversion. */
function openPage() {
  let state: PageState = NEW_STATE;
  const versions: Version[] = [];
  const asked: (string | undefined)[] = [];
  async function check(
    seen: Observation | ((known: string | undefined) => Observation | UnchangedPage),
    { at = 0, rules = "rules", confirm = false } = {},
  ): Promise<PageFinding> {
    const found = await checkPage({
      detection: detectionSchema.parse({ confirmations: 1, brokenAfter: 1 }),
      fieldsOnly: false,
      watched: [],
      rules,
      state,
      versions,
      async fetchFirst(known) {
        asked.push(known);
        return typeof seen === "function" ? seen(known) : seen;
      },
      async fetch() {
        if (typeof seen !== "function") return seen;
        // Without `confirm`, the function is the first fetch only.
        const again = confirm ? seen(undefined) : page("never");
        if (again.kind === "unchanged") throw new Error("A confirming fetch is read.");
        return again;
      },
      pause: async () => undefined,
      now: () => at,
    });
    ({ state } = found);
    if (found.version !== undefined) versions.unshift(found.version);
    return found;
  }
  return { check, asked, versions };
}

describe("bytes that are known", () => {
  it("known bytes are the same page and need no conversion", async () => {
    const { check, asked } = openPage();
    await check(page("Open."));
    const found = await check(() => UNCHANGED);
    expect(asked).toEqual([undefined, "Open."]);
    expect(found).toMatchObject({ status: "same", seen: { scrapeId: "Open." } });
    expect((await check(page("Closed."))).status).toBe("changed");
    await check(() => UNCHANGED);
    expect(asked.at(-1)).toBe("Closed.");
  });

  it("known bytes are converted again after half a day and under other rules", async () => {
    const { check, asked } = openPage();
    await check(page("Open."));
    await check(page("Open."), { at: 12 * HOUR_MS });
    await check(page("Open."), { at: 13 * HOUR_MS });
    await check(page("Open."), { at: 13 * HOUR_MS, rules: "others" });
    expect(asked).toEqual([undefined, undefined, "Open.", undefined]);
  });

  it("known bytes are no change when they are read in another way", async () => {
    const { check, versions } = openPage();
    await check(page("Open.", "bytes"));
    const found = await check(page("OPEN", "bytes"));
    expect(found.status).toBe("same");
    expect(versions[0]?.text).toContain("OPEN");
    expect((await check(page("OPEN", "other bytes"))).status).toBe("same");
    expect((await check(page("Closed.", "new bytes"))).status).toBe("changed");
    expect(versions).toHaveLength(3);
  });

  it("known bytes end a failure, and are reported when a page that was gone comes back", async () => {
    const { check, asked } = openPage();
    await check(page("Open."));
    expect((await check(broken)).event).toBe("broken");
    expect((await check(() => UNCHANGED)).event).toBe("recovered");
    expect((await check(gone)).status).toBe("removed");
    expect((await check(page("Open."))).status).toBe("changed");
    expect(asked).toEqual([undefined, "Open.", "Open.", "Open.", undefined]);
  });

  it("bytes of a change that did not persist are not known", async () => {
    const { check, asked } = openPage();
    await check(page("Open."));
    await check((known) => (known === "Open." ? page("For a moment.") : page("Open.")));
    await check(() => UNCHANGED);
    expect(asked).toEqual([undefined, "Open.", "Open."]);
  });
});

const toSettings = (goal: string | undefined) =>
  createSettings(
    "m",
    monitorRequestSchema.parse({
      name: "Town",
      goal,
      schedule: { text: "hourly" },
      targets: [{ type: "scrape", urls: ["https://town.example/"] }],
    }),
    { keyName: "", limits: UNLIMITED },
    { now: 0, baseUrl: "" },
  );

describe("pages that come back", () => {
  /** Answers the first fetch of a check, then the confirming one. */
  const inTurn = (first: Observation, second: Observation) => {
    let count = 0;
    return (): Observation => (count++ === 0 ? first : second);
  };

  it("a page that was gone has recovered when it can be read again, with or without a change", async () => {
    for (const text of ["Open.", "Closed."]) {
      const { check } = openPage();
      await check(page("Open."));
      expect((await check(gone)).event).toBeUndefined();
      expect(await check(page(text))).toMatchObject({ status: "changed", event: "recovered" });
      expect((await check(page(text))).event).toBeUndefined();
    }
  });

  it.each([
    ["Open.", undefined, "recovered", "The page can be read again."],
    ["Open.", "opening hours", "recovered", "The page can be read again."],
    ["Closed.", undefined, "change", ""],
    ["Closed.", "opening hours", "change", "judged"],
  ])(
    "a page that was gone and comes back with %j under the goal %j notifies %j with reason %j",
    async (text, goal, event, reason) => {
      const { check } = openPage();
      await check(page("Open."));
      await check(gone);
      const finding = await check(page(text));
      const judged: string[] = [];
      const judge: JudgeChange = async (_goal, { diff }) => {
        judged.push(diff);
        return { meaningful: true, confidence: "high", reason: "judged", meaningfulChanges: [] };
      };
      const { signal } = new AbortController();
      const settings = toSettings(goal);
      const url = "https://town.example/";
      const report = await judgeFinding({ judge, settings, signal }, url, finding, false);
      expect(report).toMatchObject({ event, reason });
      expect(judged).toHaveLength(event === "change" && goal !== undefined ? 1 : 0);
      const { diff } = describeFinding(finding, report, undefined);
      expect(diff === null).toBe(event === "recovered");
    },
  );

  it("a page has not recovered if a confirming fetch finds it gone or broken", async () => {
    const { check } = openPage();
    await check(page("Open."));
    await check(gone);
    expect((await check(inTurn(page("Open."), gone), { confirm: true })).event).toBeUndefined();
    expect((await check(inTurn(page("Open."), broken), { confirm: true })).event).toBe("broken");
    expect((await check(inTurn(gone, broken), { confirm: true })).event).toBeUndefined();
    expect((await check(page("Open."))).event).toBe("recovered");
  });

  it("a page that was reported as broken and is then gone has not recovered", async () => {
    const { check } = openPage();
    await check(page("Open."));
    expect((await check(broken)).event).toBe("broken");
    const found = await check(inTurn(gone, broken), { confirm: true });
    expect([found.status, found.event]).toEqual(["error", undefined]);
    expect(await check(gone)).toMatchObject({ status: "removed" });
  });
});
