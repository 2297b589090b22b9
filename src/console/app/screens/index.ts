// The screens: address, name, and module. Each is fetched when it is first opened.
import type { Scope } from "../../../contract/account/scopes.ts";
import type { IconName } from "../ui/icons.ts";
import type { ScreenProps, ScreenView } from "./screen-view.ts";

export type Screen = {
  readonly name: string;
  readonly icon: IconName;
  /** The first one is the target of links; `:kind` and `:id` are passed on. */
  readonly paths: readonly string[];
  /** Opens the screen after `g`. */
  readonly key?: string;
  readonly group: "work" | "server" | "none";
  readonly scope?: Scope;
  readonly load: () => Promise<ScreenView>;
};

export const SCREENS: readonly Screen[] = [
  {
    name: "Playground",
    icon: "play",
    paths: ["/", "/console/playground"],
    key: "p",
    group: "work",
    load: async () => (await import("./playground/playground.ts")).Playground,
  },
  {
    name: "Jobs",
    icon: "jobs",
    paths: ["/console/jobs"],
    key: "j",
    group: "work",
    scope: "jobs",
    load: async () => (await import("./jobs/jobs.ts")).Jobs,
  },
  {
    name: "Job",
    icon: "jobs",
    paths: ["/console/jobs/:kind/:id"],
    group: "none",
    scope: "jobs",
    load: async () => (await import("./jobs/job.ts")).Job,
  },
  {
    name: "Data",
    icon: "table",
    paths: ["/console/data"],
    key: "d",
    group: "work",
    scope: "jobs",
    load: async () => (await import("./data/extractors.ts")).ExtractorList,
  },
  {
    name: "New extractor",
    icon: "table",
    paths: ["/console/data/new"],
    group: "none",
    scope: "jobs",
    load: async () => (await import("./data/learn.ts")).Learn,
  },
  {
    name: "Extractor",
    icon: "table",
    paths: ["/console/data/:id"],
    group: "none",
    scope: "jobs",
    load: async () => (await import("./data/extractor.ts")).ExtractorScreen,
  },
  {
    name: "Agents",
    icon: "agent",
    paths: ["/console/agents"],
    key: "a",
    group: "work",
    scope: "jobs",
    load: async () => (await import("./agents/agents.ts")).Agents,
  },
  {
    name: "Agent run",
    icon: "agent",
    paths: ["/console/agents/:id"],
    group: "none",
    scope: "jobs",
    load: async () => (await import("./agents/agent-run.ts")).AgentRun,
  },
  {
    name: "Live",
    icon: "live",
    paths: ["/console/live"],
    key: "l",
    group: "work",
    scope: "jobs",
    load: async () => (await import("./live/live.ts")).Live,
  },
  {
    name: "Session",
    icon: "live",
    paths: ["/console/live/:id"],
    group: "none",
    scope: "jobs",
    load: async () => (await import("./live/live-session.ts")).LiveSession,
  },
  {
    name: "Changes",
    icon: "changes",
    paths: ["/console/changes"],
    key: "c",
    group: "work",
    scope: "scrape",
    load: async () => (await import("./changes/changes.ts")).Changes,
  },
  {
    name: "Page history",
    icon: "changes",
    paths: ["/console/changes/pages/:id"],
    group: "none",
    scope: "scrape",
    load: async () => (await import("./changes/page-history.ts")).PageHistoryScreen,
  },
  {
    name: "Monitor",
    icon: "clock",
    paths: ["/console/changes/monitors/:id"],
    group: "none",
    scope: "jobs",
    load: async () => (await import("./changes/monitor.ts")).MonitorScreen,
  },
  {
    name: "Search",
    icon: "search",
    paths: ["/console/search"],
    key: "s",
    group: "work",
    scope: "scrape",
    load: async () => (await import("./search/search.ts")).Search,
  },
  {
    name: "Start",
    icon: "start",
    paths: ["/console/start"],
    key: "f",
    group: "server",
    load: async () => (await import("./start/start.ts")).Start,
  },
  {
    name: "Health",
    icon: "health",
    paths: ["/console/health"],
    key: "h",
    group: "server",
    load: async () => (await import("./health/health.ts")).Health,
  },
  {
    name: "Keys",
    icon: "key",
    paths: ["/console/keys"],
    key: "k",
    group: "server",
    scope: "admin",
    load: async () => (await import("./keys/keys.ts")).Keys,
  },
  {
    name: "Components",
    icon: "docs",
    paths: ["/console/components"],
    group: "none",
    load: async () => (await import("./components.ts")).Components,
  },
];

/** Returns the screen of an address and its parameters; undefined when there is none. */
export function findScreen(
  path: string,
): { readonly screen: Screen; readonly props: ScreenProps } | undefined {
  const parts = path.replace(/(?<=.)\/$/, "").split("/");
  for (const screen of SCREENS)
    for (const pattern of screen.paths) {
      const expected = pattern.split("/");
      if (expected.length !== parts.length) continue;
      const props: Record<string, string> = {};
      const isMatch = expected.every((part, index) => {
        const given = parts[index] ?? "";
        if (!part.startsWith(":")) return part === given;
        props[part.slice(1)] = decodeURIComponent(given);
        return given !== "";
      });
      if (isMatch) return { screen, props };
    }
  return undefined;
}
