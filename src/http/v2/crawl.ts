import type { CrawlOptions } from "../../contract/crawl.ts";
import type { Crawls } from "../../crawl/job.ts";
import type { Call, Handlers } from "../route.ts";
import { toActiveBody } from "./job-status.ts";
import { jobCaller, jobHandlers, type JobRouteParts } from "./jobs.ts";

const PATH = "/v2/crawl";

export function crawlHandlers(parts: JobRouteParts<Crawls>): Handlers {
  const active = async ({ identity }: Call) =>
    toActiveBody(await (await parts.jobs()).active(identity));
  return {
    "POST /v2/crawl": async (call: Call<CrawlOptions>) => {
      const { id, warning } = await (
        await parts.jobs()
      ).start(call.body, jobCaller(call, parts.address));
      return {
        success: true,
        id,
        url: parts.address(call.request, `${PATH}/${id}`),
        ...(warning === undefined ? {} : { warning }),
      };
    },
    "GET /v2/crawl/active": active,
    "GET /v2/crawl/ongoing": active,
    ...jobHandlers(PATH, parts),
  };
}
