// `quarry jobs`: crawls, batches, extractions and agent runs of the account in one list.
import { styleText } from "node:util";
import type { QuarryClient } from "../../../client/client.ts";
import type { JobList, JobListQuery } from "../../../client/wire.ts";
import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import { parseHeader } from "../pages/page-options.ts";
import { connectToJobs, type ServerChoice } from "../connect.ts";
import { formatPlural } from "./progress.ts";
import { clip, clipMiddle, toPlainLine } from "../terminal/terminal-text.ts";

type ListedJob = JobList["jobs"][number];

export type JobsOptions = ServerChoice & {
  readonly kind?: readonly string[];
  readonly state?: string;
  readonly host?: string;
  readonly text?: string;
  readonly key?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly json?: boolean;
};

const DEFAULT_LIMIT = 25;
const MAX_PAGE = 100;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

export async function listJobs(config: Config, options: JobsOptions): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const limit = options.limit ?? DEFAULT_LIMIT;
  const { jobs, totals, isMore } = await readPages(connection.client, toQuery(options), limit);
  if (options.json === true) {
    print(JSON.stringify({ jobs, totals, isMore }, null, 2));
    return;
  }
  if (jobs.length === 0) print("No job matches.");
  else for (const line of toTable(jobs, process.stdout.columns || 100)) print(line);
  if (isMore)
    process.stderr.write(`The newest ${formatPlural(jobs.length, "job")}; --limit shows more.\n`);
}

function toQuery(options: JobsOptions): JobListQuery {
  const { kind, state, host, text, key, since, until } = options;
  const query: Record<string, unknown> = { state, host, text, key, since, until };
  if (kind !== undefined) query["kind"] = kind.flatMap((names) => names.split(","));
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined),
  ) as JobListQuery;
}

type ListedJobs = {
  readonly jobs: readonly ListedJob[];
  readonly totals: JobList["totals"];
  readonly isMore: boolean;
};

/** Pages may be short before the end, so the cursor decides. */
async function readPages(
  client: QuarryClient,
  query: JobListQuery,
  limit: number,
): Promise<ListedJobs> {
  const jobs: ListedJob[] = [];
  let totals: JobList["totals"];
  let cursor: string | null = null;
  do {
    const page: JobList = await client.listJobs({
      ...query,
      limit: Math.min(MAX_PAGE, limit - jobs.length),
      ...(cursor === null ? {} : { cursor }),
    });
    totals ??= page.totals;
    jobs.push(...page.jobs);
    ({ cursor } = page);
  } while (cursor !== null && jobs.length < limit);
  return { jobs, totals, isMore: cursor !== null };
}

const COLORS = {
  running: "blue",
  completed: "green",
  failed: "red",
  cancelled: "yellow",
} as const;

/**
 * One line per job: the id first for cutting, and the URL last, where a narrow terminal clips it.
 */
function toTable(jobs: readonly ListedJob[], columns: number): string[] {
  const rows = jobs.map((job) => [
    job.id,
    job.kind,
    job.state,
    job.total > 0 ? `${job.completed}/${job.total}` : String(job.completed),
    job.createdAt.slice(0, 16).replace("T", " "),
    toPlainLine(job.url ?? job.prompt ?? ""),
  ]);
  const head = ["ID", "KIND", "STATE", "PAGES", "STARTED (UTC)", "URL"];
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const fixed = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const room = process.stdout.isTTY ? Math.max(20, columns - fixed) : Number.POSITIVE_INFINITY;
  const formatLine = (row: readonly string[]): string[] =>
    row.map((text, column) =>
      column === row.length - 1 ? clipMiddle(text, room) : text.padEnd(widths[column] ?? 0),
    );
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    styleText(style, text, { stream: process.stdout });
  const title = formatLine(head).join("  ");
  return [
    paint("bold", process.stdout.isTTY ? clip(title, columns) : title),
    ...rows.map((row) => {
      const cells = formatLine(row);
      const state = COLORS[row[2] as keyof typeof COLORS];
      return cells.map((cell, column) => (column === 2 ? paint(state, cell) : cell)).join("  ");
    }),
  ].map((text) => text.trimEnd());
}

/** Finds the job with this id among all kinds. */
async function findJob(client: QuarryClient, id: string): Promise<ListedJob> {
  let cursor: string | null = null;
  do {
    const page: JobList = await client.listJobs({
      limit: MAX_PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    const found = page.jobs.find((job) => job.id === id);
    if (found !== undefined) return found;
    ({ cursor } = page);
  } while (cursor !== null);
  throw new RequestError(
    "NOT_FOUND",
    `There is no job with the id ${id}. The command jobs lists them; results expire after a while.`,
  );
}

export type OneJobOptions = ServerChoice & { readonly json?: boolean };

/** `quarry jobs show ID`. */
export async function showJob(config: Config, id: string, options: OneJobOptions): Promise<void> {
  await using connection = await connectToJobs(config, options);
  describeJob(await findJob(connection.client, id), options);
}

/** `quarry jobs cancel ID`: an ended job stays unchanged. */
export async function cancelAnyJob(
  config: Config,
  id: string,
  options: OneJobOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const { client } = connection;
  const job = await findJob(client, id);
  if (job.state !== "running")
    throw new RequestError("CONFLICT", `The ${job.kind} ${id} has already ended: ${job.state}.`);
  await client.cancelJob(job);
  describeJob(await findJob(client, id), options);
}

export type RetryJobOptions = OneJobOptions & { readonly header?: readonly string[] };

/** `quarry jobs retry ID`: what failed in the job, as a new job. */
export async function retryAnyJob(
  config: Config,
  id: string,
  options: RetryJobOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const { client } = connection;
  const { header } = options;
  const headers =
    header === undefined ? {} : { headers: Object.fromEntries(header.map(parseHeader)) };
  const { id: newId, warning } = await client.retryJob(await findJob(client, id), headers);
  describeJob(await findJob(client, newId), options);
  if (warning !== undefined) process.stderr.write(`warning: ${toPlainLine(warning)}\n`);
}

function describeJob(job: ListedJob, { json }: OneJobOptions): void {
  if (json === true) {
    print(JSON.stringify(job, null, 2));
    return;
  }
  const rows: [string, string | null | undefined][] = [
    ["id", job.id],
    ["kind", job.kind],
    ["state", job.state],
    ["url", job.url],
    ["prompt", job.prompt],
    ["pages", `${job.completed} of ${job.total}, ${job.failed} failed`],
    ["credits", String(job.creditsUsed)],
    ["key", job.apiKey.name ?? job.apiKey.id],
    ["started", job.createdAt],
    ["ended", job.completedAt],
    ["kept until", job.expiresAt],
    ["error", job.error],
  ];
  for (const [name, value] of rows)
    if (value !== null && value !== undefined) print(`${name.padEnd(11)} ${toPlainLine(value)}`);
}
