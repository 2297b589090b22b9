// Log entries about crawls at level info.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { base, closeCrawls, crawl, openOwnCrawls, page, serve, service } from "../../crawls.ts";
import { isRemote } from "../../service.ts";

beforeAll(() => openOwnCrawls({ logLevel: "debug" }));
afterAll(closeCrawls);

type Line = { readonly level: string; readonly msg: string; readonly jobId?: string };

const linesOf = (jobId: string | undefined, level = "info"): Line[] =>
  service
    .log()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.level === level && line.jobId === jobId);

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
      { msg: "job started", kind: "crawl", key: "first", host, limit: 5, urls: 1 },
      { msg: "backing off from host", host, statusCode: 429, times: 1 },
      { msg: "host recovered", host, times: 1 },
      {
        msg: "job ended",
        key: "first",
        host,
        state: "completed",
        completed: 2,
        failed: 0,
        discovered: 2,
      },
    ]);
  });

  it("logs each page at level debug with host, key name, engine, and verdict or error code", async () => {
    const start = serve({
      "/": page("start", ["a"]),
      "/a": (request) => void request.socket.destroy(),
    });
    const { id } = await crawl(`${start}/`);
    await expect.poll(() => linesOf(id).at(-1)?.msg).toBe("job ended");
    const { host } = new URL(base);
    const same = { key: "first", host, engine: "http" };
    const lines = linesOf(id, "debug").filter(
      ({ msg }) => msg.startsWith("page ") && msg !== "page timings",
    );
    expect(lines).toMatchObject([
      { msg: "page scraped", ...same, verdict: "content", credits: 1 },
      { msg: "page failed", ...same, code: "SCRAPE_SITE_ERROR" },
    ]);
  });

  it("logs no host of a crawl with zero data retention", async () => {
    const start = serve({ "/": page("start") });
    const { id } = await crawl(`${start}/`, { scrapeOptions: { zeroDataRetention: true } });
    await expect.poll(() => linesOf(id).at(-1)?.msg).toBe("job ended");
    for (const line of [...linesOf(id), ...linesOf(id, "debug")])
      expect(line).not.toHaveProperty("host");
  });
});
