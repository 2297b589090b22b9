// The modules of the screens. Each is fetched when it is first opened.
import { findScreen, SCREEN_LIST, type Found, type ScreenEntry, type ScreenName } from "./list.ts";
import type { ScreenView } from "./screen-view.ts";

export type Screen = ScreenEntry & { readonly load: () => Promise<ScreenView> };

const LOADERS: Readonly<Record<ScreenName, () => Promise<ScreenView>>> = {
  Playground: async () => (await import("./playground/playground.ts")).Playground,
  Jobs: async () => (await import("./jobs/jobs.ts")).Jobs,
  Job: async () => (await import("./jobs/job.ts")).Job,
  Data: async () => (await import("./data/extractors.ts")).ExtractorList,
  "New extractor": async () => (await import("./data/learn.ts")).Learn,
  Extractor: async () => (await import("./data/extractor.ts")).ExtractorScreen,
  Agents: async () => (await import("./agents/agents.ts")).Agents,
  "Agent run": async () => (await import("./agents/agent-run.ts")).AgentRun,
  Live: async () => (await import("./live/live.ts")).Live,
  Session: async () => (await import("./live/live-session.ts")).LiveSession,
  Changes: async () => (await import("./changes/changes.ts")).Changes,
  "Page history": async () => (await import("./changes/page-history.ts")).PageHistoryScreen,
  Monitor: async () => (await import("./changes/monitor.ts")).MonitorScreen,
  Search: async () => (await import("./search/search.ts")).Search,
  Start: async () => (await import("./start/start.ts")).Start,
  Health: async () => (await import("./health/health.ts")).Health,
  Keys: async () => (await import("./keys/keys.ts")).Keys,
  Components: async () => (await import("./components.ts")).Components,
};

export const SCREENS: readonly Screen[] = SCREEN_LIST.map((entry) => ({
  ...entry,
  load: LOADERS[entry.name],
}));

/** Returns the screen of an address with its decoded parameters. */
export function openScreen(path: string): Found<Screen> | undefined {
  const found = findScreen(path, SCREENS);
  if (found === undefined) return undefined;
  const props = Object.entries(found.props).map(([name, part]) => [name, decodeURIComponent(part)]);
  return { screen: found.screen, props: Object.fromEntries(props) as Record<string, string> };
}
