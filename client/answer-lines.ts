// NDJSON answers: progress lines, and the answer in the last one.
import { decodeObject } from "./decode-object.ts";
import { ConnectionError } from "./errors.ts";
import type { ReadingProgress } from "./wire.ts";

export const LINES_MEDIA = "application/x-ndjson";

export type LastLine = {
  readonly status: number;
  readonly body: unknown;
  /** Seconds, like a Retry-After header. */
  readonly retryAfter: string | null;
};

type Line = { readonly type?: unknown } & Partial<ReadingProgress> & {
    readonly status?: unknown;
    readonly body?: unknown;
    readonly retryAfter?: number;
  };

export const isInLines = (response: Response): boolean =>
  response.ok && (response.headers.get("content-type") ?? "").startsWith(LINES_MEDIA);

/**
 * Reads to the last line. Throws what `onProgress` throws, the abort reason of the signal, and
 * ConnectionError when the lines break off.
 */
export async function readAnswerLines(
  response: Response,
  onProgress: (progress: ReadingProgress) => void,
  signal: AbortSignal | null | undefined,
): Promise<LastLine> {
  for await (const line of readLines(response, signal)) {
    if (line.type === "progress") {
      const { pagesDone = 0, pagesWanted = 0 } = line;
      onProgress({ pagesDone, pagesWanted });
    } else if (line.type === "answer") {
      const { status, body, retryAfter } = line;
      return {
        status: Number(status),
        body,
        retryAfter: retryAfter === undefined ? null : String(retryAfter),
      };
    }
  }
  throw createBrokenOffError();
}

/** Skips lines that are not JSON objects, which a newer server may send. */
async function* readLines(
  response: Response,
  signal: AbortSignal | null | undefined,
): AsyncGenerator<Line> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  // Chunks of a document are joined once at the end of its line.
  let parts: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw signal?.aborted === true ? signal.reason : createBrokenOffError(error);
      });
      signal?.throwIfAborted();
      if (done) break;
      const [rest = "", ...next] = decoder.decode(value, { stream: true }).split("\n");
      parts.push(rest);
      for (const text of next) {
        const line = decodeObject<Line>(parts.join(""));
        parts = [text];
        if (line !== undefined) yield line;
      }
    }
    const last = decodeObject<Line>(parts.join(""));
    if (last !== undefined) yield last;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const createBrokenOffError = (cause?: unknown): ConnectionError =>
  new ConnectionError("CONNECTION_FAILED", "The answer broke off.", { cause });
