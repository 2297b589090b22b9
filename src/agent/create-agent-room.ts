// Creates the agent room: the use cases for the API, and the worker. An API process uses the first
// without starting the second.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Slots } from "../account/slots.ts";
import type { Config } from "../config.ts";
import { findUrlFault } from "../contract/request/url.ts";
import { createPoliteness, isOwnHost } from "../crawl/politeness/politeness.ts";
import { reportPauses } from "../crawl/politeness/report-pauses.ts";
import { createRobots } from "../discovery/robots.ts";
import { createFetchFile } from "../engines/fetch-text.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Models } from "../models/model.ts";
import { createLazy } from "../runtime/lazy.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { JobKind } from "../jobs/kind.ts";
import type { PageScraper } from "../scrape/page.ts";
import type { Store } from "../store/store.ts";
import { createAgentKind } from "./agent-kind.ts";
import { createAgents, type Agents } from "./agents.ts";
import { createListSite } from "./pages/list-site.ts";
import { createPageReader } from "./pages/read-page.ts";
import { createExecuteRun } from "./execute-run.ts";
import { parseTimeRange } from "../search/time-range.ts";
import type { SearchRoom } from "../search/create-search-room.ts";
import type { SearchPages } from "./model/run-tools.ts";

export type AgentRoomParts = {
  /** Resolves once the database is open. */
  readonly store: () => Promise<Store>;
  readonly jobs: () => Promise<Jobs>;
  readonly slots: Slots;
  readonly pages: PageScraper;
  readonly models: Pick<Models, "role" | "inputTokens">;
  readonly searching: Pick<SearchRoom, "provider">;
  readonly http: Parameters<typeof createFetchFile>[0];
  readonly config: Pick<Config, "userAgent">;
  readonly log: Logger;
  readonly metrics: Metrics;
};

export type AgentRoom = {
  readonly kind: JobKind;
  readonly agents: Agents;
  close(): Promise<void>;
};

const ROBOTS = { timeoutMs: 15_000, maxBytes: 4 * 1024 * 1024 };

/**
 * Opens nothing before it is used. The caller closes the result; the store must stay open until
 * then.
 */
export function createAgentRoom(parts: AgentRoomParts): AgentRoom {
  const { store, jobs, log } = parts;
  const working = createLazy(async () => openWork(parts, await store()));
  const kind = createAgentKind({
    steps: async () => (await store()).agentSteps,
    executeRun: async () => (await working()).executeRun,
    log,
  });
  return {
    kind,
    agents: createAgents({ jobs, store }),
    async close() {
      if (!working.started()) return;
      const { politeness, hidePauses } = await working();
      hidePauses();
      await politeness.close();
    },
  };
}

/** Creates the dependencies of agent runs. */
function openWork(parts: AgentRoomParts, store: Store) {
  const { slots, pages, models, searching, http, config, metrics } = parts;
  const now = Date.now;
  const fetchFile = createFetchFile(http);
  const politeness = createPoliteness({
    hosts: store.hosts,
    worker: `agents ${hostname()} ${process.pid} ${randomBytes(4).toString("hex")}`,
    isUnthrottled: isOwnHost,
    onBackoff: (status) => metrics.hostBackoffs.inc({ status }),
  });
  const hidePauses = metrics.onRead(reportPauses(politeness, metrics, "agent"));
  const robots = createRobots({ fetchText: (url) => fetchFile(url, ROBOTS), now });
  const reader = createPageReader({
    pages,
    slots,
    robots,
    politeness,
    userAgent: config.userAgent,
  });
  const executeRun = createExecuteRun({
    reader,
    models,
    search: searchWith(searching),
    listSite: createListSite({ robots, fetchFile, siteUrls: store.siteUrls }),
    now,
  });
  return { politeness, hidePauses, executeRun };
}

const MAX_RESULTS = 10;

/** The server's search without its own holds and records: the run pays for it. */
function searchWith({ provider }: Pick<SearchRoom, "provider">): SearchPages {
  return async (query, accountId, deadline) => {
    const { results } = await provider.search(
      {
        source: "web",
        query,
        limit: MAX_RESULTS,
        includeDomains: [],
        excludeDomains: [],
        categories: [],
        country: "us",
        language: "en",
        location: undefined,
        tbs: undefined,
        range: parseTimeRange(undefined, Date.now()),
        isSafe: undefined,
        highlights: false,
        accountId,
      },
      deadline,
    );
    return results.filter(({ url }) => findUrlFault(url) === undefined);
  };
}
