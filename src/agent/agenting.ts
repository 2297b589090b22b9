// Creates the agent room: the use cases for the API, and the worker. An API process uses the first
// without starting the second.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Credits } from "../account/credits.ts";
import type { Slots } from "../account/slots.ts";
import type { Config } from "../config.ts";
import { findUrlFault } from "../contract/request/url.ts";
import { createPoliteness, isOwnHost } from "../crawl/politeness.ts";
import { createRobots } from "../discovery/robots.ts";
import { createFetchFile } from "../engines/fetch-text.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { Models } from "../models/model.ts";
import { lazy } from "../runtime/lazy.ts";
import type { Queue } from "../queue/queue.ts";
import { StorageWaits } from "../jobs/storage-waits.ts";
import type { PageScraper } from "../scrape/page.ts";
import type { Store } from "../store/store.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { createAgents, type Agents } from "./agents.ts";
import { createListSite } from "./list-site.ts";
import { createPageReader } from "./read-page.ts";
import { createPursue } from "./pursue.ts";
import { parseTimeRange } from "../search/time-range.ts";
import type { SearchRoom } from "../search/create-search-room.ts";
import type { SearchPages } from "./run-tools.ts";
import { createRunSettler } from "./settle.ts";
import { createAgentWorker } from "./worker.ts";

export type AgentingParts = {
  /** Resolves once the database is open. */
  readonly store: () => Promise<Store>;
  readonly credits: () => Promise<Credits>;
  readonly queue: () => Promise<Queue>;
  readonly webhooks: () => Promise<Pick<Webhooks, "resolve" | "wake">>;
  readonly slots: Slots;
  readonly config: Pick<Config, "userAgent" | "resultLifeHours">;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** The capabilities that runs use. */
export type AgentMeans = {
  readonly pages: PageScraper;
  readonly models: Pick<Models, "role" | "inputTokens">;
  readonly searching: Pick<SearchRoom, "provider">;
  readonly http: Parameters<typeof createFetchFile>[0];
};

export type Agenting = {
  readonly agents: () => Promise<Agents>;
  /** Starts working on runs, including those left by a process that ended. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** Runs in progress at once in this process. */
const ROOM = 4;
const ROBOTS = { timeoutMs: 15_000, maxBytes: 4 * 1024 * 1024 };

/**
 * Opens nothing before it is used. The caller closes the result; the store must stay open until
 * then.
 */
export function createAgenting(parts: AgentingParts, means: AgentMeans): Agenting {
  const opened = lazy(() => open(parts, means));
  return {
    agents: async () => (await opened()).agents,
    start: async () => (await opened()).start(),
    async close() {
      if (opened.started()) await (await opened()).close();
    },
  };
}

type Open = Omit<Agenting, "agents"> & { readonly agents: Agents };

async function open(parts: AgentingParts, means: AgentMeans): Promise<Open> {
  const fetchFile = createFetchFile(means.http);
  const { log, metrics, config } = parts;
  const store = await parts.store();
  const sender = await parts.webhooks();
  const credits = await parts.credits();
  const { agentRuns: runs, agentSteps: steps } = store;
  const now = Date.now;
  const waits = new StorageWaits(now);
  const name = `agents ${hostname()} ${process.pid} ${randomBytes(4).toString("hex")}`;
  const politeness = createPoliteness({
    hosts: store.hosts,
    worker: name,
    isUnthrottled: isOwnHost,
  });
  const robots = createRobots({ fetchText: (url) => fetchFile(url, ROBOTS), now });
  const reader = createPageReader({
    pages: means.pages,
    slots: parts.slots,
    robots,
    politeness,
    userAgent: config.userAgent,
  });
  const settler = createRunSettler({
    runs,
    credits,
    activity: store.activity,
    flush: store.flush,
    log,
    metrics,
  });
  const onEnded = (): void => {
    settler.run();
    sender.wake();
  };
  const worker = createAgentWorker({
    name,
    runs,
    steps,
    queue: await parts.queue(),
    pursue: createPursue({
      reader,
      models: means.models,
      search: searchWith(means.searching),
      listSite: createListSite({ robots, fetchFile, siteUrls: store.siteUrls }),
      now,
    }),
    waits,
    room: ROOM,
    log,
    now,
    onEvent: () => sender.wake(),
    onEnded,
  });
  return {
    agents: createAgents({
      runs,
      steps,
      idempotency: store.idempotency,
      credits,
      resolveWebhook: (given, id) => sender.resolve(given, id),
      onEvent: () => sender.wake(),
      enqueue: (id) => worker.enqueue(id),
      onEnded(id) {
        worker.stop(id);
        onEnded();
      },
      waits,
      lifeMs: config.resultLifeHours * 3_600_000,
      now,
    }),
    async start() {
      await worker.start({ eager: store.database.kind === "postgres" });
      settler.run();
    },
    async close() {
      await worker.close();
      await settler.close();
      await politeness.close();
    },
  };
}

const MAX_RESULTS = 10;

/** The server's search without holds and records of its own: the run pays for it. */
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
