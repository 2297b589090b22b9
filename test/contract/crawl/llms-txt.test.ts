// llms.txt of a site, from a crawl to the files.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Firecrawl } from "@mendable/firecrawl-js";
import { NotFoundError } from "../../../client/errors.ts";
import type { LlmsTxt } from "../../../client/wire.ts";
import { shareService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
beforeAll(async () => {
  site = await startSite();
  service = await shareService();
});
afterAll(async () => {
  await service.close();
  await site.close();
});

async function read(id: string, query = {}): Promise<LlmsTxt> {
  for (;;) {
    const result = await service.client.llmsTxt(id, query);
    if (result.status !== "processing") return result;
    await sleep(50);
  }
}

it("POST /v2/llmstxt builds both files of a site, equal on each reading", async () => {
  const id = await service.client.startLlmsTxt(`${site.url}/`, { maxUrls: 8 });
  const result = await read(id);
  expect(result).toMatchObject({ success: true, status: "completed" });
  const { llmstxt, llmsfulltxt } = result.data;
  expect(llmstxt).toMatch(/^# .+\n/);
  expect(llmstxt).toMatch(/^## .+\n\n- \[.+\]\(http/m);
  // The start page, and one part for each line; error pages are left out.
  const lines = llmstxt.match(/^- \[/gm)?.length ?? 0;
  expect(lines).toBeGreaterThan(1);
  expect(llmsfulltxt?.match(/^Source: </gm)?.length).toBe(lines + 1);
  const again = await read(id, { full: false });
  expect(again.data).toEqual({ llmstxt });
}, 60_000);

it("GET /v2/llmstxt/{id} answers 404 for an unknown id and names a wrong query", async () => {
  const unknown = "0199f0c1-0000-7000-8000-000000000000";
  await expect(service.client.llmsTxt(unknown)).rejects.toBeInstanceOf(NotFoundError);
  await expect(service.client.llmsTxt(unknown, { maxTokens: 5 })).rejects.toThrow("maxTokens");
});

it("the published client's generateLLMsText reads both files under /v1", async () => {
  const { v1 } = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
  const result = await v1.generateLLMsText(`${site.url}/`, { maxUrls: 4, showFullText: true });
  expect(result).toMatchObject({ success: true, status: "completed" });
  const { data } = result as { data: { llmstxt: string; llmsfulltxt?: string } };
  expect(data.llmstxt).toMatch(/^# .+\n/);
  expect(data.llmsfulltxt).toContain("Source: <");
}, 60_000);

it("leaves llms-full.txt out unless showFullText asks for it: by default in /v1, when false in /v2", async () => {
  const { v1 } = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
  for (const wish of [{}, { showFullText: false }]) {
    const result = await v1.generateLLMsText(`${site.url}/`, { maxUrls: 2, ...wish });
    const { data } = result as { data: { llmstxt: string; llmsfulltxt?: string } };
    expect(data.llmstxt).toMatch(/^# .+\n/);
    expect(data.llmsfulltxt).toBeUndefined();
  }
  const id = await service.client.startLlmsTxt(`${site.url}/`, { maxUrls: 2, showFullText: false });
  expect((await read(id)).data.llmsfulltxt).toBeUndefined();
  expect((await read(id, { full: true })).data.llmsfulltxt).toContain("Source: <");
}, 60_000);

it("GET /v2/llmstxt keeps the caller's limit of llms-full.txt and lists the omitted pages", async () => {
  const id = await service.client.startLlmsTxt(`${site.url}/`, { maxUrls: 6 });
  const whole = await read(id);
  expect(whole.data).not.toHaveProperty("omitted");
  const maxCharacters = Math.max(1_000, Math.floor((whole.data.llmsfulltxt ?? "").length / 2));
  const { data, warning } = await read(id, { maxCharacters });
  expect(data.llmsfulltxt?.length).toBeLessThanOrEqual(maxCharacters);
  expect(data.omitted?.length).toBeGreaterThan(0);
  for (const url of data.omitted ?? []) expect(data.llmsfulltxt).toContain(`- <${url}>`);
  expect(warning).toContain(`llms-full.txt leaves out ${data.omitted?.length} of `);
}, 60_000);

it("POST /v2/llmstxt describes pages by their summaries when asked to", async () => {
  const id = await service.client.startLlmsTxt(`${site.url}/`, { maxUrls: 4, describe: "summary" });
  const { data } = await read(id);
  const { data: documents } = await service.client.crawlJob(id).status();
  const summaries = documents.flatMap(({ summary, markdown }) =>
    typeof summary === "string" && summary !== "" && markdown !== "" ? [summary] : [],
  );
  expect(summaries.length).toBeGreaterThan(0);
  for (const summary of summaries)
    expect(data.llmstxt).toContain(summary.replaceAll(/\s+/g, " ").slice(0, 30));
}, 60_000);
