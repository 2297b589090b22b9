// Extractors from a scripted model: it sees the page with references and answers with references;
// the server copies the values.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QuarryClient } from "../../../client/client.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { startModelServer, type ChatRequest, type ModelServer } from "../../model-server.ts";
import { isRemote, startService, type Service } from "../../service.ts";

const NAMES = ["Fjell Jacket", "Skarv Anorak", "Tind Trousers", "Lofot Cap"];
const TEXT = "Built for long days outside, and kept in one piece by people who repair. ".repeat(6);
const page = (nth: number): string =>
  `<!doctype html><html lang="en-GB"><title>${NAMES[nth]}</title><nav><a href="/">Home</a></nav><main class="item"><h1>${NAMES[nth]}</h1><div class="buy"><span class="amount">£${100 + nth}.00</span></div><p class="text">${TEXT}</p></main></html>`;

const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
};

/**
 * Answers like a model that reads the page: with the reference of the line that shows the value.
 */
function pointAt(request: ChatRequest): { json: unknown } {
  const text = request.messages.map(({ content }) => content).join("\n");
  const refOf = (tag: string): string => new RegExp(`(n\\d+) ${tag} `).exec(text)?.[1] ?? "n999999";
  return { json: { data: { name: refOf("h1"), price: refOf("span") } } };
}

let base: string;
let service: Service;
let client: QuarryClient;
let model: ModelServer;

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(page(Number(/\/p\/(\d+)/.exec(request.url ?? "")?.[1])));
  }));
  model = await startModelServer({ turns: pointAt });
  service = await startService(undefined, {
    egressAllow: ["127.0.0.1"],
    model: "openai-compatible/scripted",
    modelBaseUrl: model.baseUrl,
  });
  client = new QuarryClient({ apiUrl: service.url, apiKey: service.key, retries: 0 });
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await model.close();
  await closeAll();
});

describe.skipIf(isRemote)("extractors from a model", () => {
  it("learns an extractor from a model's references and replays it without another call", async () => {
    const urls = [`${base}/p/0`, `${base}/p/1`];
    const made = await client.extractors.create({ urls, schema });
    expect(made.data.source).toBe("model");
    expect(model.answered.length).toBe(2);
    const shown = model.answered[0]?.messages.map(({ content }) => content).join("\n") ?? "";
    expect(shown).toMatch(/n\d+ h1 Fjell Jacket/);
    expect(shown).not.toContain("Home");
    const ran = await client.extractors.run(made.data.id, [`${base}/p/2`, `${base}/p/3`]);
    expect(ran.data.map(({ json }) => json)).toEqual([
      { name: "Tind Trousers", price: 102 },
      { name: "Lofot Cap", price: 103 },
    ]);
    expect(model.answered.length).toBe(2);
    model.check();
  });

  it("learns an extractor from the first pages of a batch and replays it on the rest", async () => {
    const before = model.answered.length;
    const urls = Array.from(
      { length: 12 },
      (_, nth) => `${base}/p/${nth % NAMES.length}?copy=${nth}`,
    );
    const formats = [{ type: "json" as const, schema, learn: true }];
    const { documents } = await client.batch(urls, { formats, maxAge: 0 });
    expect(documents.length).toBe(12);
    for (const { json, metadata } of documents) {
      const nth = Number(/\/p\/(\d)/.exec(String(metadata.sourceURL))?.[1]);
      expect(json).toEqual({ name: NAMES[nth], price: 100 + nth });
    }
    expect(model.answered.length - before).toBe(2);
    // A replayed page costs the same as a scrape.
    const credits = documents.map(({ metadata }) => Number(metadata.creditsUsed));
    expect(credits.toSorted((one, other) => other - one)).toEqual([
      5,
      5,
      ...Array.from({ length: 10 }, () => 1),
    ]);
    const extractor = String(documents[0]?.extraction?.extractor);
    expect((await client.extractors.get(extractor)).source).toBe("model");
  });

  it("does not learn an extractor from a single scrape, and says so", async () => {
    const formats = [{ type: "json" as const, schema, learn: true }];
    const { warning } = await client.scrape(`${base}/p/0?single`, { formats, maxAge: 0 });
    expect(warning).toContain("learn has an effect on the pages of a crawl or batch only");
  });
});
