// The live view of a session: its page, and the WebSocket for the pictures. The token in the URL
// grants access.
import type { FastifyInstance } from "fastify";
import { WebSocketServer, type WebSocket } from "ws";
import { RequestError } from "../../errors.ts";
import { openDevTools } from "../../interact/devtools.ts";
import { Screen, type Viewer } from "../../interact/screen.ts";
import type { LiveSession } from "../../interact/session.ts";
import type { Sessions } from "../../interact/sessions.ts";
import type { Logger } from "../../logger.ts";
import { buildLivePage } from "./live-page.ts";
import { findLiveTarget, SCREEN_PROTOCOL } from "./upgrades.ts";

export type LiveParts = {
  readonly sessions: Sessions;
  /** True if pages may be controlled over the DevTools protocol. */
  readonly cdp: boolean;
  readonly log: Logger;
};

/** Uploaded files are in one message. */
const MAX_INPUT_BYTES = 8 * 1024 * 1024;
const MAX_COMMAND_BYTES = 4 * 1024 * 1024;
const MAX_VIEWERS = 200;
/** A viewer with this much unsent data misses pictures. */
const BACKLOG_BYTES = 1_000_000;
const DRIVER_BACKLOG_BYTES = 64 * 1024 * 1024;
const MAX_COMMANDS = 500;
const TRY_AGAIN_LATER_CODE = 1013;
const GOING_AWAY_CODE = 1001;
const POLICY_VIOLATION_CODE = 1008;
const INTERNAL_ERROR_CODE = 1011;

/** Serves page and pictures until the server closes. */
export function serveLive(server: FastifyInstance, { sessions, cdp, log }: LiveParts): void {
  const screens = new WeakMap<LiveSession, Screen>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_INPUT_BYTES,
    perMessageDeflate: false,
    // Answers with the name only: a token in a header would be logged by proxies.
    handleProtocols: (offered) => (offered.has(SCREEN_PROTOCOL) ? SCREEN_PROTOCOL : false),
  });
  server.get("/live/:token", async (request, reply) => {
    const { token } = request.params as { readonly token: string };
    const session = sessions.findByToken(token, "view");
    if (session?.facts.streamWebView !== true)
      throw new RequestError(
        "NOT_FOUND",
        "There is no such live view; its session may have ended.",
      );
    const { html, policy } = buildLivePage(session.tokens.control === token);
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
    const target = findLiveTarget(request);
    if (target === undefined) return;
    const { token, devTools } = target;
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on("error", () => undefined);
      if (sockets.clients.size > MAX_VIEWERS) return socket.close(TRY_AGAIN_LATER_CODE);
      const session = sessions.findByToken(token, devTools ? "cdp" : "view");
      if (session === undefined) return socket.close(POLICY_VIOLATION_CODE);
      if (devTools)
        return cdp ? connectViewer(socket, session, log) : socket.close(POLICY_VIOLATION_CODE);
      if (!session.facts.streamWebView) return socket.close(POLICY_VIOLATION_CODE);
      const screen = screens.get(session) ?? new Screen(session, log);
      screens.set(session, screen);
      show(socket, screen, session.tokens.control === token);
    });
  });
  server.addHook("preClose", async () => {
    for (const socket of sockets.clients) socket.close(GOING_AWAY_CODE);
    setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate();
    }, 500).unref();
  });
}

function show(socket: WebSocket, screen: Screen, control: boolean): void {
  const viewer: Viewer = {
    onFrame: (jpeg) => socket.send(jpeg, { binary: true }, () => undefined),
    ...(socket.protocol === SCREEN_PROTOCOL && {
      onReport: (report) => socket.send(JSON.stringify(report), () => undefined),
    }),
    onEnd: () => socket.close(GOING_AWAY_CODE),
    isReady: () => socket.readyState === socket.OPEN && socket.bufferedAmount < BACKLOG_BYTES,
  };
  const leave = screen.watch(viewer);
  socket.once("close", leave);
  if (!control) return;
  socket.on("message", (data, isBinary) => {
    if (!isBinary && Buffer.isBuffer(data)) void screen.applyInput(data.toString("utf8"), viewer);
  });
}

/** Pending commands are limited, so that a client cannot pile up work. */
function connectViewer(socket: WebSocket, session: LiveSession, log: Logger): void {
  const opened = openDevTools(session, (text) => {
    // Disconnects a client that does not read its answers.
    if (socket.bufferedAmount > DRIVER_BACKLOG_BYTES) socket.terminate();
    else socket.send(text, () => undefined);
  });
  opened.catch((error: unknown) => {
    log.debug({ err: error }, "failed to open the DevTools of a page");
    socket.close(INTERNAL_ERROR_CODE);
  });
  let waiting = 0;
  socket.on("message", (data) => {
    if (!Buffer.isBuffer(data)) return;
    if (data.length > MAX_COMMAND_BYTES) return socket.terminate();
    if (++waiting > MAX_COMMANDS) return socket.terminate();
    const text = data.toString("utf8");
    void opened
      .then((devTools) => devTools.receive(text))
      .catch(() => undefined)
      .finally(() => waiting--);
  });
  socket.once(
    "close",
    () => void opened.then((devTools) => devTools.close()).catch(() => undefined),
  );
  const watch = setInterval(() => {
    if (session.ended) socket.close(GOING_AWAY_CODE);
  }, 1_000);
  socket.once("close", () => clearInterval(watch));
}
