// Log entries about crawls at level info.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { base, closeCrawls, crawl, openOwnCrawls, page, serve, service } from "../../crawls.ts";
import { isRemote } from "../../service.ts";

beforeAll(openOwnCrawls);
afterAll(closeCrawls);

type Line = { readonly level: string; readonly msg: string; readonly jobId?: string };

const linesOf = (jobId: string | undefined): Line[] =>
  service
    .log()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.level === "info" && line.jobId === jobId);

describe.skipIf(isRemote)("crawl log", () => {
  it("logs the start, host pauses and the end with job id, host and counts", async () => {
    let visits = 0;
    const start = serve({
      "/": page("start", ["a"]),
      "/a": (request, response) => {
        visits += 1;
        if (visits > 1) page("a")(request, response);
        else response.writeHead(429, { "retry-after": "0" }).end("later");
      },
    });
    const { id } = await crawl(`${start}/`, { limit: 5 });
    await expect.poll(() => linesOf(id).at(-1)?.msg).toBe("job ended");
    const { host } = new URL(base);
    expect(linesOf(id)).toMatchObject([
      { msg: "job started", kind: "crawl", host, limit: 5, urls: 1 },
      { msg: "backing off from host", host, statusCode: 429, times: 1 },
      { msg: "host recovered", host, times: 1 },
      { msg: "job ended", host, state: "completed", completed: 2, failed: 0, discovered: 2 },
    ]);
  });

  it("logs no host of a crawl with zero data retention", async () => {
    const start = serve({ "/": page("start") });
    const { id } = await crawl(`${start}/`, { scrapeOptions: { zeroDataRetention: true } });
    await expect.poll(() => linesOf(id).at(-1)?.msg).toBe("job ended");
    for (const line of linesOf(id)) expect(line).not.toHaveProperty("host");
  });
});
