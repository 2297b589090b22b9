// Responses for expired jobs.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService, type Service } from "../../service.ts";

let base: string;
let service: Service;
beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>here</h1>");
  }));
  const resultLifeHours = 1 / 3_600_000;
  service = await startService(undefined, { egressAllow: ["127.0.0.1"], resultLifeHours });
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
});

describe.skipIf(isRemote)("expired jobs", () => {
  it.each([
    ["crawl", "crawl", (url: string) => ({ url, sitemap: "skip" })],
    ["batch", "batch/scrape", (url: string) => ({ urls: [url] })],
  ])(
    'answers 404 with "expired" for an expired %s and "not found" for an unknown id',
    async (_, path, build) => {
      const started = await service.ask(`/v2/${path}`, { method: "POST", body: build(base) });
      const id = String(started.body["id"]);
      let answer = await service.ask(`/v2/${path}/${id}`);
      while (answer.status === 200) answer = await service.ask(`/v2/${path}/${id}`);
      const told = [answer.status, answer.body.error];
      expect(told).toEqual([404, "Job expired"]);
      for (const below of ["/errors", "/ledger", "/export", "/webhooks", "/request"]) {
        const { status, body } = await service.ask(`/v2/${path}/${id}${below}`);
        expect([status, body.error], below).toEqual(told);
      }
      for (const version of ["v1", "v2"]) {
        const { status, body } = await service.ask(`/${version}/${path}/${id}`);
        expect([status, body.error], version).toEqual(told);
      }
      const own = await service.ask(
        `/v2/${path}/${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`,
      );
      expect([own.status, own.body.error]).toEqual([404, "Job not found"]);
    },
  );
});
