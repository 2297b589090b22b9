// Sends the request of the playground and classifies the response.
import { call, send, toApiError } from "../../data/api.ts";
import type { ListAnswer } from "./list-result.ts";
import { buildBody, type Given, type Mode } from "./modes.ts";
import type { ScrapeAnswer } from "./scrape-answer.ts";

export type Outcome =
  | {
      readonly kind: "page";
      readonly answer: ScrapeAnswer;
      /** Undefined for an earlier scrape. */
      readonly ms: number | undefined;
      readonly request: Readonly<Record<string, unknown>> | undefined;
    }
  | { readonly kind: "list"; readonly answer: ListAnswer; readonly ms: number }
  | { readonly kind: "job"; readonly path: string };

export type Request = Given & { readonly mode: Mode };

const EXPLAIN = { "x-quarry-explain": "overlay" };

const JOB_SCREENS: Readonly<Partial<Record<Mode["id"], string>>> = {
  crawl: "/console/jobs/crawl/",
  batch: "/console/jobs/batch/",
  extract: "/console/jobs/extract/",
  agent: "/console/agents/",
};

async function sendPage(
  request: Request,
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ScrapeAnswer> {
  const { mode, file } = request;
  let content: FormData | Record<string, unknown> = body;
  if (mode.field === "file") {
    if (file === undefined) throw new Error("Choose a file first.");
    content = new FormData();
    content.set("options", JSON.stringify(body));
    content.set("file", file, file.name);
  }
  const response = await send("POST", mode.path, { body: content, headers: EXPLAIN, signal });
  if (response.ok) return (await response.json()) as ScrapeAnswer;
  throw await toApiError(response);
}

/** Throws ApiError with the API's text. */
export async function runRequest(request: Request, signal: AbortSignal): Promise<Outcome> {
  const { mode, subject, options } = request;
  const body = buildBody(mode, subject, options);
  const started = performance.now();
  if (mode.outcome === "page") {
    const answer = await sendPage(request, body, signal);
    // Uploaded files are not stored, so they cannot be replayed.
    return {
      kind: "page",
      answer,
      ms: performance.now() - started,
      request: mode.field === "file" ? undefined : body,
    };
  }
  const answer = await call<ListAnswer>("POST", mode.path, { body, signal });
  if (mode.outcome === "list") return { kind: "list", answer, ms: performance.now() - started };
  const { id } = answer;
  if (typeof id !== "string") throw new Error("The server started no job.");
  return {
    kind: "job",
    path: `${JOB_SCREENS[mode.id] ?? "/console/jobs/"}${encodeURIComponent(id)}`,
  };
}
