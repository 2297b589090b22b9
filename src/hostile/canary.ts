// A server on addresses that the target must not reach. Every connection is counted, with or
// without data.
import { createServer, type Server, type Socket } from "node:net";
import { listenOn } from "./listen.ts";

export type Canary = AsyncDisposable & {
  readonly port: number;
  readonly url: string;
  /** Requests since the last reset: their first lines, or "connection" when nothing was sent. */
  readonly hits: () => readonly string[];
  readonly reset: () => void;
};

const MAX_HITS = 1_000;

/** Listens on one port of 127.0.0.1, and of ::1 if available. Close it with `await using`. */
export async function openCanary(): Promise<Canary> {
  const hits: string[] = [];
  const sockets = new Set<Socket>();
  const receive = (socket: Socket): void => {
    const index = hits.length;
    if (index < MAX_HITS) hits.push("connection");
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.once("data", (chunk) => {
      if (index < MAX_HITS) hits[index] = chunk.toString("latin1").split("\r\n", 1)[0] ?? "";
      socket.end(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n<p>The canary was reached.</p>",
      );
    });
  };
  const server = createServer(receive);
  const port = await listenOn(server, "127.0.0.1");
  const other = await listenBeside(port, receive);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    hits: () => [...hits],
    reset: () => void hits.splice(0),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([server, other].map(async (each) => await closeServer(each)));
    },
  };
}

async function listenBeside(
  port: number,
  receive: (socket: Socket) => void,
): Promise<Server | undefined> {
  const server = createServer(receive);
  const { promise, resolve } = Promise.withResolvers<Server | undefined>();
  server.once("error", () => resolve(undefined));
  server.listen(port, "::1", () => resolve(server));
  return await promise;
}

async function closeServer(server: Server | undefined): Promise<void> {
  if (server === undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  await promise;
}
