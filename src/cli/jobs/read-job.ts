// Reads jobs without following them: list, state, ledger, errors; and cancels them.
import type { QuarryClient } from "../../../client/client.ts";
import type { Job } from "../../../client/job.ts";
import type { JobState, LedgerEntry } from "../../../client/wire.ts";
import type { Config } from "../../config.ts";
import { connectToJobs, type ServerChoice } from "../connect.ts";
import { createHint } from "../terminal/hint.ts";
import { createPainter, formatPlural } from "./progress.ts";
import { renderState, renderSums, renderWarnings } from "./summary.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";
import { writeText } from "./write-text.ts";

export type Noun = "crawl" | "batch";

export type ReadOptions = ServerChoice & { readonly json?: boolean };

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

export const openJob = (client: QuarryClient, noun: Noun, id: string): Job =>
  noun === "crawl" ? client.crawlJob(id) : client.batchJob(id);

/** Past any result, so that none is read. */
const NO_RESULTS = { skip: 1_000_000_000, limit: 1 };

/** `quarry crawl status ID`: the state with the sums of the ledger. */
export async function showStatus(
  config: Config,
  noun: Noun,
  id: string,
  options: ReadOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const job = openJob(connection.client, noun, id);
  const { data: _, next: __, ...rest } = await job.status(NO_RESULTS);
  const state = rest as JobState;
  const { sums } = await job.ledger({ limit: 1 });
  if (options.json === true) {
    printJson({ ...state, fates: sums });
    return;
  }
  const paint = createPainter(process.stdout);
  print(renderState(state, paint));
  for (const line of [
    ...renderSums(sums),
    ...renderWarnings(state, paint, noun, createHint(config, options)),
  ])
    print(line);
}

/** `quarry crawl list`: running crawls. */
export async function listCrawls(config: Config, options: ReadOptions): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const crawls = await connection.client.activeCrawls();
  if (options.json === true) {
    printJson(crawls);
    return;
  }
  if (crawls.length === 0) print("No crawl is running.");
  for (const { id, created_at: created, url } of crawls)
    print(`${id}  ${created.slice(0, 16).replace("T", " ")}  ${toPlainLine(url)}`);
}

/** `quarry crawl cancel ID`. */
export async function cancelJob(
  config: Config,
  noun: Noun,
  id: string,
  options: ReadOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const job = openJob(connection.client, noun, id);
  await job.cancel();
  const { data: _, next: __, ...rest } = await job.status(NO_RESULTS);
  if (options.json === true) printJson(rest);
  else print(renderState(rest as JobState, createPainter(process.stdout)));
}

/** `quarry crawl errors ID`: failed pages, and URLs blocked by robots.txt. */
export async function showErrors(
  config: Config,
  noun: Noun,
  id: string,
  options: ReadOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const { errors, robotsBlocked } = await openJob(connection.client, noun, id).errors();
  if (options.json === true) {
    printJson({ errors, robotsBlocked });
    return;
  }
  for (const { url, code, error } of errors)
    print(`${toPlainLine(url)}\n  ${code === undefined ? "" : `${code}: `}${toPlainLine(error)}`);
  for (const url of robotsBlocked) print(`${toPlainLine(url)}\n  forbidden by robots.txt`);
  if (errors.length + robotsBlocked.length === 0)
    print("Nothing failed, and robots.txt blocked nothing.");
}

export type LedgerOptions = ServerChoice & {
  readonly fate?: string;
  readonly format: "table" | "csv" | "ndjson";
  readonly json?: boolean;
  readonly out?: string;
};

/** `quarry crawl ledger ID`: every URL and its outcome. */
export async function showLedger(
  config: Config,
  noun: Noun,
  id: string,
  options: LedgerOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const job = openJob(connection.client, noun, id);
  const query = options.fate === undefined ? {} : { fate: options.fate as LedgerEntry["fate"] };
  const format = options.json === true ? "ndjson" : options.format;
  const text = format === "table" ? readTable(job, query) : job.ledgerText(format, query);
  await writeText(text, options.out);
}

async function* readTable(job: Job, query: { fate?: LedgerEntry["fate"] }): AsyncGenerator<string> {
  const { sums, total } = await job.ledger({ limit: 1 });
  for await (const entry of job.ledgerEntries(query)) {
    const reason = entry.reason === undefined ? "" : `  (${toPlainLine(entry.reason)})`;
    yield `${entry.fate.padEnd(10)} ${String(entry.depth).padStart(2)}  ${toPlainLine(entry.url)}${reason}\n`;
  }
  yield `\n${formatPlural(total, "URL")} seen\n${renderSums(sums).slice(0, -1).join("\n")}\n`;
}
