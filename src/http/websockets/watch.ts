// One WebSocket that reports the progress of a job: authorization, messages, and closing.
import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import type { Identity } from "../../account/identity.ts";
import type { ErrorCode } from "../../contract/request/error-codes.ts";
import { jobIdSchema } from "../../contract/request/identifier.ts";
import type { WatchMessage } from "../../contract/jobs/watch.ts";
import type { PageJobKind } from "../../crawl/job.ts";
import { InternalError, LimitError, QuarryError, RequestError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import { assertScope, readBearerKey, createUnauthorizedError } from "../middleware/authenticate.ts";
import { checkOrigin } from "../middleware/origin-guard.ts";
import type { Gatekeeper } from "../route.ts";

export type WatchOptions = {
  readonly id: string;
  /** The job must be of one of these kinds; any other counts as unknown. */
  readonly kinds: readonly PageJobKind[];
  readonly identity: Identity;
  /** Aborts when the last watcher has left. */
  readonly signal: AbortSignal;
};

/** A message as sent: JSON as text or UTF-8, with documents as stored. */
export type WatchFrame = {
  readonly type: WatchMessage["type"];
  readonly json: string | Uint8Array;
};

export const toFrame = (message: WatchMessage): WatchFrame => ({
  type: message.type,
  json: JSON.stringify(message),
});

/**
 * Follows a job: a catchup, then each later document exactly once, finally done or error. Pulled:
 * the next message is built when the previous one has left. Throws NOT_FOUND and FORBIDDEN at the
 * first pull.
 */
export type Watch = (options: WatchOptions) => AsyncIterable<WatchFrame>;

export type WatchTarget = { readonly id: string; readonly kinds: readonly PageJobKind[] };

export type WatchParts = {
  readonly watch: Watch;
  readonly gatekeeper: Gatekeeper;
  readonly log: Logger;
  /** A reader that takes nothing for this long is disconnected. */
  readonly stallMs?: number;
};

const STALL_MS = 60_000;

/**
 * Close codes that clients know (wire contract, section 17). The published watchers poll after any
 * of them. Rejecting the upgrade would end them instead.
 */
const CLOSE_CODES: Partial<Record<ErrorCode, number>> = {
  UNAUTHORIZED: 3000,
  FORBIDDEN: 3003,
  NOT_FOUND: 1008,
  BAD_REQUEST: 1008,
};
const TRY_AGAIN_LATER_CODE = 1013;
const INTERNAL_ERROR_CODE = 1011;
const NORMAL_CLOSURE_CODE = 1000;

/**
 * The old watcher parses the reason as JSON and treats known types as messages, so this type is
 * unknown to it.
 */
export const CLOSE_REASON = JSON.stringify({ type: "closed" });

/** Serves one accepted connection until the job or the connection ends; never rejects. */
export async function serveWatch(
  parts: WatchParts,
  socket: WebSocket,
  request: IncomingMessage,
  target: WatchTarget,
  requestId: string,
): Promise<void> {
  const ended = new AbortController();
  socket.once("close", () => ended.abort());
  // Connection errors also arrive as a close.
  socket.on("error", () => undefined);
  const stallMs = parts.stallMs ?? STALL_MS;
  try {
    const id = checkId(target.id);
    const identity = await authenticateWatch(request, socket, parts.gatekeeper);
    const options = { id, kinds: target.kinds, identity, signal: ended.signal };
    for await (const { type, json } of parts.watch(options)) {
      await send(socket, json, stallMs);
      if (type === "done" || type === "error") break;
    }
    socket.close(NORMAL_CLOSURE_CODE, CLOSE_REASON);
  } catch (error) {
    if (ended.signal.aborted) return;
    const fault = toFault(error, requestId);
    if (fault.code === INTERNAL_ERROR_CODE)
      parts.log.error({ err: error, reqId: requestId }, "job watch failed");
    const { json } = toFrame({ type: "error", error: fault.text });
    await send(socket, json, stallMs).catch(() => undefined);
    socket.close(fault.code, CLOSE_REASON);
  }
}

function checkId(text: string): string {
  const checked = jobIdSchema.safeParse(text);
  if (checked.success) return checked.data;
  throw new RequestError("BAD_REQUEST", checked.error.issues[0]?.message ?? "Invalid job ID");
}

/** The key comes as the subprotocol (browsers and the JavaScript client) or as a header. */
async function authenticateWatch(
  request: IncomingMessage,
  socket: WebSocket,
  gatekeeper: Gatekeeper,
): Promise<Identity> {
  if (gatekeeper.anonymous !== undefined) {
    checkOrigin(request);
    return await gatekeeper.anonymous();
  }
  const key =
    socket.protocol === "" ? readBearerKey(request.headers.authorization) : socket.protocol;
  const identity = await gatekeeper.verify(key);
  if (identity === undefined) throw createUnauthorizedError("Unauthorized: Invalid token");
  assertScope(identity, "jobs");
  await gatekeeper.rate.take(identity, "read");
  return identity;
}

/**
 * Settles when the message has left this process, so that a slow reader slows down the messages
 * instead of filling memory. Rejects when the connection is gone or takes nothing for `stallMs`.
 */
async function send(socket: WebSocket, json: WatchFrame["json"], stallMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    socket.terminate();
    reject(new Error("the reader does not read"));
  }, stallMs);
  socket.send(json, { binary: false }, (error) => {
    if (error === undefined || error === null) resolve();
    else reject(error);
  });
  await promise.finally(() => clearTimeout(timer));
}

function toFault(error: unknown, requestId: string): { code: number; text: string } {
  if (error instanceof LimitError) return { code: TRY_AGAIN_LATER_CODE, text: error.message };
  if (error instanceof QuarryError && !(error instanceof InternalError))
    return { code: CLOSE_CODES[error.code] ?? INTERNAL_ERROR_CODE, text: error.message };
  const text = `An unexpected error occurred. Find it in the log by request id ${requestId}.`;
  return { code: INTERNAL_ERROR_CODE, text };
}
