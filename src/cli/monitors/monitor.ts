// `quarry monitor`: monitors of the server on the data folder, or of the one that is named.
import { readFile, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { QuarryClient } from "../../../client/client.ts";
import { QuarryApiError } from "../../../client/errors.ts";
import type { Monitor, MonitorCheck, MonitorPage, MonitorRequest } from "../../../client/wire.ts";
import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import { connectToJobs, type ServerChoice } from "../connect.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { iterateMonitors } from "./iterate-monitors.ts";
import { parseChannel, parseCondition } from "./monitor-options.ts";
import { namePage } from "./name-page.ts";
import { withSpinner } from "../terminal/spinner.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";

export type MonitorCommandOptions = ServerChoice & { readonly json?: boolean };
export type AddOptions = MonitorCommandOptions & {
  readonly every?: string;
  readonly cron?: string;
  readonly timezone?: string;
  readonly name?: string;
  readonly selector?: readonly string[];
  readonly when?: readonly string[];
  readonly notify?: readonly string[];
  readonly goal?: string;
  readonly crawl?: boolean;
  readonly dryRun?: boolean;
};
export type ImportOptions = MonitorCommandOptions & {
  readonly every?: string;
  readonly notify?: readonly string[];
  readonly dryRun?: boolean;
};
export type ListChecksOptions = MonitorCommandOptions & {
  readonly limit?: number;
  readonly status?: string;
};
export type PauseOptions = MonitorCommandOptions & {
  readonly until?: string;
  readonly resume?: boolean;
};

const POLL_MS = 500;
const MAX_PAGES = 1_000;

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const warn = (text: string): void => void process.stderr.write(`${toPlainLine(text)}\n`);
const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

export function toMonitorRequest(urls: readonly string[], options: AddOptions): MonitorRequest {
  const { every, cron, timezone, selector, crawl } = options;
  if ((every === undefined) === (cron === undefined))
    throw new RequestError("BAD_REQUEST", "Give --every or --cron, such as --every 15m.");
  const scrapeOptions = selector === undefined ? {} : { includeTags: [...selector] };
  const [first = ""] = urls;
  if (crawl === true && urls.length !== 1)
    throw new RequestError("BAD_REQUEST", "--crawl takes one URL.");
  return {
    name: options.name ?? namePage(first),
    schedule: {
      ...(every === undefined ? { cron: cron ?? "" } : { text: toPhrase(every) }),
      ...(timezone === undefined ? {} : { timezone }),
    },
    targets:
      crawl === true
        ? [{ type: "crawl", url: first, scrapeOptions }]
        : [{ type: "scrape", urls: [...urls], scrapeOptions }],
    ...(options.when === undefined
      ? {}
      : { when: { conditions: options.when.map(parseCondition) } }),
    ...(options.notify === undefined ? {} : { channels: options.notify.map(parseChannel) }),
    ...(options.goal === undefined ? {} : { goal: options.goal }),
    integration: "cli",
  } as MonitorRequest;
}

/** `15m`, `2h` and `1d` are short for phrases; anything else is one. */
export function toPhrase(every: string): string {
  const [, count, unit] = /^(\d{1,4})\s?(m|h|d)$/.exec(every.trim()) ?? [];
  if (count === undefined) return every;
  if (unit === "d") return count === "1" ? "daily" : every;
  return `every ${count} ${unit === "m" ? "minutes" : "hours"}`;
}

export async function addMonitor(
  config: Config,
  urls: readonly string[],
  options: AddOptions,
): Promise<void> {
  const request = toMonitorRequest(urls, options);
  await using connection = await connectToJobs(config, options);
  const { monitors } = connection.client;
  if (options.dryRun === true) {
    const estimate = await monitors.estimate(request);
    if (options.json === true) print(toJson(estimate));
    else {
      print(`${estimate.estimatedCreditsPerMonth} credits a month`);
      for (const at of estimate.nextRuns) print(`next run ${at}`);
    }
    return;
  }
  const monitor = await monitors.create(request);
  if (options.json === true) print(toJson(monitor));
  else {
    print(monitor.id);
    warn(
      `${monitor.schedule.cron} ${monitor.schedule.timezone}, next run ${monitor.nextRunAt ?? "never"}, ${monitor.estimatedCreditsPerMonth ?? 0} credits a month`,
    );
  }
}

/** Makes a monitor of each entry of another tool's list; prints what has no counterpart. */
export async function importMonitors(
  config: Config,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const { parseMonitorList } = await import("./monitor-import.ts");
  const { monitors, skipped } = parseMonitorList(await readList(file), {
    every: toPhrase(options.every ?? "1h"),
    channels: (options.notify ?? []).map(parseChannel),
  });
  const isJson = options.json === true;
  const imported: { id: string | null; name: string; notes: readonly string[] }[] = [];
  const failed = skipped.map(({ name, reason }) => ({ name, reason }));
  const make = async (client: QuarryClient | undefined): Promise<void> => {
    for (const { request, isPaused, notes } of monitors) {
      const { name } = request;
      try {
        const id = client === undefined ? null : (await client.monitors.create(request)).id;
        if (id !== null && isPaused) await client?.monitors.change(id, { status: "paused" });
        imported.push({ id, name, notes });
        if (!isJson) print(toPlainLine(`${id ?? "would import"}  ${name}`));
        if (!isJson) for (const note of notes) warn(`  ${note}`);
      } catch (error) {
        // The server refuses an entry, such as an address that it may not fetch.
        if (!(error instanceof QuarryApiError) || error.status === undefined || error.status >= 500)
          throw error;
        failed.push({ name, reason: error.message });
      }
    }
  };
  if (options.dryRun === true) await make(undefined);
  else {
    await using connection = await connectToJobs(config, options);
    await make(connection.client);
  }
  if (isJson) print(toJson({ imported, skipped: failed }));
  else {
    for (const { name, reason } of failed) warn(`skipped ${name}: ${reason}`);
    warn(`${imported.length} imported, ${failed.length} skipped`);
  }
  if (imported.length === 0) process.exitCode = EXIT.target;
}

async function readList(file: string): Promise<string> {
  try {
    if ((await stat(file)).isDirectory()) {
      const { readBackup } = await import("./read-backup.ts");
      return await readBackup(file);
    }
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof RequestError) throw error;
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new RequestError("BAD_REQUEST", `${file} cannot be read${reason}.`, { cause: error });
  }
}

