import { createApp, type App } from "../app.ts";
import type { Config } from "../config.ts";
import { QuarryError } from "../errors.ts";
import { createLogger, type Logger } from "../log.ts";
import { VERSION } from "../version.ts";
import { findings } from "./findings.ts";

/** Runs the server until it is told to stop. The first line printed says the address. */
export async function serve(config: Config): Promise<void> {
  const log = await terminalLogger(config);
  const app = await createApp(config, { log });
  closeOnSignal(app, log);
  const url = await listen(app, config);
  process.stdout.write(`Quarry ${VERSION} listens on ${url}  (documentation at ${url}/docs)\n`);
  try {
    const first = await app.open();
    if (first !== undefined) {
      process.stdout.write(`API key, shown only this once: ${first.key}\n`);
    }
    if (!config.auth)
      process.stdout.write(
        "No API key is asked for (QUARRY_AUTH=false): anything on this machine may call.\n",
      );
    process.stdout.write(
      `${findings(config)
        .map((line) => `  ${line}`)
        .join("\n")}\n`,
    );
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function listen(app: App, config: Config): Promise<string> {
  try {
    return await app.listen();
  } catch (error) {
    await app.close();
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
      throw new QuarryError(
        "UNAVAILABLE",
        `Port ${config.port} on ${config.host} is taken. Stop what listens there, or choose another with --port or QUARRY_PORT.`,
        { cause: error },
      );
    }
    throw error;
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

/** The first signal lets running requests finish, the second does not. */
function closeOnSignal(app: App, log: Logger): void {
  let closing = false;
  const stop = (signal: string): void => {
    if (closing) process.exit(1);
    closing = true;
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
}
