// Egress for a browser: a small HTTP proxy on loopback per job ("lane"). Its connections pass the
// gate like all others. Each lane has its own port, which distinguishes jobs without credentials;
// with credentials Chromium would have to pause every request.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer } from "../runtime/node-http.ts";
import type { Egress } from "./dispatchers.ts";
import type { UpstreamProxy } from "./upstream-proxy.ts";

export type LaneOptions = {
  /** From `egress.selectProxy`; undefined connects directly. */
  readonly proxy?: UpstreamProxy | undefined;
  /** Maximum bytes received through the lane before it is cut off. */
  readonly maxBytes: number;
  /** Hosts that are answered 403 without a connection. */
  readonly isBlocked?: ((hostname: string) => boolean) | undefined;
};

export type Lane = AsyncDisposable & {
  /** Proxy address for Chromium: `http://127.0.0.1:PORT`. */
  readonly server: string;
  /**
   * Reason of the last failed connection to the host and port of `url`; undefined when none failed.
   */
  failure(url: URL): unknown;
  /** Bytes received. */
  bytes(): number;
  /** True if it was cut off after more than `maxBytes`. */
  overflowed(): boolean;
  /** Number of refused requests by blocked host. */
  blocked(): ReadonlyMap<string, number>;
  /** Forgets failures, blocked hosts and bytes, for the next page. A lane that was cut off stays so. */
  reset(): void;
  /** Closes every connection of the lane. */
  close(): Promise<void>;
};

type EgressRoute = Pick<Egress, "route" | "connect" | "own">;

const MAX_CONNECTIONS = 512;
const MAX_FAILURES = 200;
const MAX_BLOCKED_HOSTS = 200;

/** Opens a lane; the caller closes it. */
export async function openLane(egress: EgressRoute, options: LaneOptions): Promise<Lane> {
  const lane = new ProxyLane(egress, options);
  await lane.listen();
  return lane;
}

/** A lane without targets, for the browser's own requests. */
export async function openDeadEnd(): Promise<Pick<Lane, "server" | "close">> {
  const server = createServer((_request, response) => void response.writeHead(403).end());
  server.on("connect", (_request, socket: Duplex) => refuseTunnel(socket));
  await listenOnLoopback(server);
  return { server: readAddress(server), close: () => closeServer(server) };
}

class ProxyLane implements Lane {
  readonly #egress: EgressRoute;
  readonly #options: LaneOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #failures = new Map<string, unknown>();
  readonly #blocked = new Map<string, number>();
  readonly #closing = new AbortController();
  #disown: () => void = () => undefined;
  #bytes = 0;
  #overflowed = false;

