import type { App } from "../../app.ts";
import type { Config } from "../../config.ts";
import { QuarryError } from "../../errors.ts";
import { createEarlyListener, type EarlyListener } from "../../http/early-listener.ts";
import { buildListeningUrl } from "../../http/reachable-url.ts";
import { VERSION } from "../../version.ts";
import { loadService } from "./load-service.ts";

/**
 * Runs the server until it is stopped. The first line printed is the URL, the last one "Ready."
 * With `stopsWithParent` it also stops when its parent process ends. It listens before the service
 * is loaded, which is the longest part of a start; early requests are queued.
 */
export async function serve(
  config: Config,
  { stopsWithParent, asJson }: { readonly stopsWithParent: boolean; readonly asJson: boolean },
): Promise<void> {
  const listener = createEarlyListener(config);
  let app: App | undefined;
  const isClosing = closeOnSignal(async (signal) => {
    app?.log.info({ signal }, "stopping");
    try {
      await (app ?? listener).close();
    } catch (error) {
      app?.log.error({ err: error }, "did not stop cleanly");
      throw error;
    }
  }, stopsWithParent);
  await open(listener, config);
  const url = buildListeningUrl(listener, config);
  const docs = `${url}/docs`;
  process.stdout.write(
    asJson
      ? `${JSON.stringify({ event: "listening", version: VERSION, url, docs })}\n`
      : `Quarry ${VERSION} listens on ${url}  (documentation at ${docs})\n`,
  );
  try {
    const { buildService, openService } = await loadService();
    app = await buildService(config, listener);
    if (!isClosing()) await openService(app, isClosing, asJson);
  } catch (error) {
    // A server that is stopped during its start need not report parts that it did not open.
    if (isClosing()) return;
    await (app?.close() ?? listener.close("The server could not start."));
    throw error;
  }
}

async function open(listener: EarlyListener, config: Config): Promise<void> {
  try {
    await listener.open();
  } catch (error) {
    await listener.close();
    if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
    const text = listenFault(config, String(error.code));
    throw new QuarryError("UNAVAILABLE", text, { cause: error });
  }
}

function listenFault({ host, port }: Config, code: string): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is in use. Stop the program that listens there, or choose another port with --port or QUARRY_PORT.`;
    case "EACCES":
      return `This user may not listen on port ${port}. Choose one above 1023 with --port or QUARRY_PORT.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} is not an address of this machine (${code}). Set --host or QUARRY_HOST to one of its addresses, 127.0.0.1 or 0.0.0.0.`;
    default:
      return `The server cannot listen on port ${port} of ${host} (${code}). See --host and --port, QUARRY_HOST and QUARRY_PORT.`;
  }
}

/** Signals this close together count as one. */
const SAME_SIGNAL_MS = 500;

/** Polling interval for the parent process, milliseconds. */
const PARENT_POLL_MS = 1_000;

/**
 * The first signal lets running requests finish, the second does not. Returns whether closing has
 * begun.
 */
function closeOnSignal(
  close: (signal: string) => Promise<void>,
  stopsWithParent: boolean,
): () => boolean {
  let closing = false;
  let closingSince = 0;
  const stop = (signal: string): void => {
    if (closing) {
      // Supervisors signal both launcher and server, and the launcher forwards its signal: these
      // count as one.
      if (performance.now() - closingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    closing = true;
    closingSince = performance.now();
    close(signal).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));
  if (stopsWithParent) {
    // npm signals the shell between itself and the server, and that shell ends without forwarding.
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      if (!closing) stop("parent gone");
    }, PARENT_POLL_MS);
    timer.unref();
  }
  return () => closing;
}
