// Extraction put together: use cases for the API, and the worker that does their work.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { v7 } from "uuid";
import type { Credits } from "../account/credits.ts";
import type { Config } from "../config.ts";
import { InternalError, QuarryError, StorageError } from "../errors.ts";
import type { Logger } from "../log.ts";
import { lazy } from "../runtime/lazy.ts";
import { defineJob, type JobDefinition } from "../queue/definition.ts";
import type { Queue } from "../queue/queue.ts";
import type { ExtractEnd, ExtractRecord } from "../store/jobs/extracts.ts";
import type { Store } from "../store/store.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { createExtracts, type Extracts } from "./extracts.ts";
import { runExtract, type ExtractJobParts, type KeptExtract } from "./extract-job.ts";

export type ExtractingParts = Omit<ExtractJobParts, "extracts"> & {
  /** Resolves once the store is open. */
  readonly store: () => Promise<Pick<Store, "extracts" | "activity" | "deliveries">>;
  readonly credits: () => Promise<Credits>;
  readonly queue: () => Promise<Queue>;
  readonly webhooks: () => Promise<Pick<Webhooks, "resolve" | "wake">>;
  readonly config: Pick<Config, "resultLifeHours" | "role">;
  readonly log: Logger;
};

export type Extracting = {
  readonly extracts: () => Promise<Extracts>;
  /** Goes on with what a process that is gone had left. */
  start(): Promise<void>;
};

const inputSchema = z.object({ extractId: z.uuid() });
type Input = z.output<typeof inputSchema>;

const RETRIES = 3;
/** Between tries while the storage fails. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** The longest that a timer can wait; a job does not live as long. */
const LONGEST_MS = 2 ** 31 - 1;

/** Nothing is opened before it is asked for; queue and store are closed by who made them. */
export function createExtracting(parts: ExtractingParts): Extracting {
  const opened = lazy(async () => await open(parts));
  return {
    extracts: async () => (await opened()).extracts,
    async start() {
      // Of several processes this one may be the only one that works: what others begin is found by looking.
      if (parts.config.role === "worker") await (await opened()).work();
      const { extracts } = await parts.store();
      const left = await extracts.processing();
      if (left.length === 0) return;
      const { enqueue, work } = await opened();
      await work();
      for (const id of left) await enqueue(id);
    },
  };
}

async function open(parts: ExtractingParts) {
  const { log, config } = parts;
  const { extracts, activity, deliveries } = await parts.store();
  const queue = await parts.queue();
  const sender = await parts.webhooks();

  /** One event of a job; without a webhook nothing happens. */
  async function tell(record: ExtractRecord, end?: ExtractEnd): Promise<void> {
    const { webhook } = record.options as KeptExtract;
    const event = end?.state ?? "started";
    if (webhook?.events.includes(event) !== true) return;
    await deliveries.add({
      id: v7(),
      jobId: record.id,
      accountId: record.accountId,
      type: `extract.${event}`,
      webhook,
      data: end?.state === "completed" ? [await toEventData(record.id, end)] : [],
      error: end?.error?.message ?? null,
      createdAt: Date.now(),
    });
    sender.wake();
  }

  /** The one entry of extract.completed (wire contract, section 16). */
  async function toEventData(extractId: string, { data, sources }: ExtractEnd): Promise<object> {
    const pages = (await extracts.load(extractId))?.pages ?? [];
    const totalUrlsScraped = pages.filter(({ error }) => error === undefined).length;
    return { success: true, data, extractId, totalUrlsScraped, sources: sources ?? {} };
  }

  async function finish(record: ExtractRecord, end: ExtractEnd): Promise<void> {
    if (await extracts.end(record.id, end)) await tell(record, end);
  }

  /** Waits while the storage fails, then continues with the pages that were not read. */
  async function runThroughOutages(record: ExtractRecord, signal: AbortSignal) {
    let current = record;
    for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      try {
        return await runExtract({ ...parts, extracts }, current, signal);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        log.warn({ err: error, jobId: record.id, pauseMs }, "storage failed; extraction waits");
      }
      await sleep(pauseMs, undefined, { signal });
      const loaded = await extracts.load(record.id).catch(() => undefined);
      current = loaded ?? current;
    }
  }

  const definition: JobDefinition<Input> = defineJob({
    name: "extract.run",
    schema: inputSchema,
    retries: RETRIES,
    retryDelaySeconds: 2,
    expireSeconds: 3_600,
    concurrency: 2,
    async handle({ extractId }, { number, signal }) {
      const record = await extracts.load(extractId);
      if (record?.state !== "processing") return;
      const { timeout } = record.options as KeptExtract;
      const within =
        timeout === undefined
          ? signal
          : AbortSignal.any([signal, AbortSignal.timeout(Math.min(timeout, LONGEST_MS))]);
      try {
        await finish(record, await runThroughOutages(record, within));
      } catch (error) {
        const isLate = within.aborted && !signal.aborted;
        if (!isLate && (signal.aborted || number <= RETRIES)) throw error;
        log.error({ err: error, jobId: extractId }, "an extraction failed");
        await finish(record, {
          state: "failed",
          error: toRecord(error, isLate ? timeout : undefined),
        });
      }
    },
  });

  const work = lazy(async () => await queue.work([definition]));
  const enqueue = async (id: string): Promise<void> => {
    // The same id for the job of the queue: working twice on an extraction is not possible.
    await queue.enqueue(definition, { extractId: id }, { id });
  };
  return {
    enqueue,
    work,
    extracts: createExtracts({
      extracts,
      activity,
      credits: await parts.credits(),
      resolveWebhook: (given, jobId) => sender.resolve(given, jobId),
      async begin(record) {
        await tell(record);
        if (config.role !== "api") await work();
        await enqueue(record.id);
      },
      lifeMs: config.resultLifeHours * 3_600_000,
      now: Date.now,
    }),
  };
}

function toRecord(error: unknown, timeoutMs: number | undefined) {
  if (timeoutMs !== undefined)
    return {
      code: "SCRAPE_TIMEOUT" as const,
      message: `The extraction timed out after ${timeoutMs} ms.`,
    };
  return (
    error instanceof QuarryError ? error : new InternalError("The extraction failed.")
  ).toRecord();
}
