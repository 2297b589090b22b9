import type { ScrapeParameters } from "../../../client/client.ts";
import { RequestError } from "../../errors.ts";
import { hasTasks, withTasks, type PageTasks } from "./page-tasks.ts";

/** Options of the commands that apply to each page. */
export type PageOptions = PageTasks & {
  readonly format?: readonly string[];
  readonly wholePage?: boolean;
  readonly header?: readonly string[];
  readonly timeout?: number;
  readonly maxAge?: number;
  readonly proxy?: string;
  readonly onBlocked?: string;
  /** True for the default limits, or the maximum number of entries. */
  readonly scroll?: boolean | number;
} & MarkdownFlags;

type MarkdownFlags = {
  readonly links?: string;
  readonly images?: string;
  readonly linkTitles?: boolean;
  readonly firstHeading?: number;
  readonly headingAnchors?: boolean;
  readonly frontMatter?: boolean;
  /** Maximum tokens of the Markdown. */
  readonly budget?: number;
  readonly chunks?: number;
  readonly chunkOverlap?: number;
};

/** Maps the options to the fields of a scrape request, which the server validates. */
export function toPageParameters(options: PageOptions): ScrapeParameters {
  const parameters: Record<string, unknown> = {
    formats: withTasks(toFormats(listNames(options)), options),
  };
  if (options.wholePage === true) parameters["onlyMainContent"] = false;
  if (options.header !== undefined)
    parameters["headers"] = Object.fromEntries(options.header.map(parseHeader));
  const markdown = toMarkdownOptions(options);
  if (markdown !== undefined) parameters["markdown"] = markdown;
  const { scroll } = options;
  if (scroll !== undefined && scroll !== false)
    parameters["scroll"] = scroll === true ? "auto" : { maxEntries: scroll };
  for (const name of ["timeout", "maxAge", "proxy", "onBlocked"] as const) {
    if (options[name] !== undefined) parameters[name] = options[name];
  }
  return parameters as ScrapeParameters;
}

/** Undefined if no flag is given. Throws BAD_REQUEST for an overlap without chunks. */
function toMarkdownOptions(flags: MarkdownFlags): Record<string, unknown> | undefined {
  const { budget, firstHeading, chunks, chunkOverlap } = flags;
  if (chunkOverlap !== undefined && chunks === undefined)
    throw new RequestError("BAD_REQUEST", "--chunk-overlap needs --chunks TOKENS.");
  const given: Record<string, unknown> = {
    links: flags.links,
    images: flags.images,
    linkTitles: flags.linkTitles,
    firstHeadingLevel: firstHeading,
    headingAnchors: flags.headingAnchors,
    frontMatter: flags.frontMatter,
    maxTokens: budget,
    chunks: chunks === undefined ? undefined : { tokens: chunks, overlap: chunkOverlap },
  };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const CHANGES = "changeTracking";

const listNames = ({ format, ...tasks }: PageOptions): string[] =>
  (format ?? (hasTasks(tasks) ? [] : ["markdown"]))
    .flatMap((names) => names.split(","))
    .map((name) => name.trim());

/** The formats requested by name; tasks add their own. */
export function listFormats(options: PageOptions): string[] {
  const names = new Set(listNames(options));
  if (options.schema !== undefined || options.prompt !== undefined) names.add("json");
  if (options.question !== undefined) names.add("question");
  return [...names];
}

/** True if a page is compared with its history, which needs a server or its data folder. */
export const hasChangeTracking = (options: PageOptions): boolean =>
  listNames(options).includes(CHANGES);

/** True if only the changes are requested. */
export const wantsOnlyChanges = (options: PageOptions): boolean =>
  hasChangeTracking(options) && listNames(options).every((name) => name === CHANGES);

/** Changes are reported as a diff of the Markdown. */
function toFormats(names: readonly string[]): unknown[] {
  if (!names.includes(CHANGES)) return [...names];
  const others = names.filter((name) => name !== CHANGES);
  const markdown = others.includes("markdown") ? [] : ["markdown"];
  return [...others, ...markdown, { type: CHANGES, modes: ["git-diff"] }];
}

export function parseHeader(line: string): [string, string] {
  const colon = line.indexOf(":");
  if (colon < 1)
    throw new RequestError("BAD_REQUEST", `--header must look like "Name: value", not "${line}".`);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}