  constructor(egress: EgressRoute, options: LaneOptions) {
    this.#egress = egress;
    this.#options = options;
    this.#server = createServer({ keepAlive: true, requestTimeout: 0, headersTimeout: 10_000 });
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("request", (request, response) => void this.#forward(request, response));
    this.#server.on("connect", (request, socket, head) => void this.#tunnel(request, socket, head));
  }

  get server(): string {
    return readAddress(this.#server);
  }

  async listen(): Promise<void> {
    await listenOnLoopback(this.#server);
    this.#disown = this.#egress.own.add(readServerPort(this.#server));
  }

  failure(url: URL): unknown {
    return this.#failures.get(formatAuthority(url.hostname, readPort(url)));
  }

  bytes(): number {
    return this.#bytes;
  }

  overflowed(): boolean {
    return this.#overflowed;
  }

  blocked(): ReadonlyMap<string, number> {
    return this.#blocked;
  }

  reset(): void {
    this.#bytes = 0;
    this.#blocked.clear();
    this.#failures.clear();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const socket of this.#sockets) socket.destroy();
    await closeServer(this.#server);
    this.#disown();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** CONNECT (RFC 9110 section 9.3.6): TLS and WebSocket. */
  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    this.#hold(client);
    const target = parseAuthority(request.url ?? "");
    if (target === undefined || this.#overflowed || this.#isBlocked(target.hostname)) {
      refuseTunnel(client);
      return;
    }
    try {
      const remote = await this.#egress.connect(target.hostname, target.port, this.#options.proxy);
      this.#failures.delete(formatAuthority(target.hostname, target.port));
      if (client.destroyed || this.#closing.signal.aborted) {
        remote.destroy();
        return;
      }
      this.#hold(remote);
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      if (head.length > 0) remote.write(head);
      this.#join(client, remote);
    } catch (error) {
      this.#remember(target.hostname, target.port, error);
      refuseTunnel(client);
    }
  }

  #join(client: Duplex, remote: Socket): void {
    remote.on("data", (chunk: Buffer) => this.#count(chunk.length));
    remote.pipe(client);
    client.pipe(remote);
    const end = (): void => {
      client.destroy();
      remote.destroy();
    };
    client.once("close", end);
    remote.once("close", end);
  }

  /** Plain HTTP in absolute form (RFC 9112 section 3.2.2). */
  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? "");
    if (url?.protocol !== "http:") {
      response.writeHead(400).end();
      return;
    }
    if (this.#overflowed || this.#isBlocked(url.hostname)) {
      response.writeHead(403, { "content-length": "0" }).end();
      return;
    }
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    try {
      const route = await this.#egress.route(url, {
        verifyTls: false,
        proxy: this.#options.proxy,
      });
      const answer = await route.dispatcher.request({
        origin: route.origin,
        path: route.path,
        method: request.method ?? "GET",
        headers: { ...buildOnwardHeaders(request.headers), host: url.host, ...route.headers },
        body: hasBody(request) ? request : null,
        signal: AbortSignal.any([gone.signal, this.#closing.signal]),
      });
      this.#failures.delete(formatAuthority(url.hostname, readPort(url)));
      answer.body.on("data", (chunk: Buffer) => this.#count(chunk.length));
      response.writeHead(answer.statusCode, buildOnwardHeaders(answer.headers));
      answer.body.on("error", () => response.destroy());
      answer.body.pipe(response);
    } catch (error) {
      if (!gone.signal.aborted) this.#remember(url.hostname, readPort(url), error);
      // A closed connection is an error in the browser; a response of ours would look like the
      // site's.
      response.destroy();
    }
  }

  #isBlocked(hostname: string): boolean {
    const isBlocked = this.#options.isBlocked?.(hostname) ?? false;
    if (isBlocked && (this.#blocked.has(hostname) || this.#blocked.size < MAX_BLOCKED_HOSTS))
      this.#blocked.set(hostname, (this.#blocked.get(hostname) ?? 0) + 1);
    return isBlocked;
  }

  #count(length: number): void {
    this.#bytes += length;
    if (this.#overflowed || this.#bytes <= this.#options.maxBytes) return;
    this.#overflowed = true;
    for (const socket of this.#sockets) socket.destroy();
    this.#closing.abort();
  }

  #hold(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  }

  #remember(hostname: string, port: number, error: unknown): void {
    const key = formatAuthority(hostname, port);
    this.#failures.delete(key);
    this.#failures.set(key, error);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_FAILURES && oldest !== undefined) this.#failures.delete(oldest);
  }
}

/** Connection-specific headers (RFC 9110 section 7.6.1). */
const HOP_BY_HOP = new Set([
  "connection",
  "proxy-connection",
  "proxy-authorization",
  "proxy-authenticate",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

type HeaderMap = Record<string, string | string[]>;

function buildOnwardHeaders(headers: NodeJS.Dict<string | string[]>): HeaderMap {
  const onward: HeaderMap = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !HOP_BY_HOP.has(name)) onward[name] = value;
  return onward;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

function refuseTunnel(socket: Duplex): void {
  socket.on("error", () => undefined);
  socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

function parseAuthority(text: string): { hostname: string; port: number } | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:/?#@\s]+):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[2]);
  if (match?.[1] === undefined || !(port <= 65_535)) return undefined;
  return { hostname: match[1], port };
}

const formatAuthority = (hostname: string, port: number): string =>
  `${hostname.toLowerCase()}:${port}`;
const readPort = (url: URL): number =>
  url.port === ""
    ? url.protocol === "https:" || url.protocol === "wss:"
      ? 443
      : 80
    : Number(url.port);

const readAddress = (server: Server): string => `http://127.0.0.1:${readServerPort(server)}`;

const readServerPort = (server: Server): number => (server.address() as AddressInfo).port;

async function listenOnLoopback(server: Server): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  server.off("error", reject);
  // An unclosed lane does not keep the process alive.
  server.unref();
}

async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
