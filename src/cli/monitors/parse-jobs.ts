// The job list of urlwatch: YAML documents.
import { parseAllDocuments } from "yaml";
import { RequestError } from "../../errors.ts";
import { isObject } from "../../runtime/is-object.ts";
import {
  addExclude,
  asEntry,
  asScalar,
  asText,
  asTexts,
  collect,
  createDraft,
  escapePattern,
  FEED,
  toInclude,
  toRequest,
  Unsupported,
  type Draft,
  type Entry,
  type ImportDefaults,
  type ImportedList,
  type ImportedMonitor,
  type SkippedEntry,
} from "./import-draft.ts";

export function parseJobs(text: string, defaults: ImportDefaults): ImportedList {
  // As PyYAML reads them: the last of two equal keys wins.
  const documents = parseAllDocuments(text, {
    schema: "core",
    merge: true,
    uniqueKeys: false,
    maxAliasCount: 100,
  } as object);
  const list = Array.isArray(documents) ? documents : [];
  const broken: SkippedEntry[] = [];
  const jobs: unknown[] = [];
  for (const [index, document] of list.entries()) {
    const [fault] = document.errors;
    const job: unknown = fault === undefined ? document.toJS() : null;
    if (fault !== undefined)
      broken.push({
        name: `entry ${index + 1}`,
        reason: `Invalid YAML: ${fault.message.split("\n", 1)[0] ?? ""}`,
      });
    if (job !== null) jobs.push(job);
  }
  if (!jobs.some((job) => isObject(job)))
    throw new RequestError(
      "BAD_REQUEST",
      "The file is not a list of changedetection.io (JSON), of urlwatch (YAML) or of URLs.",
    );
  const { monitors, skipped } = collect(jobs, (entry) => readJob(entry, defaults));
  return { monitors, skipped: [...broken, ...skipped] };
}

/** Settings that are read, or that change nothing for a monitor. */
const KNOWN_JOB_SETTINGS = new Set([
  "kind",
  "name",
  "note",
  "url",
  "navigate",
  "location",
  "index_number",
  "enabled",
  "filter",
  "headers",
  "cookies",
  "method",
  "data",
  "post",
  "max_tries",
  "ssl_no_verify",
  "tags",
  "useragent",
  "use_browser",
  "user_visible_url",
]);
/** The kinds of urlwatch; Python hooks define others. */
const JOB_KINDS = new Set(["", "url", "browser", "shell"]);
const MAX_BROKEN_AFTER = 50;

/** A name and value each, as a header; a file of cookies has no counterpart. */
function readCookies(cookies: unknown, notes: string[]): string {
  if (cookies !== undefined && !isObject(cookies))
    notes.push("Cookies in a file are not imported.");
  return Object.entries(asEntry(cookies))
    .map(([name, value]) => `${name}=${String(value)}`)
    .join("; ");
}

