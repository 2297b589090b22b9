// Reads an entry of another tool's list and builds the request for its monitor.
import type { MonitorRequest } from "../../../client/wire.ts";
import { MAX_MONITOR_NAME_CHARACTERS, monitorRequestSchema } from "../../contract/jobs/monitor.ts";
import { isSelector } from "../../html/select/selector.ts";
import { isObject } from "../../runtime/is-object.ts";
import { namePage } from "./name-page.ts";
import { parseXPath } from "./xpath.ts";

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
  /** Failed checks in a row until the page is reported. */
  brokenAfter: number | undefined;
  notes: string[];
};

export class Unsupported extends Error {}

const MINUTES = [5, 6, 10, 12, 15, 20, 30] as const;
const HOURS = [1, 2, 3, 4, 6, 8, 12] as const;

export function collect(
  entries: readonly unknown[],
  read: (entry: Entry) => ImportedMonitor,
): ImportedList {
  const monitors: ImportedMonitor[] = [];
  const skipped: SkippedEntry[] = [];
  for (const entry of entries) {
    if (!isObject(entry)) {
      skipped.push({
        name: JSON.stringify(entry)?.slice(0, 100) ?? "",
        reason: "It is not an object.",
      });
      continue;
    }
    try {
      const monitor = read(entry);
      const fault = monitorRequestSchema.safeParse(monitor.request).error?.issues[0]?.message;
      if (fault !== undefined) throw new Unsupported(`The monitor would not be valid: ${fault}.`);
      monitors.push(monitor);
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
  brokenAfter: undefined,
  notes: [],
});

export const asText = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
/** Also a number or boolean, as YAML reads `grep: 2024`. */
export const asScalar = (value: unknown): string =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : asText(value);
export const asTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).map(asText).filter((text) => text !== "");
export const asEntry = (value: unknown): Entry => (isObject(value) ? value : {});
export const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

function readName(entry: Entry): string {
  const url = asText(entry["url"]);
  const name = asText(entry["title"]) || asText(entry["name"]);
  return (name || namePage(url) || asText(entry["line"]) || "entry").slice(
    0,
    MAX_MONITOR_NAME_CHARACTERS,
  );
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
    throw new Unsupported(`${url === "" ? "It has no URL" : `${url} is not a web address`}.`);
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
  const detection = {
    ...(draft.ignore.length > 0 && { ignore: draft.ignore }),
    ...(draft.brokenAfter !== undefined && { brokenAfter: draft.brokenAfter }),
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
    ...(Object.keys(detection).length > 0 && { detection }),
    ...(more.when !== undefined && { when: more.when }),
    channels: [...channels, ...(more.channels ?? [])],
    integration: "cli",
  } as MonitorRequest;
  return { request, isPaused: more.isPaused ?? false, notes: draft.notes };
}

type SelectedElements = {
  /** `feed` for parts of a feed. */
  readonly css: string;
  /** Undefined if the selector matches the same elements. */
  readonly note?: string;
};

const isXPath = (text: string): boolean => /^(?:xpath1?:|\(*\.?\/)/.test(text);
export const FEED = "feed";
/** Elements of RSS and Atom. The text of a feed is its entries, which have no such elements. */
const FEED_ELEMENT = /(?:^|[/\s>(|])(?:rss|channel|item|entry|feed)(?=$|[/\s>[|)])/;

const QUOTED = /"[^"]*"|'[^']*'/g;

function toSelector(text: string): SelectedElements | undefined {
  if (FEED_ELEMENT.test(text.replaceAll(QUOTED, '""')))
    return {
      css: FEED,
      note: `${text} selects part of a feed. The monitor watches the whole feed.`,
    };
  if (!isXPath(text)) return isSelector(text) ? { css: text } : undefined;
  const found = parseXPath(text.replace(/^xpath1?:/, ""));
  if (found === undefined || !isSelector(found.css)) return undefined;
  if (!found.isWider) return { css: found.css };
  return {
    css: found.css,
    note: `CSS cannot express ${text}. The monitor watches every element that matches ${found.css}.`,
  };
}

/**
 * Returns the CSS of a selector or XPath expression, `FEED` if it selects parts of a feed, undefined
 * if CSS cannot select its elements. Notes elements that are more than it selects.
 */
export function toInclude(text: string, notes: string[]): string | undefined {
  const selected = toSelector(text);
  if (selected?.note !== undefined) notes.push(selected.note);
  return selected?.css;
}

/** An exclusion must match exactly: a wider one would remove what is to be watched. */
export function addExclude(draft: Draft, text: string): void {
  const selected = toSelector(text);
  if (selected === undefined || selected.note !== undefined)
    draft.notes.push(`${text} has no CSS selector and cannot be excluded. The monitor watches it.`);
  else draft.exclude.push(selected.css);
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
