import { describe, expect, it } from "vitest";
import { toErrorBody } from "../request/faults.ts";
import { monitorRequestSchema, monitorUpdateRequestSchema } from "./monitor.ts";
import { findCronFault, findPhraseFault } from "./schedule.ts";

const min = {
  name: "news",
  schedule: { text: "hourly" },
  targets: [{ type: "scrape", urls: ["https://example.com"] }],
};
const search = { type: "search", queries: ["a"] };
const errorOf = (fields: object): string => {
  const result = monitorRequestSchema.safeParse({ ...min, ...fields });
  return result.success ? "" : toErrorBody(result.error).error;
};

describe("monitor request", () => {
  it("applies the monitor defaults and always fetches fresh pages", () => {
    expect(monitorRequestSchema.parse(min)).toMatchObject({
      retentionDays: 30,
      judgeEnabled: false,
      schedule: { text: "hourly", timezone: "UTC" },
      targets: [{ scrapeOptions: { maxAge: 0, formats: [{ type: "markdown" }] } }],
    });
  });

  it("enables judging when a goal is set", () => {
    expect(monitorRequestSchema.parse({ ...min, goal: "prices" }).judgeEnabled).toBe(true);
    expect(
      monitorRequestSchema.parse({ ...min, goal: "a", judgeEnabled: false }).judgeEnabled,
    ).toBe(false);
  });

  it.each([
    [{ schedule: {} }, "exactly one of cron and text"],
    [{ schedule: { cron: "0 * * * *", text: "hourly" } }, "exactly one of cron and text"],
    [{ schedule: { cron: "* * * * *" } }, "at least 5 minutes apart"],
    [{ schedule: { text: "hourly", timezone: "Mars/Base" } }, "time zone"],
    [{ targets: [search] }, "needs a goal"],
    [
      { targets: [{ ...search, includeDomains: ["a"], excludeDomains: ["b"] }], goal: "a" },
      "cannot both",
    ],
    [{ targets: [] }, "Bad Request"],
    [{ name: "a".repeat(257) }, "Bad Request"],
    [{ targets: [{ type: "scrape", urls: [] }] }, "Bad Request"],
    [{ retentionDays: 366 }, "Bad Request"],
    [{ targets: [{ type: "scrape", urls: ["a.com"], zz: 1 }] }, "Unrecognized key"],
    [{ targets: [search], judgeEnabled: false }, ""],
    [
      {
        webhook: { url: "https://example.com" },
        notification: { email: { recipients: ["a@b.cd"] } },
      },
      "",
    ],
    [{ targets: [{ type: "crawl", url: "a.com", crawlOptions: { limit: 5, prompt: null } }] }, ""],
  ])("validates the monitor fields %j with error %j", (fields, text) => {
    const error = errorOf(fields);
    if (text === "") expect(error).toBe("");
    else expect(error).toContain(text);
  });

  it("requires at least one field in an update and removes settings with null", () => {
    expect(monitorUpdateRequestSchema.safeParse({ origin: "cli" }).success).toBe(false);
    expect(monitorUpdateRequestSchema.parse({ webhook: null, goal: null })).toMatchObject({
      webhook: null,
      goal: null,
    });
    expect(monitorUpdateRequestSchema.safeParse({ status: "deleted" }).success).toBe(false);
  });
});

describe("schedule", () => {
  it.each([
    "*/5 * * * *",
    "0 9 * * 1-5",
    "7,22,37,52 * * * *",
    "0 0 1 jan sun",
    "55 8-10 * * *",
    "0,59 5 * * 7",
    "58 0 * * *",
  ])("accepts the cron expression %s", (cron) => {
    expect(findCronFault(cron)).toBeUndefined();
  });

  it.each([
    "",
    "* * * *",
    "*/4 * * * *",
    "60 * * * *",
    "0 24 * * *",
    "0 0 0 * *",
    "0 0 * 13 *",
    "a * * * *",
    "5-1 * * * *",
    "0,59 * * * *",
    "*/0 * * * *",
    "0 0 * * 8",
  ])("rejects the cron expression %s", (cron) => {
    expect(findCronFault(cron)).toBeDefined();
  });

  it.each([
    "every 30 minutes",
    "every 15 minutes starting at :07",
    "hourly",
    "Every 2 Hours",
    "daily",
    "daily at 9:00",
    "daily at 9am",
    "daily at 5:30 PM",
    "weekly",
  ])("accepts the schedule text %s", (text) => {
    expect(findPhraseFault(text)).toBeUndefined();
  });

  it.each([
    "",
    "every 4 minutes",
    "every 0 hours",
    "sometimes",
    "daily at 25:00",
    "every day at noon",
  ])("rejects the schedule text %s", (text) => {
    expect(findPhraseFault(text)).toBeDefined();
  });
});
