// Mode json of change tracking: by rules, and with a scripted model.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document } from "../../../src/contract/page/document.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { startModelServer, type ModelServer, type Turn } from "../../model-server.ts";
import { isRemote, shareService, startService, type Service } from "../../service.ts";

let base: string;
let service: Service;
/** A page with a machine-readable name and price, and a text. */
let page = { price: "9.00", text: "", views: 10 };

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((_request, response) => {
    const { price, text, views } = page;
    const data = {
      "@context": "https://schema.org",
      "@type": "Product",
      name: "Harbour lamp",
      offers: { "@type": "Offer", price, priceCurrency: "EUR" },
      interactionStatistic: { "@type": "InteractionCounter", userInteractionCount: views },
    };
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<title>Harbour lamp</title><script type="application/ld+json">${JSON.stringify(data)}</script>
      <main><h1>Harbour lamp</h1><p>${"A lamp for the harbour, made of brass. ".repeat(8)}</p>
      <p>Price: ${price} EUR</p><p>${views} views</p><p>${text}</p></main>`,
    );
  }));
  service = await shareService();
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
});

const SCHEMA = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
};

async function scrape(format: object, own = service, formats: unknown[] = []): Promise<Document> {
  const tracking = { type: "changeTracking", modes: ["json"], ...format };
  const body = {
    url: `${base}/lamp`,
    formats: ["markdown", tracking, ...formats],
    onlyMainContent: false,
  };
  const answer = await own.scrape(body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data as Document;
}

describe.skipIf(isRemote)("change tracking in mode json without a model", () => {
  it("returns changed schema fields, charges five credits, and leaves json out of the document", async () => {
    page = { price: "9.00", text: "Open all year", views: 10 };
    const format = { schema: SCHEMA, tag: "rules" };
    const first = await scrape(format);
    expect(first.changeTracking?.changeStatus).toBe("new");
    expect(first).not.toHaveProperty("json");
    expect(first.metadata.creditsUsed).toBe(5);
    page = { price: "12.50", text: "Open all year", views: 11 };
    const { changeTracking } = await scrape(format);
    expect(changeTracking).toMatchObject({
      changeStatus: "changed",
      json: { price: { previous: 9, current: 12.5 } },
    });
    expect(Object.keys(changeTracking?.json ?? {})).toEqual(["price"]);
    expect(changeTracking).not.toHaveProperty("diff");
    page = { ...page, text: "Closed in March" };
    expect((await scrape(format)).changeTracking).toMatchObject({
      changeStatus: "changed",
      json: {},
    });
  });

  it("warns that values of a new schema are compared from the next scrape on", async () => {
    page = { price: "9.00", text: "one", views: 10 };
    await scrape({ schema: SCHEMA, tag: "other" });
    page = { ...page, text: "two" };
    const schema = { type: "object", properties: { price: { type: "number" } } };
    const second = await scrape({ schema, tag: "other" });
    expect(second.changeTracking).not.toHaveProperty("json");
    expect(second.warning).toContain("from the next scrape on");
    page = { ...page, price: "10.00" };
    const third = await scrape({ schema, tag: "other" });
    expect(third.changeTracking?.json).toEqual({ price: { previous: 9, current: 10 } });
  });

  it("compares the caller's own json and warns when schema and prompt are missing", async () => {
    page = { price: "9.00", text: "one", views: 10 };
    const json = { type: "json", schema: SCHEMA };
    await scrape({ tag: "own" }, service, [json]);
    page = { ...page, price: "11.00" };
    const second = await scrape({ tag: "own" }, service, [json]);
    expect(second.json).toMatchObject({ price: 11 });
    expect(second.changeTracking?.json).toEqual({ price: { previous: 9, current: 11 } });
    await scrape({ tag: "bare" });
    page = { ...page, price: "12.00" };
    const bare = await scrape({ tag: "bare" });
    expect(bare.changeTracking).toMatchObject({ changeStatus: "changed" });
    expect(bare.warning).toContain("needs a schema or a prompt");
    expect(bare.metadata.creditsUsed).toBe(1); // mode json compared nothing
    expect(second.metadata.creditsUsed).toBe(5);
  });
});

describe.skipIf(isRemote)("change tracking in mode json with a model", () => {
  async function withModel(
    turns: readonly Turn[],
    work: (own: Service, model: ModelServer) => Promise<void>,
  ): Promise<void> {
    await using model = await startModelServer({ turns });
    const own = await startService(undefined, {
      egressAllow: ["127.0.0.1"],
      model: "openai-compatible/scripted",
      modelBaseUrl: model.baseUrl,
    });
    try {
      await work(own, model);
      model.check();
    } finally {
      await own.close();
    }
  }

  it("without a schema lets the model compare and drops values the page does not show", async () => {
    const answer = {
      price: { previous: "9.00 EUR", current: "12.00 EUR" },
      colour: { previous: "red", current: "blue" },
    };
    const turn: Turn = (request) => {
      const sent = request.messages.map(({ content }) => content ?? "").join("\n");
      expect(sent).toContain("-Price: 9.00 EUR");
      expect(sent).toContain("+Price: 12.00 EUR");
      expect(sent).toContain("<page-");
      return { json: answer };
    };
    await withModel([turn], async (own) => {
      page = { price: "9.00", text: "x", views: 10 };
      await scrape({}, own);
      await scrape({}, own);
      page = { ...page, price: "12.00", views: 12 };
      const { changeTracking, warning } = await scrape({}, own);
      expect(changeTracking?.json).toEqual({ price: answer.price });
      expect(warning).toContain("colour");
    });
  });

  it("a model failure drops the comparison but never fails the scrape", async () => {
    const refusal = { status: 401, error: "no key" };
    await withModel([refusal], async (own) => {
      page = { price: "9.00", text: "x", views: 10 };
      await scrape({}, own);
      page = { ...page, price: "13.00" };
      const { changeTracking, warning } = await scrape({ modes: ["json", "git-diff"] }, own);
      expect(changeTracking).toMatchObject({ changeStatus: "changed" });
      expect(changeTracking?.diff?.text).toContain("+Price: 13.00 EUR");
      expect(changeTracking).not.toHaveProperty("json");
      expect(warning).toContain("changeTracking:");
    });
  });
});
