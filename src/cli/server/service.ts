// Starts the whole service once the listener of `serve` is open.
import path from "node:path";
import { createApp, type App } from "../../app.ts";
import { prepareBrowser } from "../../browser/open-pool.ts";
import type { Config } from "../../config.ts";
import type { EarlyListener } from "../../http/early-listener.ts";
import { createLogger, type Logger } from "../../logger.ts";
import { removeStaleScratchFolders } from "../../store/database/scratch-folders.ts";
import { makesDatabase } from "../../store/database/data-folder.ts";
import { getKeyFilePath } from "../../store/database/key-file.ts";
import { createHint } from "../terminal/hint.ts";
import { listFindings } from "../../diagnosis/findings.ts";

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** Builds the service behind this listener without opening anything. */
export async function buildService(config: Config, listener: EarlyListener): Promise<App> {
  return await createApp(config, { log: await createTerminalLogger(config), listener });
}

/**
 * Accepts requests, opens slow parts, and reports the start, finally "Ready."; with `asJson` as
 * events.
 */
export async function openService(
  app: App,
  isClosing: () => boolean,
  asJson: boolean,
): Promise<void> {
  const { config, log } = app;
  const report = (event: object, ...lines: string[]): void => {
    for (const line of asJson ? [JSON.stringify(event)] : lines) printLine(line);
  };
  for (const line of listFindings(config)) report({ event: "finding", text: line }, `  ${line}`);
  if (!config.auth)
    report(
      { event: "open" },
      "API keys are not required (QUARRY_AUTH=false): anything on this machine may call.",
    );
  // Check before the first request, which may open the database.
  if (makesDatabase(config))
    report({ event: "creatingDatabase" }, "Creating a new database; this takes a few seconds.");
  await app.listen();
  const first = await app.open();
  if (first !== undefined) {
    const file = path.relative(process.cwd(), getKeyFilePath(config));
    const hint = createHint(config)("scrape https://example.com");
    report(
      { event: "key", key: first.key, file: getKeyFilePath(config) },
      `API key, shown only this once: ${first.key}`,
      `  stored in ${file}; in another terminal: ${hint}`,
    );
  }
  const link = await app.createSignInLink();
  if (link !== undefined)
    report(
      { event: "console", url: link },
      `Console: ${link}`,
      "  signs in once, within 10 minutes",
    );
  const failures = await app.check();
  if (isClosing()) return;
  for (const { name, reason } of failures)
    report({ event: "notReady", name, reason }, `Not ready: ${name}: ${reason}`);
  if (failures.length === 0) report({ event: "ready" }, "Ready.");
  else
    report(
      { event: "waiting" },
      `Requests are accepted anyway; ${createHint(config)("doctor")} checks again.`,
    );
  setTimeout(() => {
    const removed = removeStaleScratchFolders();
    if (removed > 0) log.info({ removed }, "removed temporary folders of killed processes");
    // API processes may not need it; otherwise their first browser page unpacks it.
    if (config.role !== "api") void prepareBrowser(config, log);
  }, PREPARE_DELAY_MS).unref();
}

/** Human-readable log lines on a terminal, JSON elsewhere. */
async function createTerminalLogger(config: Config): Promise<Logger> {
  if (!process.stderr.isTTY) return createLogger(config.logLevel);
  const { default: pretty } = await import("pino-pretty");
  return createLogger(
    config.logLevel,
    pretty({
      destination: 2,
      sync: true,
      ignore: "reqId,pid,hostname",
      translateTime: "HH:MM:ss",
      singleLine: true,
    }),
  );
}

/**
 * Delay before the files for the browser are unpacked; an early browser page unpacks them at once.
 */
const PREPARE_DELAY_MS = 5_000;
