// The live view of a session: its page, and the WebSocket the pictures come by. The token in the address is the right.
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { WebSocketServer, type WebSocket } from "ws";
import { RequestError } from "../errors.ts";
import { Screen } from "../interact/screen.ts";
import type { LiveSession } from "../interact/session.ts";
import type { Sessions } from "../interact/sessions.ts";
import type { Logger } from "../log.ts";
import { livePage } from "./live-page.ts";

export type LiveParts = { readonly sessions: Sessions; readonly log: Logger };

const SCREEN = /^\/live\/([\w-]{43})\/screen(?:[?#]|$)/;
const MAX_INPUT_BYTES = 4_096;
const MAX_VIEWERS = 200;
/** A viewer that has so much unsent misses pictures. */
const BACKLOG_BYTES = 1_000_000;
const TRY_AGAIN_LATER = 1013;
const GOING_AWAY = 1001;
const UNKNOWN = 1008;

const tokenOf = (request: IncomingMessage): string | undefined =>
  SCREEN.exec(request.url ?? "")?.[1];

/** Is this a WebSocket for the pictures of a session? */
export function isLiveUpgrade(request: IncomingMessage): boolean {
  return (
    request.method === "GET" &&
    request.headers.upgrade?.toLowerCase() === "websocket" &&
    tokenOf(request) !== undefined
  );
}

/** Serves page and pictures until the server closes. */
export function serveLive(server: FastifyInstance, { sessions, log }: LiveParts): void {
  const screens = new WeakMap<LiveSession, Screen>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_INPUT_BYTES,
    perMessageDeflate: false,
  });
  server.get("/live/:token", { schema: { hide: true } }, async (request, reply) => {
    const { token } = request.params as { readonly token: string };
    const session = sessions.byToken(token, "view");
    if (session?.facts.streamWebView !== true)
      throw new RequestError(
        "NOT_FOUND",
        "There is no such live view; its session may have ended.",
      );
    const { html, policy } = livePage(session.tokens.control === token);
    reply.headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    return html;
  });
  server.server.on("upgrade", (request, stream, head) => {
    const token = tokenOf(request);
    if (token === undefined) return;
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on("error", () => undefined);
      const session = sessions.byToken(token, "view");
      if (session?.facts.streamWebView !== true) return socket.close(UNKNOWN);
      if (sockets.clients.size > MAX_VIEWERS) return socket.close(TRY_AGAIN_LATER);
      const screen = screens.get(session) ?? new Screen(session, log);
      screens.set(session, screen);
      show(socket, screen, session.tokens.control === token);
    });
  });
  server.addHook("preClose", async () => {
    for (const socket of sockets.clients) socket.close(GOING_AWAY);
    setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate();
    }, 500).unref();
  });
}

function show(socket: WebSocket, screen: Screen, control: boolean): void {
  const leave = screen.watch({
    onFrame: (jpeg) => socket.send(jpeg, { binary: true }, () => undefined),
    onEnd: () => socket.close(GOING_AWAY),
    isReady: () => socket.readyState === socket.OPEN && socket.bufferedAmount < BACKLOG_BYTES,
  });
  socket.once("close", leave);
  if (!control) return;
  socket.on("message", (data, isBinary) => {
    if (!isBinary && Buffer.isBuffer(data)) void screen.control(data.toString("utf8"));
  });
}
