// The attacking sites: any number of pages on one address, each with its own handler.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOn } from "./listen.ts";

export type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export type Page = {
  readonly url: string;
  /** Requests to the page and below it so far. */
  readonly requests: () => number;
};

export type HostileSite = AsyncDisposable & {
  readonly origin: string;
  /** A page of ordinary text that every server can read. */
  readonly goodPage: Page;
  /** Serves a new path with everything below it. */
  readonly serve: (name: string, handle: Handle | string) => Page;
  /** Serves one exact path, such as /robots.txt, until the case ends. */
  readonly serveExact: (path: string, handle: Handle | string) => Page;
  /** Removes the pages of the last case and closes their connections. */
  readonly reset: () => void;
};

export const GOOD_WORDS = "The ferry to Lundey leaves at seven";
const GOOD_PAGE = `<!doctype html><html lang="en"><head><title>Ferries</title></head><body><main><h1>Ferries</h1>
<p>${GOOD_WORDS} every morning and comes back in the evening. Tickets are sold at the harbour office from six.</p>
<p>In winter the boat waits for the mail, so that passengers should allow for half an hour more.</p></main></body></html>`;

/** Opens the site on a free port of `address`. Close it with `await using`. */
export async function openHostileSite(address: string): Promise<HostileSite> {
  const handlers = new Map<string, { handle: Handle; count: number }>();
  let serial = 0;
  const find = (path: string) => {
    const exact = handlers.get(path);
    if (exact !== undefined) return exact;
    const [, first = ""] = path.split("/");
    return handlers.get(`/${first}/`);
  };
  const server = createServer({ keepAliveTimeout: 1_000 }, (request, response) => {
    const found = find((request.url ?? "").split("?", 1)[0] ?? "");
    response.on("error", () => response.destroy());
    if (found === undefined) {
      response.writeHead(404, { "content-type": "text/plain" }).end("Not here.");
      return;
    }
    found.count += 1;
    Promise.resolve(found.handle(request, response)).catch(() => response.destroy());
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  const port = await listenOn(server, address);
  const origin = `http://${address}:${port}`;
  const add = (path: string, handle: Handle | string): Page => {
    const entry = { handle: typeof handle === "string" ? sendHtml(handle) : handle, count: 0 };
    handlers.set(path, entry);
    return { url: origin + path, requests: () => entry.count };
  };
  const goodPage = add("/good", GOOD_PAGE);
  return {
    origin,
    goodPage,
    // A path that was never used before, so no answer comes from a cache.
    serve: (name, handle) => add(`/${name}-${process.pid}-${++serial}/`, handle),
    serveExact: add,
    reset() {
      for (const path of handlers.keys()) if (path !== "/good") handlers.delete(path);
      server.closeAllConnections();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      await promise;
    },
  };
}

const sendHtml =
  (html: string): Handle =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
  };

/**
 * Sends chunks until the reader disconnects or `make` returns nothing; resolves to the bytes sent.
 */
export async function streamChunks(
  response: ServerResponse,
  make: (index: number) => Uint8Array | string | undefined,
): Promise<number> {
  let sent = 0;
  for (let index = 0; !response.destroyed; index++) {
    const chunk = make(index);
    if (chunk === undefined) break;
    sent += chunk.length;
    if (response.write(chunk)) continue;
    const { promise, resolve } = Promise.withResolvers<void>();
    const go = (): void => resolve();
    response.once("drain", go).once("close", go);
    await promise;
    response.off("drain", go).off("close", go);
  }
  if (!response.destroyed) response.end();
  return sent;
}
