// Live updates of a job: over a WebSocket if available (wire contract, section 17), then by paging.
import { decodeObject } from "./decode-object.ts";
import type { Document, JobState, JobStatus } from "./wire.ts";

export type JobUpdate =
  | { readonly type: "status"; readonly status: JobState }
  | { readonly type: "document"; readonly document: Document };

/** The part of a WebSocket that is used. */
export type Socket = {
  addEventListener(
    type: "message" | "close" | "error",
    listener: (event: { readonly data?: unknown }) => void,
  ): void;
  close(): void;
};

/** Opens a WebSocket; may throw. */
export type OpenSocket = (url: string, protocols: string[]) => Socket;

/** The runtime's own WebSocket, if it has one. */
export function findSocketOpener(): OpenSocket | undefined {
  const { WebSocket: Found } = globalThis as {
    WebSocket?: new (url: string, protocols: string[]) => Socket;
  };
  return Found === undefined ? undefined : (url, protocols) => new Found(url, protocols);
}

/** A slower reader gets the rest by paging, so that unread documents do not fill the memory. */
const MAX_UNREAD_CHARACTERS = 32 * 1024 * 1024;

/** A dropped connection looks like an idle one; paging detects it. */
const SILENCE_MS = 60_000;

type Message = { readonly type?: unknown; readonly data?: unknown };

/** Messages of a job's WebSocket until its last message, or until it closes, fails or stalls. */
async function* readMessages(
  socket: Socket,
  signal: AbortSignal | undefined,
): AsyncGenerator<Message> {
  const queue: string[] = [];
  let unread = 0;
  let isOver = false;
  let wake = (): void => undefined;
  const end = (): void => {
    isOver = true;
    wake();
  };
  socket.addEventListener("message", ({ data }) => {
    if (isOver) return;
    const text = String(data);
    queue.push(text);
    unread += text.length;
    if (unread > MAX_UNREAD_CHARACTERS) end();
    else wake();
  });
  socket.addEventListener("close", end);
  socket.addEventListener("error", end);
  signal?.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      const text = queue.shift();
      if (text !== undefined) {
        unread -= text.length;
        const message = decodeObject<Message>(text);
        if (message === undefined) return;
        yield message;
        continue;
      }
      if (isOver) return;
      const timer = setTimeout(end, SILENCE_MS);
      await new Promise<void>((resolve) => (wake = resolve));
      clearTimeout(timer);
    }
  } finally {
    signal?.removeEventListener("abort", end);
    isOver = true;
    socket.close();
  }
}

/**
 * Reads a job's WebSocket: its state once, then its documents in order of completion, without a
 * gap. Ends when the connection ends, for any reason. To continue, skip as many results as were
 * yielded.
 */
export async function* watchSocket(
  socket: Socket,
  signal: AbortSignal | undefined,
): AsyncGenerator<JobUpdate> {
  for await (const { type, data } of readMessages(socket, signal)) {
    if (type === "catchup") {
      const { data: documents, next: _, ...status } = data as JobStatus;
      yield { type: "status", status: status as JobState };
      for (const document of documents) yield { type: "document", document };
    } else if (type === "document") {
      yield { type: "document", document: data as Document };
    } else if (type === "done" || type === "error") {
      return;
    }
  }
}
