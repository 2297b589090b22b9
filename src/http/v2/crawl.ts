import type { CrawlOptions } from "../../contract/jobs/crawl.ts";
import {
  crawlPreviewRequestSchema,
  type CrawlPreviewRequest,
} from "../../contract/jobs/crawl-preview.ts";
import type { Crawls } from "../../crawl/job.ts";
import { readBodyOfGet } from "../middleware/body.ts";
import { checkAgainst, type Call, type Handlers } from "../route.ts";
import { toActiveBody } from "./job-status.ts";
import { createJobFileHandlers } from "./job-files.ts";
import { toJobCaller, createJobHandlers, type JobRouteParts } from "./jobs.ts";

const PATH = "/v2/crawl";

export function createCrawlHandlers(parts: JobRouteParts<Crawls>): Handlers {
  const listActive = async ({ identity }: Call) =>
    toActiveBody(await (await parts.jobs()).active(identity));
  const preview = async (body: CrawlPreviewRequest, { identity, request, signal }: Call) => {
    const jobs = await parts.jobs();
    const { url, proposal } = await jobs.previewCrawl(body, {
      identity,
      requestId: request.id,
      signal,
    });
    const { options, warnings, understood, notUnderstood, readBy, known } = proposal;
    return {
      success: true,
      data: { url, ...(isPython(body.origin) ? toWholeSeconds(options) : options) },
      understood,
      notUnderstood,
      readBy,
      ...(known && { known }),
      ...(warnings.length > 0 && { warning: warnings.join(" ") }),
    };
  };
  return {
    "POST /v2/crawl": async (call: Call<CrawlOptions>) => {
      const { id, warning, prompt } = await (
        await parts.jobs()
      ).start(call.body, {
        ...toJobCaller(call, parts.address),
        given: listGivenFields(call.request.body),
        signal: call.signal,
      });
      return {
        success: true,
        id,
        url: parts.address(call.request, `${PATH}/${id}`),
        ...(prompt && {
          promptGeneratedOptions: prompt.generated,
          finalCrawlerOptions: prompt.final,
        }),
        ...(warning === undefined ? {} : { warning }),
      };
    },
    "POST /v2/crawl/params-preview": async (call: Call<CrawlPreviewRequest>) =>
      await preview(call.body, call),
    "GET /v2/crawl/params-preview": async (call: Call<undefined, Partial<CrawlPreviewRequest>>) => {
      const body = await readBodyOfGet(call.request);
      return await preview(
        checkAgainst(crawlPreviewRequestSchema, { ...body, ...call.query }),
        call,
      );
    },
    "GET /v2/crawl/active": listActive,
    "GET /v2/crawl/ongoing": listActive,
    ...createJobHandlers(PATH, parts),
    ...createJobFileHandlers(PATH, parts),
  };
}

const isPython = (origin: string): boolean => origin.startsWith("python-sdk@");

/** The published Python client accepts no fractions of a second; rounding up is more polite. */
function toWholeSeconds<Options extends { readonly delay?: unknown }>(options: Options): Options {
  const { delay } = options;
  return typeof delay === "number" ? { ...options, delay: Math.ceil(delay) } : options;
}

/** Fields of the body that are set. */
function listGivenFields(body: unknown): ReadonlySet<string> {
  const entries = Object.entries((body ?? {}) as Readonly<Record<string, unknown>>);
  return new Set(entries.flatMap(([name, value]) => (value === null ? [] : [name])));
}
