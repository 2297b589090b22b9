// Listens before the service is loaded and built, which is the longest part of a start. Until then
// it answers the liveness probe and queues other requests for the service. Loaded first, so it
// imports next to nothing (test/architecture/start.test.ts).
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
} from "node:net";
import type { Duplex } from "node:stream";
import { withTimeout } from "../runtime/shutdown.ts";
import type { Config } from "../config.ts";
import { ERROR_CODES } from "../contract/request/error-codes.ts";
import { createServer } from "../runtime/node-http.ts";
import { ALIVE, HEALTH, LIVENESS } from "./health.ts";
import { answerBrokenRequest, endWith } from "./middleware/broken-request.ts";
import { buildErrorBody } from "./middleware/on-error.ts";
import { findOriginFault } from "./middleware/origin-guard.ts";
import { isUpgrade } from "./websockets/upgrades.ts";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

export type EarlyListener = {
  /** The server for all addresses of the host. */
  readonly server: Server;
  /** Starts listening, once. Rejects with the system's error. */
  open(): Promise<void>;
  /**
   * Passes requests to `handle` from now on, queued ones first, and upgrades to the listeners of
   * `server`.
   */
  admit(handle: Handle): void;
  /**
   * Stops accepting and rejects queued requests with this reason. Resolves when all connections
   * have ended.
   */
  close(reason?: string): Promise<void>;
};

type Place = Pick<Config, "host" | "port" | "role" | "auth">;

/** Maximum time for a request to arrive; responses have their own timeout. */
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 72_000;

/** Time for the last responses of a closing listener. */
const ANSWER_TIMEOUT_MS = 1_000;

/** All addresses of a name, as dns.lookup returns with `all`. */
type LookupAll = (host: string) => Promise<readonly { readonly address: string }[]>;

/** Creates the listener. The creator closes it, or the service that takes it over. */
export function createEarlyListener(config: Place, lookupAll: LookupAll = lookUp): EarlyListener {
  const server: Server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    shouldUpgradeCallback: (request) => isUpgrade(request) && server.listenerCount("upgrade") > 0,
  });
  const requests: (readonly [IncomingMessage, ServerResponse])[] = [];
  const upgrades: (readonly [IncomingMessage, Duplex, Buffer])[] = [];
  let others: readonly TcpServer[] = [];
  let opened: Promise<void> | undefined;
  let isAdmitting = false;

  const receive: Handle = (request, response) => {
    if (isProbe(request, config)) answer(response, 200, ALIVE);
    else requests.push([request, response]);
  };
  const hold = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    // While the service is created, its own listeners are added before it admits requests.
    if (server.listenerCount("upgrade") > 1) return;
    stream.on("error", ignore);
    upgrades.push([request, stream, head]);
  };
  server.on("clientError", answerBrokenRequest);
  server.on("request", receive);
  if (config.role !== "worker") server.on("upgrade", hold);

  const admit = (handle: Handle): void => {
    isAdmitting = true;
    server.off("request", receive).off("upgrade", hold).on("request", handle);
    for (const [request, response] of requests.splice(0))
      if (!request.socket.destroyed) handle(request, response);
    for (const [request, stream, head] of upgrades.splice(0)) {
      stream.off("error", ignore);
      if (!stream.destroyed) server.emit("upgrade", request, stream, head);
    }
  };

  const close = async (reason = "The server is stopping."): Promise<void> => {
    const { status } = ERROR_CODES.UNAVAILABLE;
    const body = buildErrorBody({ code: "UNAVAILABLE", message: reason });
    const ended = [server, ...others].map(async (one) => {
      one.close();
      await once(one, "close");
    });
    const answered = requests.splice(0).map(async ([request, response]) => {
      if (request.socket.destroyed) return;
      response.setHeader("retry-after", "1").setHeader("connection", "close");
      answer(response, status, body);
      await once(response, "close").catch(ignore);
    });
    for (const [, stream] of upgrades.splice(0)) endWith(stream, status, body);
    await withTimeout(ANSWER_TIMEOUT_MS, Promise.all(answered));
    // A listener that never admitted has nothing in progress: partial requests are not awaited.
    if (!isAdmitting) server.closeAllConnections();
    await Promise.all(ended);
  };

  return {
    server,
    open: () =>
      (opened ??= (async () => {
        await listenFirst(server, config);
        const { address: host, port } = server.address() as AddressInfo;
        others = await addListeners(server, { host, port });
        if (config.host === "localhost")
          others = [...others, ...(await listenBeside(server, await lookupAll(config.host)))];
      })()),
    admit,
    close,
  };
}

const ignore = (): void => undefined;

/** True if this is a plain liveness probe that only the route's handler would answer. */
function isProbe({ method, url, headers }: IncomingMessage, { auth }: Place): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    (url === LIVENESS || url === HEALTH) &&
    headers.origin === undefined &&
    (auth || findOriginFault({ headers, url }) === undefined)
  );
}

function answer(response: ServerResponse, status: number, body: object): void {
  const json = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(json),
  });
  response.end(json);
}

/**
 * Listeners per address. The event loop accepts one connection per listener and turn (libuv since
 * 1.45). Turns are long during conversion, so with one listener new connections would wait for
 * seconds.
 */
const LISTENERS_PER_ADDRESS = 16;

/** Several listeners on one port. Other systems distribute connections unevenly or not at all. */
const CAN_SHARE_PORT = process.platform === "linux";

type ListenOptions = Pick<Config, "host" | "port"> & { readonly reusePort?: boolean };

async function listen(server: TcpServer, place: ListenOptions): Promise<void> {
  server.listen(place);
  await once(server, "listening");
}

/** Opens the first listener at an address; rejects when another process uses it. */
async function listenFirst(server: TcpServer, { host, port }: ListenOptions): Promise<void> {
  if (!CAN_SHARE_PORT) return await listen(server, { host, port });
  // A second server of the same user could share the port unnoticed, so the first listener does not
  // share it. Port 0 is new anyway.
  if (port !== 0) {
    const exclusive = createTcpServer();
    await listen(exclusive, { host, port });
    exclusive.close();
    await once(exclusive, "close");
  }
  await listen(server, { host, port, reusePort: true });
}

/** A listener that forwards its connections to `server`. */
const createListener = (server: Server): TcpServer =>
  createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit("connection", socket),
  );

/** Opens the further listeners of an address. */
async function addListeners(server: Server, place: ListenOptions): Promise<TcpServer[]> {
  if (!CAN_SHARE_PORT) return [];
  return await Promise.all(
    Array.from({ length: LISTENERS_PER_ADDRESS - 1 }, async () => {
      const other = createListener(server);
      await listen(other, { ...place, reusePort: true });
      return other;
    }),
  );
}

const lookUp: LookupAll = async (host) => {
  const { lookup } = await import("node:dns/promises");
  return await lookup(host, { all: true });
};

/**
 * localhost has one address per family: the others, if the machine has them, lead to the same
 * server.
 */
async function listenBeside(
  server: Server,
  addresses: Awaited<ReturnType<LookupAll>>,
): Promise<TcpServer[]> {
  const { address, port } = server.address() as AddressInfo;
  const others: TcpServer[] = [];
  for (const { address: host } of addresses) {
    if (host === address) continue;
    const other = createListener(server);
    try {
      await listenFirst(other, { host, port });
      others.push(other, ...(await addListeners(server, { host, port })));
    } catch {
      // In use, or the machine lacks this family: the first listener exists.
    }
  }
  return others;
}
