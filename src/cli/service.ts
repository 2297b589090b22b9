// What `serve` does once its listener is open. All of the service is loaded with this file.
import path from "node:path";
import { createApp, type App } from "../app.ts";
import { prepareBrowser } from "../browser/open-pool.ts";
import type { Config } from "../config.ts";
import type { EarlyListener } from "../http/early-listener.ts";
import { createLogger, type Logger } from "../log.ts";
import { removeStaleScratchFolders } from "../store/database/scratch-folders.ts";
import { makesDatabase } from "../store/database/data-folder.ts";
import { keyFilePath } from "../store/database/key-file.ts";
import { createHint } from "./hint.ts";
import { findings } from "../diagnosis/findings.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The service behind this listener, nothing of it opened. */
export async function buildService(config: Config, listener: EarlyListener): Promise<App> {
  return await createApp(config, { log: await terminalLogger(config), listener });
}

/** Lets callers in, opens what is slow to open, and reports the start, "Ready." at last; with `asJson` as events. */
export async function openService(
  app: App,
  isClosing: () => boolean,
  asJson: boolean,
): Promise<void> {
  const { config, log } = app;
  const tell = (event: object, ...lines: string[]): void => {
    for (const line of asJson ? [JSON.stringify(event)] : lines) say(line);
  };
  for (const line of findings(config)) tell({ event: "finding", text: line }, `  ${line}`);
  if (!config.auth)
    tell(
      { event: "open" },
      "No API key is asked for (QUARRY_AUTH=false): anything on this machine may call.",
    );
  // Asked before the first caller comes in, whose request may open the database.
  if (makesDatabase(config))
    tell({ event: "creatingDatabase" }, "Making a new database; this takes a few seconds.");
  await app.listen();
  const first = await app.open();
  if (first !== undefined) {
    const file = path.relative(process.cwd(), keyFilePath(config));
    const hint = createHint(config)("scrape https://example.com");
    tell(
      { event: "key", key: first.key, file: keyFilePath(config) },
      `API key, shown only this once: ${first.key}`,
      `  kept in ${file}; in another terminal: ${hint}`,
    );
  }
  const failures = await app.check();
  if (isClosing()) return;
  for (const { name, reason } of failures)
    tell({ event: "notReady", name, reason }, `Not ready: ${name}: ${reason}`);
  if (failures.length === 0) tell({ event: "ready" }, "Ready.");
  else
    tell(
      { event: "waiting" },
      `Requests are taken all the same; ${createHint(config)("doctor")} looks again.`,
    );
  setTimeout(() => {
    const removed = removeStaleScratchFolders();
    if (removed > 0) log.info({ removed }, "temporary folders of killed processes were removed");
    // Processes that only answer requests may never need it: their first page in the browser unpacks it.
    if (config.role !== "api") void prepareBrowser(config, log);
  }, PREPARE_MS).unref();
}

/** Log lines for people when they look at a terminal, JSON for everything else. */
async function terminalLogger(config: Config): Promise<Logger> {
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

/** After this long what the first page in a browser needs is unpacked; a server that is asked at once does so anyway. */
const PREPARE_MS = 5_000;
