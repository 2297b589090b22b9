// Modes of the playground: for each, the endpoint, the input of the bar, and the kind of result.
import type { Scope } from "../../../../contract/account/scopes.ts";
import { toText } from "../../data/format.ts";
import type { IconName } from "../../ui/icons.ts";

export type ModeId =
  | "scrape"
  | "crawl"
  | "map"
  | "batch"
  | "search"
  | "parse"
  | "extract"
  | "agent"
  | "interact";

export type Mode = {
  readonly id: ModeId;
  readonly label: string;
  readonly icon: IconName;
  readonly path: string;
  readonly scope: Scope;
  /** The field of the body that the bar fills. */
  readonly field: "url" | "urls" | "query" | "prompt" | "file";
  readonly placeholder: string;
  readonly verb: string;
  /** `page` and `list` are shown at once; a job opens its own screen. */
  readonly outcome: "page" | "list" | "job";
  readonly help: string;
};

export const MODES: readonly Mode[] = [
  {
    id: "scrape",
    label: "Scrape",
    icon: "file",
    path: "/v2/scrape",
    scope: "scrape",
    field: "url",
    placeholder: "https://example.com/page",
    verb: "Scrape",
    outcome: "page",
    help: "One page as Markdown and data.",
  },
  {
    id: "crawl",
    label: "Crawl",
    icon: "folder",
    path: "/v2/crawl",
    scope: "jobs",
    field: "url",
    placeholder: "https://example.com",
    verb: "Start crawl",
    outcome: "job",
    help: "Follows the links of a site and scrapes each page.",
  },
  {
    id: "map",
    label: "Map",
    icon: "link",
    path: "/v2/map",
    scope: "scrape",
    field: "url",
    placeholder: "https://example.com",
    verb: "Map",
    outcome: "list",
    help: "The URLs of a site, without scraping them.",
  },
  {
    id: "batch",
    label: "Batch",
    icon: "jobs",
    path: "/v2/batch/scrape",
    scope: "jobs",
    field: "urls",
    placeholder: "One URL per line",
    verb: "Start batch",
    outcome: "job",
    help: "A list of URLs as one job.",
  },
  {
    id: "search",
    label: "Search",
    icon: "search",
    path: "/v2/search",
    scope: "scrape",
    field: "query",
    placeholder: "What to look for",
    verb: "Search",
    outcome: "list",
    help: "The web, or what this server has scraped.",
  },
  {
    id: "parse",
    label: "Parse",
    icon: "docs",
    path: "/v2/parse",
    scope: "scrape",
    field: "file",
    placeholder: "",
    verb: "Parse",
    outcome: "page",
    help: "A file as Markdown and data.",
  },
  {
    id: "extract",
    label: "Extract",
    icon: "check",
    path: "/v2/extract",
    scope: "jobs",
    field: "urls",
    placeholder: "One URL per line; /* takes a whole site",
    verb: "Extract",
    outcome: "job",
    help: "Structured data from several pages.",
  },
  {
    id: "agent",
    label: "Agent",
    icon: "agent",
    path: "/v2/agent",
    scope: "jobs",
    field: "prompt",
    placeholder: "What to find, such as: the price and weight of each lamp",
    verb: "Start run",
    outcome: "job",
    help: "Finds data over many pages from a prompt.",
  },
  {
    id: "interact",
    label: "Interact",
    icon: "live",
    path: "/v2/scrape",
    scope: "jobs",
    field: "url",
    placeholder: "https://example.com/page",
    verb: "Open the page",
    outcome: "page",
    help: "Works in the live page by prompt or code.",
  },
];

/** Names a request in a list: several URLs by the first and their number. */
export function nameRequest(mode: Pick<Mode, "field">, subject: string, options: Options): string {
  if (subject.trim() === "") return toText(options["prompt"] ?? "");
  if (mode.field !== "urls") return subject;
  const [first = "", ...others] = subject.split(/\s+/).filter((url) => url !== "");
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

export const findMode = (id: string | null): Mode =>
  MODES.find((mode) => mode.id === id) ?? (MODES[0] as Mode);

export type Options = Readonly<Record<string, unknown>>;

/** The input of a request beside its mode. */
export type Given = {
  readonly subject: string;
  readonly options: Options;
  readonly file: File | undefined;
};

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

/** True if the request can be sent. An extraction finds its pages itself if it has a prompt. */
export const isComplete = ({ id, field }: Mode, { subject, options, file }: Given): boolean =>
  field === "file"
    ? file !== undefined
    : isText(subject) || (id === "extract" && isText(options["prompt"]));

/** The body that is sent. */
export function buildBody(
  { field }: Mode,
  subject: string,
  options: Options,
): Record<string, unknown> {
  if (field === "file") return { ...options };
  if (field !== "urls") return { [field]: subject.trim(), ...options };
  const urls = subject.split(/\s+/).filter((url) => url !== "");
  return { ...(urls.length > 0 && { urls }), ...options };
}
