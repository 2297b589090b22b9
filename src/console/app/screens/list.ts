// The screens of the console: name, icon and address. The server writes the navigation from this
// list into the document, so it imports nothing that runs.
import type { Scope } from "../../../contract/account/scopes.ts";
import type { IconName } from "../ui/icon-paths.ts";

export type ScreenEntry = {
  readonly name: string;
  readonly icon: IconName;
  /** The first one is the target of links; `:kind` and `:id` are passed on. */
  readonly paths: readonly string[];
  /** Opens the screen after `g`. */
  readonly key?: string;
  readonly group: "work" | "server" | "none";
  readonly scope?: Scope;
};

const LISTED = [
  {
    name: "Playground",
    icon: "play",
    paths: ["/", "/console/playground"],
    key: "p",
    group: "work",
  },
  {
    name: "Jobs",
    icon: "jobs",
    paths: ["/console/jobs"],
    key: "j",
    group: "work",
    scope: "jobs",
  },
  {
    name: "Job",
    icon: "jobs",
    paths: ["/console/jobs/:kind/:id"],
    group: "none",
    scope: "jobs",
  },
  {
    name: "Data",
    icon: "table",
    paths: ["/console/data"],
    key: "d",
    group: "work",
    scope: "jobs",
  },
  {
    name: "New extractor",
    icon: "table",
    paths: ["/console/data/new"],
    group: "none",
    scope: "jobs",
  },
  {
    name: "Extractor",
    icon: "table",
    paths: ["/console/data/:id"],
    group: "none",
    scope: "jobs",
  },
  {
    name: "Agents",
    icon: "agent",
    paths: ["/console/agents"],
    key: "a",
    group: "work",
    scope: "jobs",
  },
  {
    name: "Agent run",
    icon: "agent",
    paths: ["/console/agents/:id"],
    group: "none",
    scope: "jobs",
  },
  {
    name: "Live",
    icon: "live",
    paths: ["/console/live"],
    key: "l",
    group: "work",
    scope: "jobs",
  },
  {
    name: "Session",
    icon: "live",
    paths: ["/console/live/:id"],
    group: "none",
    scope: "jobs",
  },
  {
    name: "Changes",
    icon: "changes",
    paths: ["/console/changes"],
    key: "c",
    group: "work",
    scope: "scrape",
  },
  {
    name: "Page history",
    icon: "changes",
    paths: ["/console/changes/pages/:id"],
    group: "none",
    scope: "scrape",
  },
  {
    name: "Monitor",
    icon: "clock",
    paths: ["/console/changes/monitors/:id"],
    group: "none",
    scope: "jobs",
  },
  {
    name: "Search",
    icon: "search",
    paths: ["/console/search"],
    key: "s",
    group: "work",
    scope: "scrape",
  },
  {
    name: "Start",
    icon: "start",
    paths: ["/console/start"],
    key: "f",
    group: "server",
  },
  {
    name: "Health",
    icon: "health",
    paths: ["/console/health"],
    key: "h",
    group: "server",
  },
  {
    name: "Keys",
    icon: "key",
    paths: ["/console/keys"],
    key: "k",
    group: "server",
    scope: "admin",
  },
  {
    name: "Components",
    icon: "docs",
    paths: ["/console/components"],
    group: "none",
  },
] as const satisfies readonly ScreenEntry[];

export type ScreenName = (typeof LISTED)[number]["name"];

export const SCREEN_LIST: readonly (ScreenEntry & { readonly name: ScreenName })[] = LISTED;

/** A phone's bar has room for these; the others are in its menu. */
export const ON_PHONE: ReadonlySet<string> = new Set(["Playground", "Jobs", "Live", "Changes"]);

/** True for the current screen, and for the list that it shows one entry of. */
export const isWithin = (screen: ScreenEntry, current: ScreenEntry | undefined): boolean =>
  screen.name === current?.name ||
  (current?.group === "none" &&
    screen.paths.some((path) => path !== "/" && current.paths[0]?.startsWith(`${path}/`) === true));

export type Found<Entry> = {
  readonly screen: Entry;
  /** The parts of the address that the pattern names. */
  readonly props: Readonly<Record<string, string>>;
};

/** Returns the screen of an address and its parameters; undefined when there is none. */
export function findScreen<Entry extends ScreenEntry>(
  path: string,
  screens: readonly Entry[],
): Found<Entry> | undefined {
  const parts = path.replace(/(?<=.)\/$/, "").split("/");
  for (const screen of screens)
    for (const pattern of screen.paths) {
      const expected = pattern.split("/");
      if (expected.length !== parts.length) continue;
      const props: Record<string, string> = {};
      const isMatch = expected.every((part, index) => {
        const given = parts[index] ?? "";
        if (!part.startsWith(":")) return part === given;
        props[part.slice(1)] = given;
        return given !== "";
      });
      if (isMatch) return { screen, props };
    }
  return undefined;
}
