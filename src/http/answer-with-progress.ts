// Long answers for callers whose Accept names application/x-ndjson: progress lines, then one line
// with the answer. Everything uses the caller's connection, so it does not matter which process
// answers.
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { PROGRESS_MEDIA, type ReadingProgress } from "../contract/page/progress.ts";
import type { ProgressListener } from "../engines/document.ts";
import { toJsonBytes, withMember } from "../runtime/json-bytes.ts";
import { answerError, type ErrorAnswer } from "./middleware/on-error.ts";
import type { Call } from "./route.ts";

/** Builds the body of a success, as JSON without line breaks. */
type Work = (reading: ProgressListener | undefined) => Promise<Buffer>;

type AnswerEnding = { readonly body: Buffer } | { readonly error: Error };

const JSON_TYPE = "application/json; charset=utf-8";
const LINES_TYPE = `${PROGRESS_MEDIA}; charset=utf-8`;
/** Faster files report no progress. */
const INTERVAL_MS = 500;

/** Sends one body, or lines if requested. A failure before the first line has its own status. */
export async function answerWithProgress(
  call: Pick<Call, "request" | "reply">,
  work: Work,
): Promise<Buffer | Readable> {
  const { request, reply } = call;
  if (!wantsLines(request.headers.accept)) {
    const body = await work(undefined);
    reply.type(JSON_TYPE);
    return body;
  }
  const queue = new ProgressQueue();
  const ended = settle(
    work({ onProgress: (progress) => queue.recordProgress(progress), everyMs: INTERVAL_MS }),
  );
  const first = await Promise.race([ended, queue.waitForNext()]);
  if (first !== undefined && "error" in first) throw first.error;
  // Otherwise a proxy may buffer the lines.
  reply.type(LINES_TYPE).header("x-accel-buffering", "no");
  if (first !== undefined) return toLastLine({ status: 200 }, first.body);
  const onFailure = (error: Error): ErrorAnswer => {
    const answer = answerError(error, request);
    // The status line was sent; the outcome is logged and counted.
    reply.raw.statusCode = answer.status;
    return answer;
  };
  return Readable.from(toLines(queue, ended, onFailure), { objectMode: false });
}

/**
 * True if Accept names lines and does not prefer JSON (RFC 9110, 12.5.1). Wildcards do not count.
 */
function wantsLines(accept: FastifyRequest["headers"]["accept"]): boolean {
  const weights = new Map<string, number>();
  for (const part of (accept ?? "").toLowerCase().split(",")) {
    const [media = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2);
    weights.set(media, weight === undefined ? 1 : Number(weight));
  }
  const lines = weights.get(PROGRESS_MEDIA) ?? 0;
  return lines > 0 && lines >= (weights.get("application/json") ?? 0);
}

const settle = (work: Promise<Buffer>): Promise<AnswerEnding> =>
  work.then(
    (body) => ({ body }),
    (error: unknown) => ({ error: error instanceof Error ? error : new Error(String(error)) }),
  );

/** The latest unsent progress: a slow reader misses reports instead of filling memory. */
class ProgressQueue {
  #latest: ReadingProgress | undefined;
  #wake: () => void = () => undefined;

  recordProgress({ pagesDone, pagesWanted }: ReadingProgress): void {
    this.#latest = { pagesDone, pagesWanted };
    this.#wake();
  }

  take(): ReadingProgress | undefined {
    const latest = this.#latest;
    this.#latest = undefined;
    return latest;
  }

  /** Resolves when there is something to take. */
  async waitForNext(): Promise<undefined> {
    if (this.#latest === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

async function* toLines(
  queue: ProgressQueue,
  ended: Promise<AnswerEnding>,
  onFailure: (error: Error) => ErrorAnswer,
): AsyncGenerator<string | Buffer> {
  let ending: AnswerEnding | undefined;
  while (ending === undefined) {
    const progress = queue.take();
    if (progress !== undefined) yield `${JSON.stringify({ type: "progress", ...progress })}\n`;
    ending = await Promise.race([ended, queue.waitForNext()]);
  }
  if ("body" in ending) yield toLastLine({ status: 200 }, ending.body);
  else {
    const { body, ...head } = onFailure(ending.error);
    yield toLastLine(head, toJsonBytes(body));
  }
}

const toLastLine = (head: Omit<ErrorAnswer, "body">, body: Buffer): Buffer =>
  Buffer.concat([withMember({ type: "answer", ...head }, "body", body), Buffer.from("\n")]);
