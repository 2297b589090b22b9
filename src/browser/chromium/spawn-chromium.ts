// Spawns Chromium as a child process with its DevTools pipe. Quarry spawns it instead of
// Playwright, so that all its output is bounded before it is read, and its exit is known
// immediately.
import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { ConnectOverCDPTransport } from "playwright-core";
import { BoundedMessages, type MessageLimits, type RefusedMessage } from "./bounded-messages.ts";
import { InvalidCertificates } from "./invalid-certificates.ts";
import { preferOnShortage } from "./oom-preference.ts";

export type SpawnOptions = {
  readonly executable: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly limits: MessageLimits;
  readonly onRefused?: ((refused: RefusedMessage) => void) | undefined;
};

export type ChromiumExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type ChromiumProcess = {
  /** 0 if the program could not be started. */
  readonly pid: number;
  /** Transport for Playwright's connectOverCDP. */
  readonly transport: ConnectOverCDPTransport;
  readonly invalidCertificates: Pick<InvalidCertificates, "has">;
  /** Resolves when the process itself has ended; its children may take a moment longer. */
  readonly exited: Promise<ChromiumExit>;
  /** Undefined while it runs. */
  exit(): ChromiumExit | undefined;
  /** The first lines of stderr. */
  firstErrors(): string;
  /** Kills all its processes immediately. */
  kill(): void;
};

const MAX_ERROR_BYTES = 8_192;
/** Time after which a Chromium that does not close is killed. */
const CLOSE_TIMEOUT_MS = 5_000;
/** Playwright ignores the answer to this id. */
const CLOSE_MESSAGE = { id: -9_999, method: "Browser.close", params: {} };

export function spawnChromium(options: SpawnOptions): ChromiumProcess {
  const child = spawn(options.executable, options.args, {
    // A separate process group, so that all its processes can be killed at once.
    detached: process.platform !== "win32",
    env: options.env,
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  preferOnShortage(child.pid, "browser");
  const [, , , toBrowser, fromBrowser] = child.stdio as unknown as [
    null,
    null,
    Readable,
    Writable,
    Readable,
  ];
  let exit: ChromiumExit | undefined;
  let startError = "";
  const kill = (): void => {
    if (child.pid !== undefined) killTree(child.pid);
  };
  const onServerExit = (): void => kill();
  process.once("exit", onServerExit);

  const { promise: exited, resolve } = Promise.withResolvers<ChromiumExit>();
  const finish = (code: number | null, signal: NodeJS.Signals | null): void => {
    if (exit !== undefined) return;
    exit = { code, signal };
    process.off("exit", onServerExit);
    // Hung renderers do not notice that their browser is gone.
    kill();
    for (const stream of [child.stderr, toBrowser, fromBrowser]) stream?.destroy();
    resolve(exit);
    transport.onclose?.(describeExit(exit));
  };
  child.once("exit", finish);
  child.once("error", (error) => {
    startError = error.message;
    finish(null, null);
  });

  const errors = keepFirst(child.stderr as Readable, MAX_ERROR_BYTES);
  const invalidCertificates = new InvalidCertificates();
  const transport = openTransport({ toBrowser, fromBrowser, kill, options, invalidCertificates });
  return {
    pid: child.pid ?? 0,
    transport,
    invalidCertificates,
    exited,
    exit: () => exit,
    firstErrors: () => startError || errors(),
    kill,
  };
}

export const describeExit = ({ code, signal }: ChromiumExit): string =>
  signal === null ? `Chromium ended with exit code ${code}` : `Chromium was ended by ${signal}`;

function openTransport(parts: {
  readonly toBrowser: Writable;
  readonly fromBrowser: Readable;
  readonly kill: () => void;
  readonly options: SpawnOptions;
  readonly invalidCertificates: InvalidCertificates;
}): ConnectOverCDPTransport {
  const { toBrowser, fromBrowser, kill, options, invalidCertificates } = parts;
  const transport: ConnectOverCDPTransport = {
    send: (message) => {
      if (toBrowser.writable) toBrowser.write(`${JSON.stringify(message)}\0`);
    },
    close: () => {
      transport.send(CLOSE_MESSAGE);
      setTimeout(kill, CLOSE_TIMEOUT_MS).unref();
    },
  };
  const { limits, onRefused } = options;
  const deliver = (json: string): void => {
    if (transport.onmessage === undefined) return;
    try {
      const message = JSON.parse(json) as object;
      invalidCertificates.record(message);
      transport.onmessage(message);
    } catch {
      // Invalid JSON means that Chromium is broken.
      kill();
    }
  };
  const messages = new BoundedMessages({
    limits,
    // One event loop turn per message: promises of the previous one have settled, as Playwright
    // expects.
    deliver: (json) => setImmediate(deliver, json),
    ...(onRefused === undefined ? {} : { onRefused }),
  });
  fromBrowser.on("data", (chunk: Buffer) => messages.feed(chunk));
  // A browser without its pipe is useless.
  fromBrowser.once("close", kill);
  for (const stream of [toBrowser, fromBrowser]) stream.on("error", () => undefined);
  return transport;
}

/** Reads the stream to its end and keeps its start. */
function keepFirst(stream: Readable, maxBytes: number): () => string {
  const kept: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    if (bytes >= maxBytes) return;
    kept.push(Buffer.from(chunk.subarray(0, maxBytes - bytes)));
    bytes += chunk.length;
  });
  stream.on("error", () => undefined);
  return () => Buffer.concat(kept).toString("utf8").trim();
}

function killTree(pid: number): void {
  try {
    // Windows has no process groups; Chromium's job object ends its children there.
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}
