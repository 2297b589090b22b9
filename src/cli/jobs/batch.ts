import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { BatchParameters, QuarryClient } from "../../../client/client.ts";
import type { Job } from "../../../client/job.ts";
import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import { connectToJobs } from "../connect.ts";
import {
  announceOrWatch,
  isJobId,
  rejectStartOptions,
  type JobCommandOptions,
} from "./job-options.ts";
import { createHint } from "../terminal/hint.ts";
import { checkOutputTarget } from "./open-output.ts";
import { toPageParameters, type PageOptions } from "../pages/page-options.ts";
import { formatPlural } from "./progress.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";

export type BatchCommandOptions = JobCommandOptions & PageOptions;

/**
 * `quarry batch FILE` scrapes the URLs of a file, `-` those on standard input; `quarry batch ID`
 * joins an existing batch.
 */
export async function runBatchCommand(
  config: Config,
  target: string,
  options: BatchCommandOptions,
): Promise<void> {
  checkOutputTarget(options.out);
  if (isJobId(target)) {
    rejectStartOptions(options, "batch");
    await using connection = await connectToJobs(config, options);
    const job = connection.client.batchJob(target);
    await job.status({ skip: 0, limit: 1 });
    const watched = {
      noun: "batch",
      title: `Batch ${job.id}`,
      job,
      isOwn: connection.isOwn,
      hint: createHint(config, options),
    } as const;
    await announceOrWatch(watched, target, options);
    return;
  }
  const urls = await readUrls(target);
  await using connection = await connectToJobs(config, options);
  const { job, invalidUrls } = await startInParts(connection.client, urls, toParameters(options));
  if (invalidUrls.length === urls.length)
    throw new RequestError("BAD_REQUEST", `Nothing to scrape. ${describeLeftOut(invalidUrls)}.`);
  if (invalidUrls.length > 0) process.stderr.write(`${describeLeftOut(invalidUrls)}\n`);
  const title = `Scraping ${formatPlural(urls.length - invalidUrls.length, "URL")} of ${target === "-" ? "standard input" : target}`;
  await announceOrWatch(
    { noun: "batch", title, job, isOwn: connection.isOwn, hint: createHint(config, options) },
    target,
    options,
  );
}

/** One URL per line; empty lines and lines starting with # are skipped. */
async function readUrls(file: string): Promise<string[]> {
  const urls: string[] = [];
  try {
    const input = file === "-" ? process.stdin : createReadStream(file);
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const url = line.replace(/^\uFEFF/, "").trim();
      if (url !== "" && !url.startsWith("#")) urls.push(url);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RequestError("BAD_REQUEST", `${file} cannot be read (${code}).`, { cause: error });
  }
  if (urls.length === 0)
    throw new RequestError("BAD_REQUEST", `${file} contains no URL; one is expected on each line.`);
  return urls;
}

/** A request may have 10 MiB (limits.ts); more URLs are appended by further requests. */
const MAX_URLS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;

function toParts(urls: readonly string[]): string[][] {
  const parts: string[][] = [];
  let part: string[] = [];
  let bytes = 0;
  for (const url of urls) {
    bytes += Buffer.byteLength(url) + 3;
    if (part.length >= MAX_URLS || (part.length > 0 && bytes > MAX_BYTES)) {
      parts.push(part);
      part = [];
      bytes = Buffer.byteLength(url) + 3;
    }
    part.push(url);
  }
  return [...parts, part];
}

async function startInParts(
  client: QuarryClient,
  urls: readonly string[],
  parameters: BatchParameters,
): Promise<{ job: Job; invalidUrls: string[] }> {
  const [firstPart = [], ...parts] = toParts(urls);
  const { job, invalidUrls } = await client.startBatch(firstPart, parameters);
  const invalid = [...invalidUrls];
  for (const part of parts) {
    const appended = await client.startBatch(part, { ...parameters, appendToId: job.id });
    invalid.push(...appended.invalidUrls);
  }
  return { job, invalidUrls: invalid };
}

const MAX_SHOWN_URLS = 5;

function describeLeftOut(urls: readonly string[]): string {
  const shown = urls.slice(0, MAX_SHOWN_URLS).map((url) => `"${toPlainLine(url).slice(0, 100)}"`);
  const rest = urls.length - shown.length;
  return `Left out, as ${urls.length === 1 ? "it is no URL" : "they are no URLs"} that can be fetched: ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function toParameters(options: BatchCommandOptions): BatchParameters {
  const parameters: Record<string, unknown> = {
    ...toPageParameters(options),
    maxConcurrency: options.concurrency,
    integration: "cli",
  };
  return parameters as BatchParameters;
}
