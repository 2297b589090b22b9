// Creates extraction: the use cases for the API, and the worker.
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
import { StorageWaits } from "../queue/storage-waits.ts";
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
  /** Resumes the jobs of a process that ended. */
  start(): Promise<void>;
};

const inputSchema = z.object({ extractId: z.uuid() });
type Input = z.output<typeof inputSchema>;

const RETRIES = 3;
/** Delay between attempts while the storage fails. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** The longest delay a timer takes; a job does not live as long. */
const LONGEST_MS = 2 ** 31 - 1;

/** Opens nothing before it is used. The caller closes the queue and the store. */
export function createExtracting(parts: ExtractingParts): Extracting {
  const opened = lazy(async () => await open(parts));
  return {
    extracts: async () => (await opened()).extracts,
    async start() {
      // This may be the only working process, so it polls for jobs that others start.
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
  const waits = new StorageWaits(Date.now);

  /** Stores one event of a job; does nothing without a webhook. */
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

  /** The single entry of extract.completed (wire contract, section 16). */
  async function toEventData(extractId: string, { data, sources }: ExtractEnd): Promise<object> {
    const pages = (await extracts.load(extractId))?.pages ?? [];
    const totalUrlsScraped = pages.filter(({ error }) => error === undefined).length;
    return { success: true, data, extractId, totalUrlsScraped, sources: sources ?? {} };
  }

  /** Repeats `work` while the storage fails; meanwhile the job has a warning. */
  async function throughOutages<T>(id: string, signal: AbortSignal, work: () => Promise<T>) {
    try {
      for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof StorageError)) throw error;
          log.warn({ err: error, jobId: id, pauseMs }, "storage failed; extraction waits");
          waits.begin(id, error);
        }
        await sleep(pauseMs, undefined, { signal });
      }
    } finally {
      waits.end(id);
    }
  }

  /** Continues with the pages that are not read yet. */
  async function run(id: string, signal: AbortSignal): Promise<ExtractEnd> {
    const record = await extracts.load(id);
    if (record === undefined) throw new InternalError("The extraction is gone.");
    // No page is fetched while its outcome cannot be saved.
    if (record.pages !== undefined) await extracts.savePages(id, record.pages, record.creditsUsed);
    return await runExtract({ ...parts, extracts }, record, signal);
  }

  const definition: JobDefinition<Input> = defineJob({
    name: "extract.run",
    schema: inputSchema,
    retries: RETRIES,
    retryDelaySeconds: 2,
    expireSeconds: 3_600,
    concurrency: 2,
    async handle({ extractId }, { number, signal }) {
      const record = await throughOutages(extractId, signal, () => extracts.load(extractId));
      if (record?.state !== "processing") return;
      const finish = async (end: ExtractEnd): Promise<void> => {
        const ended = await throughOutages(extractId, signal, () => extracts.end(extractId, end));
        if (ended) await throughOutages(extractId, signal, () => tell(record, end));
      };
      const { timeout } = record.options as KeptExtract;
      const within =
        timeout === undefined
          ? signal
          : AbortSignal.any([signal, AbortSignal.timeout(Math.min(timeout, LONGEST_MS))]);
      try {
        await finish(await throughOutages(extractId, within, () => run(extractId, within)));
      } catch (error) {
        const isLate = within.aborted && !signal.aborted;
        if (!isLate && (signal.aborted || number <= RETRIES)) throw error;
        log.error({ err: error, jobId: extractId }, "an extraction failed");
        await finish({
          state: "failed",
          error: toRecord(error, isLate ? timeout : undefined),
        });
      }
    },
  });

  const work = lazy(async () => await queue.work([definition]));
  const enqueue = async (id: string): Promise<void> => {
    // The queue job has the extraction's id, so it cannot be enqueued twice.
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
      waits,
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
