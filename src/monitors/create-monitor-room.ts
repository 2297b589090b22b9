// Creates the monitor room: the kind of its checks, the use cases for the API, and the delivery of
// notifications.
import { randomBytes } from "node:crypto";
import type { Config } from "../config.ts";
import type { Crawls, MapSite } from "../crawl/job.ts";
import type { Egress } from "../egress/dispatchers.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Models } from "../models/model.ts";
import { createLazy } from "../runtime/lazy.ts";
import { closeStarted } from "../runtime/shutdown.ts";
import type { Scrape } from "../scrape/scrape.ts";
import type { Search } from "../search/search.ts";
import type { Store } from "../store/store.ts";
import { createMessageSender } from "../webhooks/send.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { createNoticeDeliverer } from "./notice-deliverer.ts";
import { createJudge } from "./judge.ts";
import type { SendMail } from "./mail.ts";
import { createMonitorKind } from "./monitor-kind.ts";
import { createMonitors } from "./monitors.ts";

export type MonitorRoomParts = {
  readonly config: Pick<Config, "userAgent" | "smtpUrl" | "smtpFrom">;
  /** Resolves once the database is open. */
  readonly store: () => Promise<Store>;
  readonly jobs: () => Promise<Jobs>;
  readonly crawls: () => Promise<Crawls>;
  readonly webhooks: () => Promise<Pick<Webhooks, "secrets">>;
  readonly scrape: Scrape;
  readonly mapSite: MapSite;
  readonly search: Search;
  readonly models: Pick<Models, "role">;
  readonly egress: Egress;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now?: () => number;
  /** Replaces the wait before a confirming fetch. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Opens nothing before its first use. The caller closes the result. */
export function createMonitorRoom(parts: MonitorRoomParts) {
  const { config, store, egress, log, metrics, now = Date.now } = parts;
  const deliverer = createLazy(async () => {
    const { monitors, monitorNotices, database } = await store();
    return createNoticeDeliverer({
      monitors,
      notices: monitorNotices,
      send: createMessageSender({ egress, userAgent: config.userAgent }),
      mail: await openMail(config, egress),
      secretOf: async (accountId) => (await parts.webhooks()).secrets.ofAccountId(accountId),
      worker: `monitors ${process.pid} ${randomBytes(4).toString("hex")}`,
      shared: database.kind === "postgres",
      log,
      metrics,
      now,
    });
  });
  const { kind, start } = createMonitorKind({
    ...parts,
    now,
    judge: createJudge({ model: () => parts.models.role("fast") }),
    onNotices: () => void deliverer().then((opened) => opened.wake()),
    onCheck({ status, lagMs }) {
      metrics.monitorChecks.inc({ status });
      if (lagMs !== undefined) metrics.monitorLag.observe(lagMs / 1_000);
    },
  });
  return {
    kind,
    deliverer,
    monitors: createMonitors({
      store,
      start,
      deliverer,
      egress,
      hasMail: config.smtpUrl !== undefined,
      now,
    }),
    /** Starts sending notifications, including those of a process that ended. */
    async start(): Promise<void> {
      (await deliverer()).start();
    },
    async close(): Promise<void> {
      await closeStarted(deliverer);
    },
  };
}

/** Loads the package for e-mail only on servers that send e-mail. */
async function openMail(
  config: MonitorRoomParts["config"],
  egress: Egress,
): Promise<SendMail | undefined> {
  const url = config.smtpUrl?.reveal();
  if (url === undefined) return undefined;
  const { createSendMail } = await import("./mail.ts");
  return createSendMail({ url, from: chooseSender(config) }, egress);
}

function chooseSender({ smtpUrl, smtpFrom }: MonitorRoomParts["config"]): string {
  if (smtpFrom !== undefined) return smtpFrom;
  const { username, hostname } = new URL(smtpUrl?.reveal() ?? "smtp://localhost");
  const user = decodeURIComponent(username);
  return user.includes("@") ? user : `${user === "" ? "quarry" : user}@${hostname}`;
}
