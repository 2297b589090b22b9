// Sends one request to a provider: through its own egress route, without redirects, bounded, and
// without the key in any message.
import type { Deadline } from "../../deadline.ts";
import type { Route } from "../../egress/dispatchers.ts";
import { LimitError, QuarryError, TargetError } from "../../errors.ts";

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const RETRY_AFTER_MS = 2_000;

export type Question = {
  readonly url: URL;
  /** Sent as JSON; without a body the request is a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Returns the parsed JSON answer of a provider. */
export type Ask = (question: Question, deadline: Deadline) => Promise<unknown>;

export type AskParts = {
  readonly name: string;
  readonly route: (url: URL) => Route | Promise<Route>;
};

/** Throws SEARCH_FAILED or SEARCH_BUSY. Errors never repeat the request. */
export function createAsk({ name, route }: AskParts): Ask {
  const fail = (what: string, cause?: unknown): TargetError =>
    new TargetError("SEARCH_FAILED", `The search provider ${name} ${what}.`, { cause });
  return async ({ url, body, headers }, deadline) => {
    try {
      const way = await deadline.race(Promise.resolve(route(url)));
      const answer = await way.dispatcher.request({
        origin: way.origin,
        path: way.path,
        method: body === undefined ? "GET" : "POST",
        headers: {
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
          ...way.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: deadline.signal,
      });
      const { statusCode } = answer;
      const text = await readText(answer.body);
      if (statusCode === 429)
        throw new LimitError(
          "SEARCH_BUSY",
          `The search provider ${name} is over its rate limit (429).`,
          {
            retryAfterMs: RETRY_AFTER_MS,
          },
        );
      if (statusCode === 401 || statusCode === 403)
        throw fail(
          `refused the request (${statusCode})${REFUSED[name] ?? ": check QUARRY_SEARCH_API_KEY"}`,
        );
      if (statusCode >= 300 && statusCode < 400)
        throw fail(`answered with a redirect (${statusCode}), which is not followed`);
      if (statusCode !== 200) throw fail(`answered ${statusCode}`);
      return parse(text) ?? Promise.reject(fail("did not answer with JSON"));
    } catch (error) {
      deadline.check();
      if (error instanceof QuarryError) {
        if (error.code === "SEARCH_FAILED" || error.code === "SEARCH_BUSY") throw error;
        throw fail(`could not be reached: ${error.message.replace(/\.$/, "")}`, error);
      }
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      throw fail(`could not be reached${code && ` (${code})`}`, error);
    }
  };
}

/** SearXNG answers 403 when its settings do not allow the JSON format. */
const REFUSED: Readonly<Record<string, string>> = {
  searxng: ": add json to search.formats in its settings",
};

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error("the answer is too large");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
