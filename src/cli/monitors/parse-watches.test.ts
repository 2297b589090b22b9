// The watches follow the public source of changedetection.io 0.50; none is a real export.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseMonitorList } from "./monitor-import.ts";
import { readBackup } from "./read-backup.ts";

const parse = (text: string) => parseMonitorList(text, { every: "hourly", channels: [] });

/** A watch as version 0.50 writes it, with every field that has a default. */
const buildWatch = (fields: object): object => ({
  body: null,
  browser_steps: [],
  browser_steps_last_error_step: null,
  check_count: 12,
  check_unique_lines: false,
  conditions: {},
  conditions_match_logic: "ALL",
  consecutive_filter_failures: 0,
  "content-type": null,
  date_created: 1_771_000_000,
  extract_text: [],
  fetch_backend: "system",
  fetch_time: 0.4,
  filter_failure_notification_send: true,
  filter_text_added: true,
  filter_text_removed: true,
  filter_text_replaced: true,
  headers: {},
  ignore_status_codes: null,
  ignore_text: [],
  include_filters: [],
  last_checked: 1_772_000_000,
  last_error: false,
  method: "GET",
  notification_body: null,
  notification_format: "System default",
  notification_muted: false,
  notification_screenshot: false,
  notification_title: null,
  notification_urls: [],
  page_title: "Shop",
  paused: false,
  previous_md5: "0cc175b9c0f1b6a831c399e269772661",
  processor: "text_json_diff",
  proxy: null,
  remove_duplicate_lines: false,
  sort_text_alphabetically: false,
  strip_ignored_lines: null,
  subtractive_selectors: [],
  tag: "",
  tags: [],
  text_should_not_be_present: [],
  time_between_check: { weeks: null, days: null, hours: null, minutes: null, seconds: null },
  time_between_check_use_default: true,
  time_schedule_limit: { enabled: false, monday: { enabled: true, start_time: "00:00" } },
  title: null,
  track_ldjson_price_data: null,
  trigger_text: [],
  trim_text_whitespace: false,
  url: "https://shop.example/",
  uuid: "5a3e2b1c-0000-4000-8000-000000000001",
  webdriver_delay: null,
  webdriver_js_execute_code: null,
  ...fields,
});

describe("import of exports of older versions of changedetection.io", () => {
  /** As version 0.39 writes it, with the headers of its settings. */
  const OLD = {
    url: "https://shop.example/",
    tag: "test",
    paused: false,
    title: "",
    minutes_between_check: 60,
    headers: {},
    notification_urls: [],
    notification_body: "{watch_url} had a change.\n---\n{diff}\n---\n",
    css_filter: ".price",
    trigger_text: [],
    fetch_backend: "html_requests",
  };
  const SETTINGS_OLD = {
    headers: { "User-Agent": "Mozilla/5.0", "Accept-Encoding": "gzip, deflate" },
    requests: { timeout: 15, minutes_between_check: 720, workers: 10 },
    application: { notification_urls: ["https://discord.com/api/webhooks/1/a_b"] },
  };
  const parseOld = (watch: object) =>
    parse(JSON.stringify({ watching: { one: watch }, settings: SETTINGS_OLD })).monitors[0];

  it("reads their filter, interval and headers", () => {
    const found = parseOld(OLD);
    expect(found?.notes).toEqual([]);
    expect(found?.request).toMatchObject({
      schedule: { text: "hourly" },
      channels: [{ type: "discord", url: "https://discord.com/api/webhooks/1/a_b" }],
    });
    expect(found?.request.targets[0]).toMatchObject({
      scrapeOptions: { includeTags: [".price"], headers: { "User-Agent": "Mozilla/5.0" } },
    });
    expect(JSON.stringify(found?.request)).not.toContain("Accept-Encoding");
  });

  it("takes the interval of the settings for a watch without one", () => {
    expect(parseOld({ ...OLD, minutes_between_check: null })?.request.schedule).toEqual({
      text: "every 12 hours",
    });
  });

  it("reads a list of watches, and an interval in seconds", () => {
    const { monitors } = parse(
      JSON.stringify({
        watching: [{ url: "https://a.example/", time_between_check: { seconds: 15 } }],
      }),
    );
    expect(monitors[0]?.request.schedule).toEqual({ text: "every 5 minutes" });
    expect(monitors[0]?.notes).toEqual(["The interval is every 5 minutes instead of 15 seconds."]);
  });
});

