// Cost of a batch for a key with a budget, including URLs appended while it runs.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeCrawls, openCrawls, page, serve, service, type Answer } from "../../crawls.ts";

beforeAll(openCrawls);
afterAll(closeCrawls);

describe("batch of a key with a budget", () => {
  it("holds credits for appended URLs, rejects what the budget does not cover, and settles at the end", async () => {
    const released = Promise.withResolvers<void>();
    const later =
      (title: string): Answer =>
      (request, response) =>
        void released.promise.then(() => page(title)(request, response));
    const start = serve({
      "/1": later("1"),
      "/2": later("2"),
      "/3": later("3"),
      "/gone": (_request, response) => void response.destroy(),
    });
    const { key } = await service.createKey({ creditBudget: 5 });
    const send = (body: object) =>
      service.ask("/v2/batch/scrape", { method: "POST", key, body: { maxAge: 0, ...body } });
    const left = async (): Promise<unknown> => {
      const { body } = await service.ask("/v2/team/credit-usage", { key });
      return (body.data as { remainingCredits?: number } | undefined)?.remainingCredits;
    };
    const { body } = await send({ urls: [`${start}/1`] });
    const appendToId = String(body["id"]);
    expect(await left()).toBe(4);
    const added = await send({ urls: [`${start}/2`, `${start}/3`, `${start}/gone`], appendToId });
    expect(added.status, added.text).toBe(200);
    expect(await left()).toBe(1);
    const refused = await send({ urls: [`${start}/2`, `${start}/3`], appendToId });
    expect([refused.status, refused.body.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
    expect(await left()).toBe(1);
    released.resolve();
    let status = await service.ask(`/v2/batch/scrape/${appendToId}`, { key });
    while (status.body["status"] === "scraping")
      status = await service.ask(`/v2/batch/scrape/${appendToId}`, { key });
    expect(status.body).toMatchObject({ status: "completed", completed: 3, creditsUsed: 3 });
    while ((await left()) !== 2);
    const late = await send({ urls: [`${start}/1`], appendToId });
    expect(late.status).toBe(409);
    expect(await left()).toBe(2);
  });
});
