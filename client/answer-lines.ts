// An answer that comes in lines: how far it is, and in the last one the answer itself.
import { decodeObject } from "./decode-object.ts";
import { ConnectionError } from "./errors.ts";
import type { ReadingProgress } from "./wire.ts";

export const LINES_MEDIA = "application/x-ndjson";

export type LastLine = {
  readonly status: number;
  readonly body: unknown;
  /** Seconds, as a Retry-After header would say. */
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
 * Reads to the last line. Throws what `onProgress` throws, the signal's reason once it is aborted, and a ConnectionError when
 * the lines break off before the answer.
 */
export async function readAnswerLines(
  response: Response,
  onProgress: (progress: ReadingProgress) => void,
  signal: AbortSignal | null | undefined,
): Promise<LastLine> {
  for await (const line of linesOf(response, signal)) {
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
  throw brokenOff();
}

/** Lines that are no JSON objects are passed over: a newer server may say more. */
async function* linesOf(
  response: Response,
  signal: AbortSignal | null | undefined,
): AsyncGenerator<Line> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  // A document may come in many parts: they are put together once, at the end of their line.
  let parts: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw signal?.aborted === true ? signal.reason : brokenOff(error);
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

const brokenOff = (cause?: unknown): ConnectionError =>
  new ConnectionError("CONNECTION_FAILED", "The answer broke off.", { cause });