function formatLine(monitor: Monitor): string {
  const { id, name, schedule, lastRunAt, lastCheckSummary: last } = monitor;
  const found = last === null || last === undefined ? "no check yet" : formatSummary(last);
  return toPlainLine(
    [
      id,
      describeState(monitor),
      schedule.text ?? schedule.cron,
      lastRunAt ?? "-",
      found,
      name,
    ].join("  "),
  );
}

function describeState({ status, pauseUntil }: Monitor): string {
  const isWaiting =
    status === "active" && typeof pauseUntil === "string" && Date.parse(pauseUntil) > Date.now();
  return isWaiting ? `paused until ${pauseUntil}` : status;
}

export async function listMonitors(config: Config, options: MonitorCommandOptions): Promise<void> {
  await using connection = await connectToJobs(config, options);
  for await (const monitor of iterateMonitors(connection.client.monitors))
    print(options.json === true ? JSON.stringify(monitor) : formatLine(monitor));
}

async function waitForEnd(
  client: QuarryClient,
  id: string,
  checkId: string,
): Promise<MonitorCheck> {
  for (;;) {
    const check = await client.monitors.check(id, checkId, { limit: 1 });
    if (check.status !== "queued" && check.status !== "running") return check;
    await sleep(POLL_MS);
  }
}

const formatSummary = (summary: MonitorCheck["summary"]): string =>
  `${summary.changed} changed, ${summary.new} new, ${summary.removed} removed, ${summary.error} broken, ${summary.same} same`;

const formatCheckSummary = ({ status, summary }: MonitorCheck): string =>
  `${status}: ${formatSummary(summary)}`;

