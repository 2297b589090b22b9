// The server under test, over the API of the family.
import { GOOD_WORDS, type HostileSite } from "./hostile-site.ts";

export type Reply = {
  /** 0 without an answer. */
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The document of a scrape, or empty. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly ms: number;
  /** Reason for a missing answer: the network's error code, or "timeout". */
  readonly fault: string | undefined;
};

export type Target = {
  readonly url: string;
  readonly post: (path: string, body: object, timeoutMs: number) => Promise<Reply>;
  readonly get: (path: string, timeoutMs: number) => Promise<Reply>;
  /**
   * POST /v2/scrape of a page that must not come from a cache; waits a little longer than
   * `timeoutMs`.
   */
  readonly scrape: (url: string, options?: object, timeoutMs?: number) => Promise<Reply>;
  /** Returns why the good page cannot be read within the time limit; undefined when it can. */
  readonly explainNotAlive: (timeoutMs?: number) => Promise<string | undefined>;
};

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Extra time beyond the scrape's timeout for the server to answer. */
export const GRACE_MS = 10_000;
const ALIVE_MS = 20_000;

export function connectToTarget(
  base: string,
  key: string | undefined,
  site: Pick<HostileSite, "goodPage">,
): Target {
  const url = base.replace(/\/+$/, "");
  const ask = async (
    method: string,
    path: string,
    body: object | undefined,
    timeoutMs: number,
  ): Promise<Reply> => {
    const from = performance.now();
    const measureMs = (): number => Math.round(performance.now() - from);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url + path, {
        method,
        signal,
        headers: {
          // A connection that is closed while this process builds an attack would count as no
          // answer.
          connection: "close",
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await readBounded(response);
      const parsed = parse(text);
      return {
        status: response.status,
        text,
        body: parsed,
        data: (parsed["data"] ?? {}) as Reply["data"],
        ms: measureMs(),
        fault: undefined,
      };
    } catch (error) {
      const fault = signal.aborted ? "timeout" : readCode(error);
      return { status: 0, text: "", body: {}, data: {}, ms: measureMs(), fault };
    }
  };
  const post: Target["post"] = async (path, body, timeoutMs) =>
    await ask("POST", path, body, timeoutMs);
  const scrape: Target["scrape"] = async (page, options = {}, timeoutMs = 15_000) =>
    await post(
      "/v2/scrape",
      { url: page, maxAge: 0, timeout: timeoutMs, formats: ["markdown"], ...options },
      timeoutMs + GRACE_MS,
    );
  return {
    url,
    post,
    get: async (path, timeoutMs) => await ask("GET", path, undefined, timeoutMs),
    scrape,
    async explainNotAlive(timeoutMs = ALIVE_MS) {
      const reply = await scrape(`${site.goodPage.url}?${performance.now()}`, {}, timeoutMs);
      if (reply.status === 200 && String(reply.data["markdown"]).includes(GOOD_WORDS))
        return undefined;
      return `the good page was not read afterwards: ${describeReply(reply)}`;
    },
  };
}

/** Describes status, error and time of a reply in a few words. */
export function describeReply({ status, body, fault, ms }: Reply): string {
  if (fault !== undefined) return `no answer (${fault}) after ${ms} ms`;
  const error = typeof body["error"] === "string" ? ` "${body["error"].slice(0, 160)}"` : "";
  return `status ${status}${error} after ${ms} ms`;
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES)
      throw Object.assign(new Error("too long"), { code: "ANSWER_TOO_LONG" });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function readCode(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
  return String(code ?? message);
}