describe("import of a whole backup of changedetection.io", () => {
  const SETTINGS = {
    headers: { "accept-language": "de" },
    requests: {
      jitter_seconds: 0,
      time_between_check: { weeks: null, days: null, hours: 3, minutes: null, seconds: null },
    },
    application: {
      all_paused: false,
      all_muted: false,
      global_ignore_text: ["Cookies"],
      global_subtractive_selectors: ["footer"],
      notification_urls: [],
      tags: {
        group: {
          title: "Prices",
          include_filters: [".price"],
          subtractive_selectors: [".ads"],
          notification_urls: ["ntfy://prices"],
          notification_muted: false,
        },
      },
    },
  };
  const parseOne = (fields: object, settings: object = SETTINGS) => {
    const uuid = "5a3e2b1c-0000-4000-8000-000000000001";
    const { monitors, skipped } = parse(
      JSON.stringify({ note: "", watching: { [uuid]: buildWatch(fields) }, settings }),
    );
    return { monitor: monitors[0], skipped };
  };

  it("has nothing to report for a watch with the defaults", () => {
    const { monitor } = parseOne({});
    expect(monitor?.notes).toEqual([]);
    expect(monitor?.request).toMatchObject({
      name: "shop.example",
      schedule: { text: "every 3 hours" },
      targets: [
        { scrapeOptions: { excludeTags: ["footer"], headers: { "accept-language": "de" } } },
      ],
      detection: { ignore: ["(?i)Cookies"] },
      channels: [],
    });
  });

  it("adds the filters of its groups, and takes their channels where it has none", () => {
    const { monitor } = parseOne({ tags: ["group"], include_filters: ["h1"] });
    expect(monitor?.request).toMatchObject({
      targets: [
        {
          scrapeOptions: { includeTags: ["h1", ".price"], excludeTags: ["footer", ".ads"] },
        },
      ],
      channels: [{ type: "ntfy", url: "https://ntfy.sh/prices" }],
    });
  });

  it("takes the common interval where a watch keeps an old one of its own", () => {
    const time_between_check = { weeks: null, days: 1, hours: null, minutes: null, seconds: null };
    expect(parseOne({ time_between_check }).monitor?.request.schedule.text).toBe("every 3 hours");
    const own = { time_between_check, time_between_check_use_default: false };
    expect(parseOne(own).monitor?.request.schedule.text).toBe("daily");
  });

  it("reports hours, kinds of changes and bodies that have no counterpart", () => {
    const { monitor } = parseOne({
      filter_text_removed: false,
      time_schedule_limit: { enabled: true },
      conditions: [{ field: "extracted_number", operator: ">", value: "10" }],
    });
    const notes = monitor?.notes.join("\n") ?? "";
    for (const name of ["filter_text_removed", "time_schedule_limit", "conditions"])
      expect(notes).toContain(name);
  });

  it("leaves out addresses that are templates or show the source", () => {
    const url = "https://shop.example/{% now 'utc', '%Y' %}";
    expect(parseOne({ url }).skipped).toMatchObject([
      { reason: expect.stringContaining("template") as string },
    ]);
    expect(parseOne({ url: "source:https://shop.example/" }).skipped).toMatchObject([
      { reason: expect.stringContaining("not a web address") as string },
    ]);
  });

  it("pauses and mutes all watches with the application", () => {
    const application = { ...SETTINGS.application, all_paused: true, all_muted: true };
    const { monitor } = parseOne({ tags: ["group"] }, { ...SETTINGS, application });
    expect(monitor).toMatchObject({ isPaused: true, request: { channels: [] } });
  });

  it("reads the folder of a backup with a file per watch", async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-backup-"));
    try {
      const { tags, ...application } = SETTINGS.application;
      const write = async (name: string, value: object): Promise<void> => {
        await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
        await writeFile(path.join(folder, name), JSON.stringify(value));
      };
      await write("changedetection.json", { settings: { ...SETTINGS, application } });
      await write("group/tag.json", tags.group);
      await write("one/watch.json", buildWatch({ tags: ["group"] }));
      await write("two/watch.json", buildWatch({ url: "https://town.example/", paused: true }));
      await writeFile(path.join(folder, "url-list.txt"), "https://shop.example/\n");
      const { monitors, skipped } = parse(await readBackup(folder));
      expect(skipped).toEqual([]);
      expect(monitors.map(({ request, isPaused }) => [request.name, isPaused])).toEqual([
        ["shop.example", false],
        ["town.example", true],
      ]);
      expect(monitors[0]?.request.channels).toMatchObject([{ type: "ntfy" }]);
      const watch = JSON.stringify(buildWatch({}));
      expect(parse(watch).monitors).toHaveLength(1);
      await rm(path.join(folder, "one"), { recursive: true });
      await rm(path.join(folder, "two"), { recursive: true });
      await expect(readBackup(folder)).rejects.toThrow("has no watches");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