function readJob(entry: Entry, defaults: ImportDefaults): ImportedMonitor {
  if (entry["command"] !== undefined) throw new Unsupported("It runs a command.");
  const url = asText(entry["url"]) || asText(entry["navigate"]);
  const hasData = entry["data"] !== undefined || entry["post"] !== undefined;
  const method = asText(entry["method"]) || (hasData ? "POST" : "GET");
  if (method.toUpperCase() !== "GET") throw new Unsupported(`It sends ${method} requests.`);
  const kind = asText(entry["kind"]);
  if (!JOB_KINDS.has(kind))
    throw new Unsupported(`Its kind "${kind}" is defined by a Python hook.`);
  const draft = createDraft();
  for (const [name, value] of Object.entries(entry))
    if (!KNOWN_JOB_SETTINGS.has(name) && value !== null && value !== false)
      draft.notes.push(`The setting ${name} is not imported.`);
  addJobFilters(draft, listFilters(entry["filter"]));
  const tries = Number(entry["max_tries"]);
  if (tries >= 1) draft.brokenAfter = Math.min(MAX_BROKEN_AFTER, Math.floor(tries));
  const agent = asText(entry["useragent"]);
  const headers = { ...(agent !== "" && { "User-Agent": agent }), ...asEntry(entry["headers"]) };
  const cookies = readCookies(entry["cookies"], draft.notes);
  const texts = [
    ...(cookies === "" ? [] : [["Cookie", cookies] as const]),
    ...Object.entries(headers).map(([name, value]) => [name, String(value)] as const),
  ];
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

/** Filters after which the text has no more HTML. */
const TO_TEXT = new Set(["html2text", "pdf2text", "ical2text"]);
const LINE_FILTERS = new Set(["grep", "grepi", "keep_lines_containing", "delete_lines_containing"]);

function addJobFilters(draft: Draft, filters: readonly [string, unknown][]): void {
  const lastText = filters.findLastIndex(([name]) => TO_TEXT.has(name));
  for (const [index, [name, value]] of filters.entries()) {
    addJobFilter(draft, name, value);
    if (LINE_FILTERS.has(name) && index < lastText)
      draft.notes.push(`${name} filters lines of the HTML. The monitor filters lines of the text.`);
  }
}

function addJobFilter(draft: Draft, name: string, value: unknown): void {
  if (COSMETIC.has(name)) return;
  const options = asEntry(value);
  const text = asScalar(value);
  const escapeName = (given: string): string => given.replaceAll(/["\\]/g, String.raw`\$&`);
  const named = text || asScalar(options[name.replace("element-by-", "")]);
  switch (name) {
    case "css":
    case "xpath":
      return addElements(draft, name, text, options);
    case "element-by-id":
      return narrow(draft, `[id="${escapeName(named)}"]`);
    case "element-by-class":
      return narrow(draft, `[class~="${escapeName(named)}"]`);
    case "element-by-tag":
      return narrow(draft, named);
    case "keep_lines_containing":
      return addLines(draft.matching, name, escapePattern(text), options);
    case "delete_lines_containing":
      return addLines(draft.notMatching, name, escapePattern(text), options);
    // Their text is a pattern.
    case "grep":
      return addLines(draft.matching, name, text, options);
    case "grepi":
      return addLines(draft.notMatching, name, text, options);
    case "jq": {
      const path = text || asText(options["query"]);
      if (!/^\.[\w.[\]]+$/.test(path)) throw new Unsupported(`It uses a jq filter: ${path}.`);
      return void draft.jsonPaths.push(`$${path.replaceAll("[]", "[*]")}`);
    }
    default:
      throw new Unsupported(`It uses the filter ${name}.`);
  }
}

function addElements(draft: Draft, name: string, text: string, options: Entry): void {
  const { notes } = draft;
  const expression = text || asText(options["selector"]) || asText(options["path"]);
  if (options["method"] === "xml") {
    notes.push(
      `${expression} selects part of an XML document. The monitor watches the whole document.`,
    );
    return;
  }
  const selector = toInclude(expression, notes);
  if (selector === undefined)
    throw new Unsupported(
      `It selects ${expression || "nothing"} with ${name}, which has no CSS selector.`,
    );
  for (const limit of ["skip", "maxitems"])
    if (options[limit] !== undefined)
      notes.push(
        `The limit ${limit}: ${asScalar(options[limit])} is not imported. The monitor watches every match.`,
      );
  if (selector !== FEED) narrow(draft, selector);
  for (const excluded of asTexts(options["exclude"])) addExclude(draft, excluded);
}

/** The second of two filters selects in what the first one left. */
function narrow(draft: Draft, selector: string): void {
  const [before] = draft.include;
  if (before !== undefined && /^html\b/.test(selector))
    throw new Unsupported("Its second selector starts at the root of the page again.");
  if (before === undefined) draft.include = [selector];
  else if (selector !== "body") draft.include = [`:is(${before}) :is(${selector})`];
}

function addLines(lines: string[], name: string, pattern: string, options: Entry): void {
  const given = asScalar(options["re"]) || pattern || escapePattern(asScalar(options["text"]));
  if (given === "") throw new Unsupported(`It uses the filter ${name} without a text.`);
  // Markdown has none of the tags.
  if (/<\/?[a-z]/i.test(given)) throw new Unsupported(`It filters lines of the HTML: ${given}.`);
  lines.push(given);
}
