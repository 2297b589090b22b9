// Reads lists of other tools as requests for monitors: url-watches.json of changedetection.io, the
// job list of urlwatch (YAML), and plain lists of URLs. Entries that would watch something else
// than before are left out, with the reason.
import { parseAllDocuments } from "yaml";
import { RequestError } from "../../errors.ts";
import { isObject } from "../../runtime/is-object.ts";
import type { MonitorRequest } from "../../../client/wire.ts";
import { parseAppriseUrl } from "./apprise-url.ts";

export type ImportedMonitor = {
  readonly request: MonitorRequest;
  readonly isPaused: boolean;
  /** Settings of the entry that have no counterpart. */
  readonly notes: readonly string[];
};
export type SkippedEntry = { readonly name: string; readonly reason: string };
export type ImportedList = {
  readonly monitors: readonly ImportedMonitor[];
  readonly skipped: readonly SkippedEntry[];
};
export type ImportDefaults = {
  /** Schedule of entries without one, as a phrase. */
  readonly every: string;
  readonly channels: NonNullable<MonitorRequest["channels"]>;
};

type Entry = Readonly<Record<string, unknown>>;
/** Collects what an entry asks for. */
type Draft = {
  include: string[];
  exclude: string[];
  jsonPaths: string[];
  matching: string[];
  notMatching: string[];
  ignore: string[];
  textOnly: boolean;
  notes: string[];
};

class Unsupported extends Error {}

const MINUTES = [5, 6, 10, 12, 15, 20, 30] as const;
const HOURS = [1, 2, 3, 4, 6, 8, 12] as const;
const MAX_NAME = 256;

/** Throws BAD_REQUEST for a file of none of the formats. */
export function parseMonitorList(text: string, defaults: ImportDefaults): ImportedList {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed.startsWith("PK"))
    throw new RequestError(
      "BAD_REQUEST",
      "The file is a ZIP: unpack it and import url-watches.json.",
    );
  if (trimmed.startsWith("{")) return parseWatches(trimmed, defaults);
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const urls = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (urls.length > 0 && urls.every((line) => /^https?:\/\/\S+/i.test(line)))
    return collect(
      urls.map((line) => ({ url: line.split(/\s/, 1)[0] })),
      (entry) => toRequest(entry, createDraft(), defaults),
    );
  return parseJobs(trimmed, defaults);
}

function collect(
  entries: readonly unknown[],
  read: (entry: Entry) => ImportedMonitor,
): ImportedList {
  const monitors: ImportedMonitor[] = [];
  const skipped: SkippedEntry[] = [];
  for (const entry of entries) {
    if (!isObject(entry)) {
      skipped.push({ name: JSON.stringify(entry)?.slice(0, 100) ?? "", reason: "It is no entry." });
      continue;
    }
    try {
      monitors.push(read(entry));
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      skipped.push({ name: readName(entry), reason: error.message });
    }
  }
  return { monitors, skipped };
}

const createDraft = (): Draft => ({
  include: [],
  exclude: [],
  jsonPaths: [],
  matching: [],
  notMatching: [],
  ignore: [],
  textOnly: false,
  notes: [],
});

const asText = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
const asTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).map(asText).filter((text) => text !== "");
const asEntry = (value: unknown): Entry => (isObject(value) ? value : {});
const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

function readName(entry: Entry): string {
  const url = asText(entry["url"]);
  const parsed = URL.parse(url);
  const name = asText(entry["title"]) || asText(entry["name"]);
  const place = parsed === null ? url : `${parsed.host}${parsed.pathname.replace(/\/$/, "")}`;
  return (name || place || "entry").slice(0, MAX_NAME);
}

