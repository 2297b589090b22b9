// A scrape of a file has no live page.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pdfFile } from "../../documents/pdf-file.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, shareService, type Service } from "../../service.ts";

let base: string;
let service: Service;
beforeAll(async () => {
  if (isRemote) return;
  const pdf = pdfFile([{ lines: [{ x: 72, y: 120, text: "Words of a file.", size: 12 }] }]);
  ({ base } = await openSite((_request, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
  }));
  service = await shareService();
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
});

describe.skipIf(isRemote)("interact on the scrape of a PDF", () => {
  it("interact answers 409 for a scrape of a file, which has no live page", async () => {
    const { metadata } = await service.page({ url: `${base}/a.pdf` });
    const path = `/v2/scrape/${metadata.scrapeId}/interact`;
    const answer = await service.ask(path, { method: "POST", body: { code: "1" } });
    expect([answer.status, answer.body.code]).toEqual([409, "CONFLICT"]);
    expect(answer.body.error).toContain("application/pdf");
  });
});
