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
import { isBlobRef } from "../store/blobs/blobs.ts";
import type { Store } from "../store/store.ts";
import { createMessageSender } from "../webhooks/send.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { createNoticeDeliverer } from "./notice-deliverer.ts";
import { createJudge } from "./judge.ts";
import type { SendMail } from "./mail.ts";
import { createMonitorKind } from "./monitor-kind.ts";
import { createMonitors } from "./monitors.ts";

export type MonitorRoomParts = {
  readonly config: Pick<Config, "userAgent" | "smtpUrl" | "smtpFrom" | "publicUrl">;
  /** Resolves once the database is open. */
  readonly store: () => Promise<Store>;
  readonly jobs: () => Promise<Jobs>;
  readonly crawls: () => Promise<Crawls>;
  readonly webhooks: () => Promise<{
    readonly secrets: Pick<Webhooks["secrets"], "ofAccountId">;
  }>;
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
      publicUrl: config.publicUrl,
    });
  });
  const { kind, start } = createMonitorKind({
    ...parts,
    now,
    readPicture: async (link) => await readPicture(link, store),
    keepFile: async (bytes, until) => await (await store()).files.keep(bytes, until),
    judge: createJudge({ model: () => parts.models.role("fast") }),
    onNotices: () => void deliverer().then((opened) => opened.wake()),
    onCheck({ status, lagMs }) {
      metrics.monitorChecks.inc({ status });
      if (lagMs !== undefined) metrics.monitorLag.observe(lagMs / 1_000);
    },
  });
  let stopReport: (() => void) | undefined;
  return {
    kind,
    deliverer,
    monitors: createMonitors({
      store,
      start,
      deliverer,
      egress,
      hasMail: config.smtpUrl !== undefined,
      log,
      now,
    }),
    /** Starts sending notifications, including those of a process that ended. */
    async start(): Promise<void> {
      (await deliverer()).start();
      stopReport ??= metrics.onRead(async () => {
        const { due, broken, waiting } = await (await store()).monitors.countStates(now());
        metrics.monitorsDue.set(due);
        metrics.monitorsBroken.set(broken);
        metrics.monitorNoticesWaiting.set(waiting);
      });
    },
    async close(): Promise<void> {
      stopReport?.();
      await closeStarted(deliverer);
    },
  };
}

/** Screenshots are data: URLs, or links to stored files of this server. */
async function readPicture(
  link: string,
  store: MonitorRoomParts["store"],
): Promise<Uint8Array | undefined> {
  const data = /^data:image\/\w+;base64,/.exec(link)?.[0];
  if (data !== undefined) return Buffer.from(link.slice(data.length), "base64");
  const ref = /\/blobs\/([^/?]+)\?/.exec(link)?.[1] ?? "";
  return isBlobRef(ref) ? await (await store()).files.load(ref) : undefined;
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