function toRequest(
  entry: Entry,
  draft: Draft,
  { every, channels }: ImportDefaults,
  more: {
    readonly every?: string | undefined;
    readonly isPaused?: boolean;
    readonly scrapeOptions?: object;
    readonly when?: object | undefined;
    readonly channels?: ImportDefaults["channels"];
  } = {},
): ImportedMonitor {
  const url = asText(entry["url"]);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new Unsupported(`${url === "" ? "It has no URL" : `${url} is no web address`}.`);
  const { include, exclude, jsonPaths, matching, notMatching, textOnly } = draft;
  if (jsonPaths.length > 0 && include.length + matching.length + notMatching.length > 0)
    throw new Unsupported("It selects JSON and parts of a page.");
  const scope = {
    ...(jsonPaths.length > 0 && { jsonPaths }),
    ...(matching.length > 0 && { linesMatching: matching }),
    ...(notMatching.length > 0 && { linesNotMatching: notMatching }),
    ...(textOnly && jsonPaths.length === 0 && { textOnly }),
  };
  const request = {
    name: readName(entry),
    schedule: { text: more.every ?? every },
    targets: [
      {
        type: "scrape",
        urls: [url],
        scrapeOptions: {
          ...(include.length > 0 ? { includeTags: include } : { onlyMainContent: false }),
          ...(exclude.length > 0 && { excludeTags: exclude }),
          ...more.scrapeOptions,
        },
        ...(Object.keys(scope).length > 0 && { scope }),
      },
    ],
    ...(draft.ignore.length > 0 && { detection: { ignore: draft.ignore } }),
    ...(more.when !== undefined && { when: more.when }),
    channels: [...channels, ...(more.channels ?? [])],
    integration: "cli",
  } as MonitorRequest;
  return { request, isPaused: more.isPaused ?? false, notes: draft.notes };
}