/** Ends with the code for a failed target when no page could be checked. */
export async function runMonitor(
  config: Config,
  id: string,
  options: MonitorCommandOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const { client } = connection;
  const started = await client.monitors.run(id);
  const check = await withSpinner(process.stderr, "Checking", () =>
    waitForEnd(client, id, started.id),
  );
  await printCheck(client, id, check, options.json === true);
  if (check.status === "failed") process.exitCode = EXIT.target;
}

async function printCheck(
  client: QuarryClient,
  id: string,
  check: MonitorCheck,
  isJson: boolean,
): Promise<void> {
  const whole = await client.monitors.check(id, check.id, { limit: MAX_PAGES });
  if (isJson) {
    print(toJson(whole));
    return;
  }
  for (const page of whole.pages) if (page.status !== "same") printPage(page);
  warn(formatCheckSummary(whole));
}

function printPage({ url, status, diff, error, judgment }: MonitorPage): void {
  print(toPlainLine(`${status} ${url}`));
  if (error !== null && error !== undefined) print(`  ${toPlainLine(error)}`);
  if (judgment !== null && judgment !== undefined)
    print(
      `  ${judgment.meaningful ? "matters" : "does not matter"}: ${toPlainLine(judgment.reason)}`,
    );
  for (const line of (diff?.text ?? "").split("\n"))
    if (line !== "") print(`  ${line.charAt(0)}${toPlainLine(line.slice(1))}`);
  if (diff?.text === undefined && diff?.json !== undefined) print(`  ${JSON.stringify(diff.json)}`);
}

export async function listChecks(
  config: Config,
  id: string,
  { limit, status, ...options }: ListChecksOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const query = { limit, status: status as MonitorCheck["status"] | undefined };
  for (const check of await connection.client.monitors.checks(id, query))
    print(
      options.json === true
        ? JSON.stringify(check)
        : `${check.id}  ${check.finishedAt ?? check.createdAt}  ${formatCheckSummary(check)}`,
    );
}

/** The newest check that found a change, or the one that is named. */
export async function showDiff(
  config: Config,
  id: string,
  checkId: string | undefined,
  options: MonitorCommandOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const { monitors } = connection.client;
  const found =
    checkId === undefined
      ? (await monitors.checks(id, { limit: 100 })).find(
          ({ summary }) => summary.changed + summary.removed > 0,
        )
      : await monitors.check(id, checkId, { limit: 1 });
  if (found === undefined) {
    warn("No change was found in the last 100 checks.");
    return;
  }
  await printCheck(connection.client, id, found, options.json === true);
}

export async function pauseMonitor(
  config: Config,
  id: string,
  { until, resume, ...options }: PauseOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const change =
    resume === true
      ? { status: "active" as const, pauseUntil: null }
      : until === undefined
        ? { status: "paused" as const }
        : { pauseUntil: toTime(until) };
  const monitor = await connection.client.monitors.change(id, change);
  print(options.json === true ? toJson(monitor) : formatLine(monitor));
}

function toTime(text: string): string {
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new RequestError(
      "BAD_REQUEST",
      `--until ${text} is not a time; write 2026-12-24T08:00Z.`,
    );
  return new Date(at).toISOString();
}

export async function testMonitor(
  config: Config,
  id: string,
  channel: string | undefined,
  options: MonitorCommandOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const { monitors } = connection.client;
  const results = await monitors.test(id, channel);
  if (options.json === true) print(toJson(results));
  else {
    const { channels } = await monitors.get(id);
    const kinds = new Map(channels?.map((each) => [each.id, each.type]));
    for (const { channel: name, delivered, error } of results) {
      const kind = kinds.get(name) ?? "channel";
      print(toPlainLine(`${kind} ${name}: ${delivered ? "delivered" : (error ?? "failed")}`));
    }
  }
  if (results.some(({ delivered }) => !delivered)) process.exitCode = EXIT.target;
}

export async function deleteMonitor(
  config: Config,
  id: string,
  options: MonitorCommandOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  await connection.client.monitors.delete(id);
  if (options.json === true) print(toJson({ success: true }));
}
