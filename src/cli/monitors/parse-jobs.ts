// The job list of urlwatch: YAML documents.
import { parseAllDocuments } from "yaml";
import { RequestError } from "../../errors.ts";
import { isObject } from "../../runtime/is-object.ts";
import {
  asEntry,
  asText,
  asTexts,
  collect,
  createDraft,
  escapePattern,
  toRequest,
  toSelector,
  Unsupported,
  type Draft,
  type Entry,
  type ImportDefaults,
  type ImportedList,
  type ImportedMonitor,
} from "./import-draft.ts";

export function parseJobs(text: string, defaults: ImportDefaults): ImportedList {
  const documents = parseAllDocuments(text, { schema: "core", maxAliasCount: 100 } as object);
  const list = Array.isArray(documents) ? documents : [];
  const broken = list.find(({ errors }) => errors.length > 0);
  const entries = broken === undefined ? list.map((document): unknown => document.toJS()) : [];
  const jobs = entries.filter((entry) => entry !== null);
  if (jobs.length === 0 || !jobs.some((job) => isObject(job)))
    throw new RequestError(
      "BAD_REQUEST",
      "The file is no list of changedetection.io (JSON), of urlwatch (YAML) or of URLs.",
    );
  return collect(jobs, (entry) => readJob(entry, defaults));
}

const UNSUPPORTED_JOB_SETTINGS: readonly string[] = [
  "additions_only",
  "deletions_only",
  "diff_tool",
  "diff_filter",
  "compared_versions",
  "http_proxy",
  "https_proxy",
  "user_visible_url",
  "treat_new_as_changed",
  "encoding",
  "max_tries",
  "ignore_connection_errors",
  "ignore_http_error_codes",
  "ignore_timeout_errors",
  "ignore_too_many_redirects",
];

/** A name and value each, as a header; a file of cookies has no counterpart. */
function readCookies(cookies: unknown, notes: string[]): string {
  if (cookies !== undefined && !isObject(cookies)) notes.push("has cookies in a file");
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
  const draft = createDraft();
  for (const name of UNSUPPORTED_JOB_SETTINGS)
    if (entry[name] !== undefined && entry[name] !== false) draft.notes.push(`has ${name}`);
  for (const [name, value] of listFilters(entry["filter"])) addJobFilter(draft, name, value);
  const headers = asEntry(entry["headers"]);
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

function addJobFilter(draft: Draft, name: string, value: unknown): void {
  if (COSMETIC.has(name)) return;
  const options = asEntry(value);
  const text = asText(value);
  const escapeName = (given: string): string => given.replaceAll(/["\\]/g, String.raw`\$&`);
  switch (name) {
    case "css":
    case "xpath": {
      if (options["skip"] !== undefined || options["maxitems"] !== undefined)
        throw new Unsupported(`It selects some of the matches of ${name}.`);
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