/** CSS for the XPath expressions that have one. */
export function toSelector(text: string): string | undefined {
  const path = text.replace(/^xpath1?:/, "");
  if (!path.startsWith("/") && !path.startsWith("xpath")) return path === text ? path : undefined;
  const steps = path.matchAll(
    /(\/{1,2})([a-z][a-z0-9-]*|\*)((?:\[@[a-z-]+=(?:'[^'"\]]*'|"[^'"\]]*")\])*)/giy,
  );
  let css = "";
  let length = 0;
  for (const [whole, slashes, name = "", tests = ""] of steps) {
    const join = css === "" ? "" : slashes === "//" ? " " : " > ";
    // A path from the root starts with its element.
    if (css === "" && slashes === "/" && name !== "html") return undefined;
    css += `${join}${name}${tests.replaceAll("[@", "[")}`;
    length += whole.length;
  }
  return length === path.length && css !== "" ? css : undefined;
}

/** Returns the closest interval that divides the hour or the day. */
export function toEvery(minutes: number): string {
  const closest = (values: readonly number[], value: number): number =>
    values.reduce((best, one) => (Math.abs(one - value) < Math.abs(best - value) ? one : best));
  if (minutes < 45) return `every ${closest(MINUTES, minutes)} minutes`;
  const hours = minutes / 60;
  if (hours < 18) {
    const found = closest(HOURS, hours);
    return found === 1 ? "hourly" : `every ${found} hours`;
  }
  return hours < 4 * 24 ? "daily" : "weekly";
}

// changedetection.io

function parseWatches(text: string, defaults: ImportDefaults): ImportedList {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new RequestError("BAD_REQUEST", "The file is no valid JSON.");
  }
  const { watching, settings } = asEntry(data);
  if (!isObject(watching))
    throw new RequestError(
      "BAD_REQUEST",
      'The file has no "watching": import url-watches.json of a changedetection.io backup.',
    );
  const common = asEntry(settings);
  const requests = asEntry(common["requests"]);
  const application = asEntry(common["application"]);
  const usual = {
    minutes: readMinutes(requests["time_between_check"]) ?? 180,
    urls: asTexts(application["notification_urls"]),
    exclude: asTexts(application["global_subtractive_selectors"]),
    ignore: asTexts(application["global_ignore_text"]),
  };
  return collect(Object.values(watching), (entry) => readWatch(entry, defaults, usual));
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

/** Settings that other tools have and monitors lack; a value other than the default is a note. */
const LOST_OF_WATCHES: readonly [name: string, note: string][] = [
  ["text_should_not_be_present", "waits until a text is gone"],
  ["extract_text", "extracts text with a pattern"],
  ["check_unique_lines", "reports only lines that were never there"],
  ["sort_text_alphabetically", "sorts lines"],
  ["conditions", "has conditions"],
  ["notification_body", "has a text of its own for notifications"],
  ["proxy", "uses a proxy"],
  ["webdriver_js_execute_code", "runs a script in the page"],
];

function readWatch(
  entry: Entry,
  defaults: ImportDefaults,
  usual: {
    readonly minutes: number;
    readonly urls: readonly string[];
    readonly exclude: readonly string[];
    readonly ignore: readonly string[];
  },
): ImportedMonitor {
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
  for (const filter of asTexts(entry["include_filters"])) addFilter(draft, filter);
  for (const filter of [...usual.exclude, ...asTexts(entry["subtractive_selectors"])]) {
    const selector = toSelector(filter);
    if (selector === undefined) notes.push(`removes ${filter}, which has no CSS selector`);
    else draft.exclude.push(selector);
  }
  for (const text of [...usual.ignore, ...asTexts(entry["ignore_text"])])
    draft.ignore.push(toPattern(text));
  const triggers = asTexts(entry["trigger_text"]);
  if (triggers.some((text) => /^\/.*\/\w*$/.test(text)))
    throw new Unsupported("It notifies by a pattern (trigger_text).");
  for (const [name, note] of LOST_OF_WATCHES) {
    const value = entry[name];
    if (
      isObject(value)
        ? Object.keys(value).length > 0
        : Array.isArray(value)
          ? value.length > 0
          : Boolean(value)
    )
      notes.push(`${note} (${name})`);
  }
  const minutes = readMinutes(entry["time_between_check"]) ?? usual.minutes;
  const every = toEvery(minutes);
  if (Math.abs(minutes - toMinutes(every)) >= 1)
    notes.push(`every ${Math.round(minutes)} minutes became: ${every}`);
  const delay = Number(entry["webdriver_delay"] ?? 0) || 0;
  const headers = asEntry(entry["headers"]);
  const isMuted = entry["notification_muted"] === true;
  const own = asTexts(entry["notification_urls"]);
  const channels = isMuted ? [] : readChannels(own.length > 0 ? own : usual.urls, notes);
  return toRequest(entry, draft, isMuted ? { ...defaults, channels: [] } : defaults, {
    every,
    isPaused: entry["paused"] === true,
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
  if (/^jq(?:raw)?:/.test(filter)) throw new Unsupported(`It selects with jq: ${filter}.`);
  const selector = toSelector(filter.replace(/^css:/, ""));
  if (selector === undefined)
    throw new Unsupported(`It selects ${filter}, which has no CSS selector.`);
  draft.include.push(selector);
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
    if (channel !== undefined) return [channel];
    // The rest of the address may be a secret.
    notes.push(`notifies ${url.split("://", 1)[0] ?? ""}, which needs --notify`);
    return [];
  });
}

// urlwatch

function parseJobs(text: string, defaults: ImportDefaults): ImportedList {
  const documents = parseAllDocuments(text, { schema: "core", maxAliasCount: 100 } as object);
  const list = Array.isArray(documents) ? documents : [];
  const broken = list.find(({ errors }) => errors.length > 0);
  const entries = broken === undefined ? list.map((document): unknown => document.toJS()) : [];
  const jobs = entries.filter((entry) => entry !== null);
  if (jobs.length === 0 || !jobs.some((job) => isObject(job)))
    throw new RequestError(
      "BAD_REQUEST",
      "The file is no list of changedetection.io (url-watches.json), of urlwatch (YAML) or of URLs.",
    );
  return collect(jobs, (entry) => readJob(entry, defaults));
}

const LOST_OF_JOBS: readonly string[] = [
  "additions_only",
  "deletions_only",
  "diff_tool",
  "diff_filter",
  "compared_versions",
  "http_proxy",
  "https_proxy",
  "user_visible_url",
  "treat_new_as_changed",
];

function readJob(entry: Entry, defaults: ImportDefaults): ImportedMonitor {
  if (entry["command"] !== undefined) throw new Unsupported("It runs a command.");
  const url = asText(entry["url"]) || asText(entry["navigate"]);
  const method = asText(entry["method"]) || (entry["data"] === undefined ? "GET" : "POST");
  if (method.toUpperCase() !== "GET") throw new Unsupported(`It sends ${method} requests.`);
  const draft = createDraft();
  for (const name of LOST_OF_JOBS)
    if (entry[name] !== undefined && entry[name] !== false) draft.notes.push(`has ${name}`);
  for (const [name, value] of listFilters(entry["filter"])) addJobFilter(draft, name, value);
  const headers = asEntry(entry["headers"]);
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return toRequest({ ...entry, url }, draft, defaults, {
    isPaused: entry["enabled"] === false,
    scrapeOptions: {
      ...(texts.length > 0 && { headers: Object.fromEntries(texts) }),
      ...(entry["ssl_no_verify"] === true && { skipTlsVerification: true }),
    },
  });
}

/** `css:body,html2text`, a list of names, or a list of objects with one key. */
function listFilters(filter: unknown): [name: string, value: unknown][] {
  if (filter === undefined || filter === null) return [];
  const list = typeof filter === "string" ? filter.split(",") : filter;
  if (!Array.isArray(list)) return Object.entries(asEntry(filter));
  return (list as unknown[]).flatMap((one): [string, unknown][] => {
    if (isObject(one)) return Object.entries(one);
    const [name = "", ...rest] = asText(one).split(":");
    return [[name.trim(), rest.length === 0 ? undefined : rest.join(":").trim()]];
  });
}

/** Filters that change how text is shown, not which. */
const COSMETIC = new Set([
  "html2text",
  "beautify",
  "strip",
  "striplines",
  "format-json",
  "format-xml",
  "pretty-xml",
  "pdf2text",
  "ical2text",
  "remove_repeated",
  "remove-duplicate-lines",
  "sha1sum",
]);

function addJobFilter(draft: Draft, name: string, value: unknown): void {
  if (COSMETIC.has(name)) return;
  const options = asEntry(value);
  const text = asText(value);
  const escapeName = (given: string): string => given.replaceAll(/["\\]/g, String.raw`\$&`);
  switch (name) {
    case "css":
    case "xpath": {
      const selector = toSelector(text || asText(options["selector"]) || asText(options["path"]));
      if (selector === undefined || selector === "")
        throw new Unsupported(`It selects with ${name} what has no CSS selector.`);
      draft.include.push(selector);
      for (const excluded of asTexts(options["exclude"])) {
        const without = toSelector(excluded);
        if (without === undefined)
          draft.notes.push(`removes ${excluded}, which has no CSS selector`);
        else draft.exclude.push(without);
      }
      return;
    }
    case "element-by-id":
      return void draft.include.push(`[id="${escapeName(text || asText(options["id"]))}"]`);
    case "element-by-class":
      return void draft.include.push(`[class~="${escapeName(text || asText(options["class"]))}"]`);
    case "element-by-tag":
      return void draft.include.push(text || asText(options["tag"]));
    case "keep_lines_containing":
    case "grep":
      return addLines(draft.matching, text, options);
    case "delete_lines_containing":
    case "grepi":
      return addLines(draft.notMatching, text, options);
    case "jq": {
      const path = text || asText(options["query"]);
      if (!/^\.[\w.[\]]+$/.test(path)) throw new Unsupported(`It selects with jq: ${path}.`);
      return void draft.jsonPaths.push(`$${path.replaceAll("[]", "[*]")}`);
    }
    default:
      throw new Unsupported(`It uses the filter ${name}.`);
  }
}

function addLines(lines: string[], text: string, options: Entry): void {
  const pattern = asText(options["re"]);
  const plain = text || asText(options["text"]);
  if (pattern !== "") lines.push(pattern);
  else if (plain !== "") lines.push(escapePattern(plain));
}
