import path from "node:path";
import { createApp, type App } from "../app.ts";
import { prepareBrowser } from "../browser/open-pool.ts";
import type { Config } from "../config.ts";
import { QuarryError } from "../errors.ts";
import { createLogger, type Logger } from "../log.ts";
import { makesDatabase } from "../store/data-folder.ts";
import { keyFilePath } from "../store/key-file.ts";
import { VERSION } from "../version.ts";
import { findings } from "./findings.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Runs the server until it is told to stop. The first line printed says the address, the last one "Ready." With
 * `stopsWithParent` it also stops when the process that started it is gone.
 */
export async function serve(config: Config, stopsWithParent = false): Promise<void> {
  const log = await terminalLogger(config);
  const app = await createApp(config, { log });
  const isClosing = closeOnSignal(app, log, stopsWithParent);
  const url = await listen(app, config);
  say(`Quarry ${VERSION} listens on ${url}  (documentation at ${url}/docs)`);
  for (const line of findings(config)) say(`  ${line}`);
  if (!config.auth)
    say("No API key is asked for (QUARRY_AUTH=false): anything on this machine may call.");
  if (makesDatabase(config)) say("Making a new database; this takes a few seconds.");
  try {
    const first = await app.open();
    if (first !== undefined) {
      say(`API key, shown only this once: ${first.key}`);
      const file = path.relative(process.cwd(), keyFilePath(config));
      say(`  kept in ${file}; in another terminal: npx quarry scrape https://example.com`);
    }
    if (isClosing()) return;
    say("Ready.");
    setTimeout(() => void prepareBrowser(config, log), PREPARE_MS).unref();
  } catch (error) {
    // Who stops a server that is still opening wants no report of what it did not open.
    if (isClosing()) return;
    await app.close();
    throw error;
  }
}

async function listen(app: App, config: Config): Promise<string> {
  try {
    return await app.listen();
  } catch (error) {
    await app.close();
    if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
    const text = listenFault(config, String(error.code));
    throw new QuarryError("UNAVAILABLE", text, { cause: error });
  }
}

function listenFault({ host, port }: Config, code: string): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is taken. Stop what listens there, or choose another with --port or QUARRY_PORT.`;
    case "EACCES":
      return `This user may not listen on port ${port}. Choose one above 1023 with --port or QUARRY_PORT.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} is no address of this machine (${code}). Set --host or QUARRY_HOST to one of them, 127.0.0.1 or 0.0.0.0.`;
    default:
      return `The server cannot listen on port ${port} of ${host} (${code}). See --host and --port, QUARRY_HOST and QUARRY_PORT.`;
  }
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

/** Signals this close together count as one. */
const SAME_SIGNAL_MS = 500;

/** How often a server that stops with its parent looks for it. */
const PARENT_MS = 1_000;

/** The first signal lets running requests finish, the second does not. Returns whether the closing has begun. */
function closeOnSignal(app: App, log: Logger, stopsWithParent: boolean): () => boolean {
  let closing = false;
  let closingSince = 0;
  const stop = (signal: string): void => {
    if (closing) {
      // Supervisors signal the launcher and the server it runs, and the launcher passes its own on: that is one wish.
      if (performance.now() - closingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    closing = true;
    closingSince = performance.now();
    log.info({ signal }, "stopping");
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "did not stop cleanly");
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));
  if (stopsWithParent) {
    // npm passes a signal to the shell between itself and the server, and that shell ends without passing it on.
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      if (!closing) stop("parent gone");
    }, PARENT_MS);
    timer.unref();
  }
  return () => closing;
}
