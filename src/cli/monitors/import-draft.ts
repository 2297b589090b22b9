// Reads an entry of another tool's list and builds the request for its monitor.
import { isObject } from "../../runtime/is-object.ts";
import type { MonitorRequest } from "../../../client/wire.ts";

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

export type Entry = Readonly<Record<string, unknown>>;
/** Collects what an entry asks for. */
export type Draft = {
  include: string[];
  exclude: string[];
  jsonPaths: string[];
  matching: string[];
  notMatching: string[];
  ignore: string[];
  textOnly: boolean;
  notes: string[];
};

export class Unsupported extends Error {}

const MINUTES = [5, 6, 10, 12, 15, 20, 30] as const;
const HOURS = [1, 2, 3, 4, 6, 8, 12] as const;
const MAX_NAME = 256;

export function collect(
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

export const createDraft = (): Draft => ({
  include: [],
  exclude: [],
  jsonPaths: [],
  matching: [],
  notMatching: [],
  ignore: [],
  textOnly: false,
  notes: [],
});

export const asText = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
export const asTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).map(asText).filter((text) => text !== "");
export const asEntry = (value: unknown): Entry => (isObject(value) ? value : {});
export const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

function readName(entry: Entry): string {
  const url = asText(entry["url"]);
  const parsed = URL.parse(url);
  const name = asText(entry["title"]) || asText(entry["name"]);
  const place = parsed === null ? url : `${parsed.host}${parsed.pathname.replace(/\/$/, "")}`;
  return (name || place || "entry").slice(0, MAX_NAME);
}

export function toRequest(
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
  if (/\{[{%]/.test(url)) throw new Unsupported(`Its URL is a template: ${url}.`);
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
