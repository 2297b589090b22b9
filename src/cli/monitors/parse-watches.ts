// The backup of changedetection.io: url-watches.json, or of newer versions a file per watch.
import { channelSchema } from "../../contract/jobs/monitor-channels.ts";
import { RequestError } from "../../errors.ts";
import { isObject } from "../../runtime/is-object.ts";
import { parseAppriseUrl } from "./apprise-url.ts";
import {
  addExclude,
  asEntry,
  asText,
  asTexts,
  collect,
  createDraft,
  escapePattern,
  FEED,
  toEvery,
  toInclude,
  toRequest,
  Unsupported,
  type Draft,
  type Entry,
  type ImportDefaults,
  type ImportedList,
  type ImportedMonitor,
} from "./import-draft.ts";

export function parseWatches(text: string, defaults: ImportDefaults): ImportedList {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new RequestError("BAD_REQUEST", "The file is not valid JSON.");
  }
  const { watching, settings, url, uuid } = asEntry(data);
  const isWatch = typeof url === "string" && typeof uuid === "string";
  const watches = isWatch
    ? [data]
    : Array.isArray(watching)
      ? (watching as unknown[])
      : isObject(watching)
        ? Object.values(watching)
        : undefined;
  if (watches === undefined)
    throw new RequestError(
      "BAD_REQUEST",
      'The file has no "watching": import the folder of an unpacked changedetection.io backup, or its url-watches.json.',
    );
  const common = asEntry(settings);
  const requests = asEntry(common["requests"]);
  const application = asEntry(common["application"]);
  const usual: SharedSettings = {
    minutes: readInterval(requests) ?? 180,
    urls: asTexts(application["notification_urls"]),
    exclude: asTexts(application["global_subtractive_selectors"]),
    ignore: asTexts(application["global_ignore_text"]),
    headers: asEntry(common["headers"]),
    isPaused: application["all_paused"] === true,
    isMuted: application["all_muted"] === true,
    tags: asEntry(application["tags"]),
  };
  return collect(watches, (entry) => readWatch(withTags(entry, usual), defaults, usual));
}

/** Settings of the application that watches share. */
type SharedSettings = {
  readonly minutes: number;
  readonly urls: readonly string[];
  readonly exclude: readonly string[];
  readonly ignore: readonly string[];
  readonly headers: Entry;
  readonly isPaused: boolean;
  readonly isMuted: boolean;
  /** Groups of watches by id: their filters are added to those of the watch. */
  readonly tags: Entry;
};

const TAG_SETTINGS = [
  "include_filters",
  "subtractive_selectors",
  "ignore_text",
  "trigger_text",
  "text_should_not_be_present",
  "extract_text",
] as const;

function withTags(watch: Entry, { tags }: SharedSettings): Entry {
  const groups = asTexts(watch["tags"] ?? []).map((id) => asEntry(tags[id]));
  if (groups.length === 0) return watch;
  const lists = Object.fromEntries(
    TAG_SETTINGS.map((name) => [name, [watch, ...groups].flatMap((one) => asTexts(one[name]))]),
  );
  const urls = [watch, ...groups]
    .map((one) => asTexts(one["notification_urls"]))
    .find((list) => list.length > 0);
  const isMuted = [watch, ...groups].some((one) => one["notification_muted"] === true);
  return { ...watch, ...lists, notification_urls: urls ?? [], notification_muted: isMuted };
}

function readMinutes(value: unknown): number | undefined {
  const { weeks, days, hours, minutes, seconds } = asEntry(value);
  const count = (one: unknown): number =>
    one === null || one === undefined ? 0 : Number(one) || 0;
  const total =
    count(weeks) * 10_080 +
    count(days) * 1_440 +
    count(hours) * 60 +
    count(minutes) +
    count(seconds) / 60;
  return total > 0 ? total : undefined;
}

/** Versions before 0.39.12 count minutes. */
const readInterval = (settings: Entry): number | undefined =>
  readMinutes(settings["time_between_check"]) ??
  readMinutes({ minutes: settings["minutes_between_check"] });

/** Settings without a counterpart, and what they do. A value other than the default is a note. */
const UNSUPPORTED_WATCH_SETTINGS: readonly [name: string, note: string][] = [
  ["text_should_not_be_present", "waits until a text is gone"],
  ["extract_text", "extracts text with a pattern"],
  ["check_unique_lines", "reports only lines that the page never had"],
  ["sort_text_alphabetically", "sorts lines"],
  ["conditions", "notifies only under conditions"],
  ["extract_lines_containing", "keeps only some lines"],
  ["ignore_status_codes", "ignores status codes"],
  ["llm_intent", "asks a model about each change"],
  ["proxy", "uses a proxy"],
  ["webdriver_js_execute_code", "runs a script in the page"],
  ["body", "sends a request body"],
];
/** Changes that a watch can leave out. */
const IGNORED_CHANGES: readonly [name: string, note: string][] = [
  ["filter_text_added", "ignores added text"],
  ["filter_text_removed", "ignores removed text"],
  ["filter_text_replaced", "ignores replaced text"],
];

const describeLost = (name: string, effect: string): string =>
  `The setting ${name} is not imported. It ${effect}.`;

