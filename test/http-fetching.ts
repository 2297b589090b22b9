// Shared by the HTTP engine tests: sites on loopback and an engine that may reach them.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
} from "node:net";
import type { Capture } from "../src/capture.ts";
import { createTestConfig, type Config } from "../src/config.ts";
import { Deadline } from "../src/deadline.ts";
import { createEgress } from "../src/egress/dispatchers.ts";
import type { Lookup } from "../src/egress/resolver.ts";
import type { QuarryError } from "../src/errors.ts";
import { createHttpEngine, type HttpFetch } from "../src/engines/http.ts";
import { createLogger } from "../src/logger.ts";
import { createMetrics } from "../src/metrics.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const closers: (() => Promise<unknown> | void)[] = [];

/** Closes everything a test has opened, last first; call it in afterEach. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close();
}

export const readPort = (server: TcpServer): number => (server.address() as AddressInfo).port;

/** Listens on a free loopback port until closeAll. */
export async function listen<S extends TcpServer>(server: S): Promise<S> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    if ("closeAllConnections" in server) (server as unknown as Server).closeAllConnections();
    server.close();
  });
  return server;
}

/** A site on loopback; its base is `http://127.0.0.1:PORT`. */
export async function openSite(handler: Handler): Promise<{ base: string; port: number }> {
  const port = readPort(await listen(createServer(handler)));
  return { base: `http://127.0.0.1:${port}`, port };
}

/** The base URL of a site whose server is gone. */
export async function closedSite(): Promise<string> {
  const server = createTcpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = readPort(server);
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}

/** A TCP server controlled by the test; returns its port. */
export async function openTcp(
  onConnection: Parameters<typeof createTcpServer>[1],
): Promise<number> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    closers.push(() => void socket.destroy());
    onConnection?.(socket);
  });
  return readPort(await listen(server));
}

/** An engine that may reach 127.0.0.1, with `capture` and `failure` that assert their outcome. */
export function buildEngine(overrides: Partial<Config> = {}, lookup?: Lookup) {
  const config = createTestConfig({ egressAllow: ["127.0.0.1"], ...overrides });
  const metrics = createMetrics();
  const egress = createEgress(config, { metrics, ...(lookup ? { lookup } : {}) });
  closers.push(() => egress.close());
  const engine = createHttpEngine({ egress, config, metrics, log: createLogger("silent") });
  const run = async (request: Partial<HttpFetch> & { url: string }, timeoutMs = 10_000) => {
    using deadline = Deadline.start(timeoutMs);
    return await engine.fetch({ skipTlsVerification: true, ...request }, deadline);
  };
  return {
    egress,
    metrics,
    capture: async (request: Partial<HttpFetch> & { url: string }): Promise<Capture> => {
      const outcome = await run(request);
      if (outcome.kind === "captured") return outcome.capture;
      throw outcome.kind === "failed" ? outcome.error : new Error(outcome.missing);
    },
    failure: async (
      request: Partial<HttpFetch> & { url: string },
      timeoutMs?: number,
    ): Promise<QuarryError> => {
      const outcome = await run(request, timeoutMs);
      if (outcome.kind !== "failed") throw new Error(`expected a failure, got ${outcome.kind}`);
      return outcome.error;
    },
  };
}

export const textOf = (capture: Capture): string => Buffer.from(capture.body).toString();
