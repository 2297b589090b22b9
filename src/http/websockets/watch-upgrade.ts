// Upgrades a request on the status URL of a job to a WebSocket.
import type { FastifyInstance } from "fastify";
import { WebSocketServer, type WebSocket } from "ws";
import { chooseRequestId } from "../middleware/request-id.ts";
import { findLiveTarget, findWatchTarget } from "./upgrades.ts";
import { CLOSE_REASON, serveWatch, type WatchParts } from "./watch.ts";

/** Messages from watchers are ignored; a larger one closes the connection. */
const MAX_INCOMING_BYTES = 4_096;
const MAX_WATCHERS = 1_000;
const PING_MS = 30_000;
const CLOSE_TIMEOUT_MS = 1_000;
const TRY_AGAIN_LATER_CODE = 1013;
const GOING_AWAY_CODE = 1001;

export type WatchServerParts = WatchParts & { readonly pingMs?: number };

/** Accepts watchers until the server closes, and then disconnects them. */
export function serveWatches(server: FastifyInstance, parts: WatchServerParts): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_INCOMING_BYTES,
    perMessageDeflate: false,
    // A client drops the connection when its subprotocol, which is its key, is not echoed.
    handleProtocols: ([first]) => first ?? false,
  });
  server.server.on("upgrade", (request, stream, head) => {
    const target = findWatchTarget(request.url);
    if (target === undefined) {
      if (findLiveTarget(request) === undefined) stream.destroy();
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      if (sockets.clients.size > MAX_WATCHERS) {
        socket.close(TRY_AGAIN_LATER_CODE, CLOSE_REASON);
        return;
      }
      keepAlive(socket, parts.pingMs ?? PING_MS);
      const id = chooseRequestId(request.headers["x-request-id"]);
      void serveWatch(parts, socket, request, target, id);
    });
  });
  server.addHook("preClose", () => closeSockets(sockets));
}

/** Detects dead readers: two unanswered pings in a row end the connection. */
function keepAlive(socket: WebSocket, pingMs: number): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered >= 2) socket.terminate();
    else socket.ping();
    unanswered++;
  }, pingMs);
  socket.on("pong", () => {
    unanswered = 0;
  });
  socket.once("close", () => clearInterval(timer));
}

async function closeSockets(sockets: WebSocketServer): Promise<void> {
  const closed = [...sockets.clients].map(async (socket) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.once("close", () => resolve());
    const timer = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
    socket.close(GOING_AWAY_CODE, CLOSE_REASON);
    await promise;
    clearTimeout(timer);
  });
  await Promise.all(closed);
}