function readWatch(entry: Entry, defaults: ImportDefaults, usual: SharedSettings): ImportedMonitor {
  const draft = createDraft();
  const { notes } = draft;
  const method = asText(entry["method"]) || "GET";
  if (method.toUpperCase() !== "GET") throw new Unsupported(`It sends ${method} requests.`);
  const steps = Array.isArray(entry["browser_steps"]) ? (entry["browser_steps"] as unknown[]) : [];
  const isStep = (step: unknown): boolean =>
    !["", "Choose one", "Goto site"].includes(asText(asEntry(step)["operation"]));
  if (steps.some(isStep)) throw new Unsupported("It runs steps in the browser.");
  const processor = asText(entry["processor"]) || "text_json_diff";
  if (processor !== "text_json_diff") throw new Unsupported(`It uses the processor ${processor}.`);
  // Versions before 0.40 have one filter.
  for (const filter of [...asTexts(entry["include_filters"]), ...asTexts(entry["css_filter"])])
    addFilter(draft, filter);
  for (const filter of [...usual.exclude, ...asTexts(entry["subtractive_selectors"])])
    addExclude(draft, filter);
  for (const text of [...usual.ignore, ...asTexts(entry["ignore_text"])])
    draft.ignore.push(toPattern(text));
  const triggers = asTexts(entry["trigger_text"]);
  if (triggers.some((text) => /^\/.*\/\w*$/.test(text)))
    throw new Unsupported("Its trigger_text is a regular expression.");
  for (const [name, note] of UNSUPPORTED_WATCH_SETTINGS) {
    const value = entry[name];
    if (
      isObject(value)
        ? Object.keys(value).length > 0
        : Array.isArray(value)
          ? value.length > 0
          : Boolean(value)
    )
      notes.push(describeLost(name, note));
  }
  // The default names the watch.
  const body = asText(entry["notification_body"]);
  if (body !== "" && !/^\{+ *watch_url *\}+ had a change\./.test(body))
    notes.push(describeLost("notification_body", "replaces the text of notifications"));
  for (const [name, note] of IGNORED_CHANGES)
    if (entry[name] === false) notes.push(describeLost(name, note));
  if (asEntry(entry["time_schedule_limit"])["enabled"] === true)
    notes.push(describeLost("time_schedule_limit", "limits checks to certain hours"));
  const ownMinutes =
    entry["time_between_check_use_default"] === true ? undefined : readInterval(entry);
  const minutes = ownMinutes ?? usual.minutes;
  const every = toEvery(minutes);
  if (Math.abs(minutes - toMinutes(every)) >= 1)
    notes.push(
      `The interval is ${every} instead of ${minutes < 1 ? `${Math.round(minutes * 60)} seconds` : `${Math.round(minutes)} minutes`}.`,
    );
  const delay = Number(entry["webdriver_delay"] ?? 0) || 0;
  const headers = Object.fromEntries(
    Object.entries({ ...usual.headers, ...asEntry(entry["headers"]) }).filter(
      // The server names the encodings that it can decode.
      ([name]) => name.toLowerCase() !== "accept-encoding",
    ),
  );
  const isMuted = usual.isMuted || entry["notification_muted"] === true;
  const own = asTexts(entry["notification_urls"]);
  const channels = isMuted ? [] : readChannels(own.length > 0 ? own : usual.urls, notes);
  return toRequest(entry, draft, isMuted ? { ...defaults, channels: [] } : defaults, {
    every,
    isPaused: usual.isPaused || entry["paused"] === true,
    channels,
    when:
      triggers.length === 0
        ? undefined
        : { match: "any", conditions: triggers.map((text) => ({ type: "textAppears", text })) },
    scrapeOptions: {
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(delay > 0 && { waitFor: Math.min(60_000, delay * 1_000) }),
    },
  });
}

function toMinutes(every: string): number {
  const [, count = "1", unit] = /^every (\d+) (minutes|hours)$/.exec(every) ?? [];
  if (unit !== undefined) return Number(count) * (unit === "hours" ? 60 : 1);
  return { hourly: 60, daily: 1_440, weekly: 10_080 }[every] ?? 0;
}

function addFilter(draft: Draft, filter: string): void {
  const json = /^json:(.*)$/s.exec(filter)?.[1];
  if (json !== undefined) {
    const path = json.trim();
    draft.jsonPaths.push(path.startsWith("$") ? path : `$.${path}`);
    return;
  }
  if (/^jq(?:raw)?:/.test(filter)) throw new Unsupported(`It uses a jq filter: ${filter}.`);
  const selector = toInclude(filter.replace(/^css:/, ""), draft.notes);
  if (selector === undefined)
    throw new Unsupported(`It selects ${filter}, which has no CSS selector.`);
  if (selector !== FEED) draft.include.push(selector);
}

/** A text, or a pattern between slashes. */
function toPattern(text: string): string {
  const [, pattern, flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  if (pattern === undefined) return `(?i)${escapePattern(text)}`;
  return flags.includes("i") ? `(?i)${pattern}` : pattern;
}

function readChannels(urls: readonly string[], notes: string[]): ImportDefaults["channels"] {
  return urls.flatMap((url) => {
    const channel = parseAppriseUrl(url);
    if (channel !== undefined && channelSchema.safeParse(channel).success) return [channel];
    // The rest of the address may be a secret.
    const scheme = url.split("://", 1)[0] ?? "";
    notes.push(
      channel === undefined
        ? `Notifications by ${scheme} are not imported. Add a channel with --notify.`
        : `The ${scheme} address is not valid and not imported. Add a channel with --notify.`,
    );
    return [];
  });
}
