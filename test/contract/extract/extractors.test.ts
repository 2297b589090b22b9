// Stored extractors over HTTP: learned, run, tested, monitored, and private to one account.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QuarryClient } from "../../../client/client.ts";
import type { Extractor } from "../../../client/wire.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService, type Service } from "../../service.ts";

type Item = { readonly name: string; readonly price: string; readonly weight?: string };

const ITEMS: Readonly<Record<string, Item>> = {
  jacket: { name: "Fjell Jacket", price: "£184.00", weight: "412 g" },
  anorak: { name: "Skarv Anorak", price: "£129.00", weight: "290 g" },
  trousers: { name: "Tind Trousers", price: "£102.50" },
  cap: { name: "Lofot Cap", price: "£20.00", weight: "80 g" },
  vest: { name: "Heim Vest", price: "£160.00", weight: "300 g" },
  sock: { name: "Myr Sock", price: "£9.00", weight: "40 g" },
};

const TEXT = "Built for long days outside, and kept in one piece by people who repair. ".repeat(6);
/** The shop's template, and the one after its redesign. */
const page = ({ name, price, weight }: Item, isRedesigned: boolean): string =>
  isRedesigned
    ? `<!doctype html><html lang="en-GB"><title>${name}</title><main class="item"><h1>${name}</h1><div class="buy"><span class="amount">Ask in the shop</span></div><p class="text">${TEXT}</p><dl class="facts"><dt>Origin</dt><dd>Norway</dd></dl></main></html>`
    : `<!doctype html><html lang="en-GB"><title>${name}</title><main class="item"><h1>${name}</h1><div class="buy"><span class="amount">${price}</span></div><p class="text">${TEXT}</p><dl class="facts">${weight === undefined ? "" : `<dt>Weight</dt><dd>${weight}</dd>`}<dt>Origin</dt><dd>Norway</dd></dl></main></html>`;

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    price: { type: "number" },
    weight: { type: "number" },
  },
};

let base: string;
let service: Service;
let client: QuarryClient;
let stranger: QuarryClient;
let redesigned = false;
const urlOf = (item: string): string => `${base}/p/${item}`;
const examples = () =>
  ["jacket", "anorak"].map((item) => ({ url: urlOf(item), data: { ...ITEMS[item] } }));

async function clientOf(account: string): Promise<QuarryClient> {
  await service.admin("POST", "/admin/accounts", { name: account });
  const made = await service.admin("POST", "/admin/keys", { name: account, account });
  const { key } = made.body.data as unknown as { key: string };
  return new QuarryClient({ apiUrl: service.url, apiKey: key, retries: 0 });
}

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const item = ITEMS[(request.url ?? "").split("/").at(-1) ?? ""];
    response.writeHead(item === undefined ? 404 : 200, { "content-type": "text/html" });
    response.end(item === undefined ? "<p>no such thing</p>" : page(item, redesigned));
  }));
  service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
  client = await clientOf("extractor-owner");
  stranger = await clientOf("extractor-stranger");
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
});

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => "none",
    (error: unknown) => String((error as { code?: unknown }).code),
  );

describe.skipIf(isRemote)("extractors", () => {
  let extractor: Extractor;

  it("learns extractors from examples and extracts the data of other pages with evidence", async () => {
    const made = await client.extractors.create({ name: "items", schema, examples: examples() });
    extractor = made.data;
    expect(extractor).toMatchObject({
      name: "items",
      version: 1,
      state: "ready",
      source: "examples",
    });
    expect(made.warning).toBeUndefined();
    const ran = await client.extractors.run(extractor.id, [urlOf("cap"), urlOf("trousers")]);
    expect(ran.data.map(({ json }) => json)).toEqual([
      { name: "Lofot Cap", price: 20, weight: 80 },
      { name: "Tind Trousers", price: 102.5 },
    ]);
    expect(ran.data[0]?.jsonEvidence?.["/price"]).toMatchObject({
      source: "extractor",
      text: "£20.00",
      ref: expect.stringMatching(/^n\d+$/) as string,
    });
    expect(ran.data[1]?.extraction?.missing).toEqual({ "/weight": "nothing stands at its places" });
    expect(ran.data[0]?.extraction?.confidence).toBeGreaterThan(0.7);
    // A page costs the same as a scrape.
    expect(ran.creditsUsed).toBe(2);
  });

  it("extracts the json of a scrape, a batch and a crawl with an extractor", async () => {
    const formats = [{ type: "json" as const, extractor: extractor.id }];
    const scraped = await client.scrape(urlOf("vest"), { formats });
    expect(scraped.json).toEqual({ name: "Heim Vest", price: 160, weight: 300 });
    expect(scraped.metadata.creditsUsed).toBe(1);
    const { documents } = await client.batch([urlOf("sock")], { formats });
    expect(documents[0]?.json).toEqual({ name: "Myr Sock", price: 9, weight: 40 });
    const crawled = await client.crawl(urlOf("cap"), { limit: 1, scrapeOptions: { formats } });
    expect(crawled.documents[0]?.json).toEqual({ name: "Lofot Cap", price: 20, weight: 80 });
  });

  it("tests an extractor against its own examples and names the differences of others", async () => {
    expect((await client.extractors.test(extractor.id)).data.passed).toBe(true);
    const other = await client.extractors.test(extractor.id, {
      examples: [{ url: urlOf("cap"), data: { name: "Lofot Cap", price: "£21.00" } }],
    });
    expect(other.data.passed).toBe(false);
    expect(other.data.pages[0]?.differences).toEqual([
      { pointer: "/price", expected: "£21.00", given: 20 },
    ]);
  });

  it("hides extractors from every other account", async () => {
    const { id } = extractor;
    expect(await codeOf(stranger.extractors.get(id))).toBe("NOT_FOUND");
    expect(await codeOf(stranger.extractors.change(id, { name: "mine" }))).toBe("NOT_FOUND");
    expect(await codeOf(stranger.extractors.run(id, [urlOf("cap")]))).toBe("NOT_FOUND");
    expect(await codeOf(stranger.extractors.test(id))).toBe("NOT_FOUND");
    expect(await codeOf(stranger.extractors.delete(id))).toBe("NOT_FOUND");
    const formats = [{ type: "json" as const, extractor: id }];
    expect(await codeOf(stranger.scrape(urlOf("cap"), { formats }))).toBe("NOT_FOUND");
    expect(await codeOf(stranger.startBatch([urlOf("cap")], { formats }))).toBe("NOT_FOUND");
    expect(await codeOf(stranger.startCrawl(base, { scrapeOptions: { formats } }))).toBe(
      "NOT_FOUND",
    );
    expect((await stranger.extractors.list()).data).toEqual([]);
    expect((await client.extractors.list()).data.map((each) => each.id)).toEqual([id]);
  });

  it("renames an extractor, replaces its program, and deletes it", async () => {
    const program = {
      version: 1 as const,
      fields: { title: { type: "string" as const, path: "h1" } },
    };
    const made = await client.extractors.create({ program });
    expect(made.data.source).toBe("program");
    const renamed = await client.extractors.change(made.data.id, { name: "titles" });
    expect(renamed.data).toMatchObject({ name: "titles", version: 1 });
    const other = {
      version: 1 as const,
      fields: { heading: { type: "string" as const, path: "main h1" } },
    };
    const changed = await client.extractors.change(made.data.id, { program: other });
    expect(changed.data).toMatchObject({ version: 2, program: other });
    await client.extractors.delete(made.data.id);
    expect(await codeOf(client.extractors.get(made.data.id))).toBe("NOT_FOUND");
  });

  it("learns an extractor from values that the rules are certain of", async () => {
    const made = await client.extractors.create({
      urls: [urlOf("jacket"), urlOf("anorak")],
      from: "rules",
      schema: {
        type: "object",
        properties: { weight: { type: "string" }, origin: { type: "string" } },
      },
    });
    expect(made.data.source).toBe("rules");
    const ran = await client.extractors.run(made.data.id, [urlOf("cap")]);
    expect(ran.data[0]?.json).toMatchObject({ weight: "80 g" });
  });

  it("names the invalid field of an extractor program", async () => {
    const answer = await service.ask("/v2/extractors", {
      method: "POST",
      body: { program: { version: 1, fields: { title: { type: "string", path: "h1:has(b)" } } } },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('"h1:has(b)" cannot be read at ":has(b)"');
  });

  it("rejects control characters in the name of an extractor", async () => {
    const answer = await service.ask("/v2/extractors", {
      method: "POST",
      body: { name: "red \u001b[31mname", program: { version: 1, fields: {} } },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain("name must not contain control characters");
  });

  it("requires exactly one way to create an extractor", async () => {
    const none = await service.ask("/v2/extractors", {
      method: "POST",
      body: { name: "x" },
    });
    expect(none.status).toBe(400);
    expect(none.body.error).toContain("exactly one of program, examples and urls; none is given");
  });

  it("explains why no extractor could be learned", async () => {
    const answer = await service.ask("/v2/extractors", {
      method: "POST",
      body: { examples: [{ url: urlOf("cap"), data: { name: "Another Thing" } }] },
    });
    expect(answer.status).toBe(422);
    expect(answer.body["code"]).toBe("EXTRACTOR_NOT_LEARNED");
    expect(answer.body.error).toContain('"Another Thing" was not found on the page');
  });

  it("names the example whose page could not be fetched", async () => {
    const answer = await service.ask("/v2/extractors", {
      method: "POST",
      body: { examples: [{ url: urlOf("nothing"), data: { name: "Thing" } }] },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain("examples.0.url");
  });

  it("rejects a schema beside an extractor", async () => {
    const answer = await service.ask("/v2/scrape", {
      method: "POST",
      body: { url: urlOf("cap"), formats: [{ type: "json", extractor: extractor.id, schema }] },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain("extractor excludes schema and prompt");
  });

  it("reports an extractor as drifted after its pages have changed, with every result", async () => {
    redesigned = true;
    const options = { scrapeOptions: { maxAge: 0 } };
    const urls = Object.keys(ITEMS).map((item) => urlOf(item));
    for (let round = 0; round < 4; round += 1)
      await client.extractors.run(extractor.id, urls, options);
    await expect
      .poll(async () => (await client.extractors.get(extractor.id)).state)
      .toBe("drifted");
    const { health } = await client.extractors.get(extractor.id);
    expect(health.reason).toMatch(/^price /);
    const ran = await client.extractors.run(extractor.id, [urlOf("cap")], options);
    expect(ran.data[0]?.warning).toContain('The extractor "items" has drifted: price');
    expect(ran.data[0]?.json).toEqual({ name: "Lofot Cap" });
  });

  it("reports an extractor as ready after it was learned from new examples", async () => {
    redesigned = false;
    const changed = await client.extractors.change(extractor.id, { examples: examples() });
    expect(changed.data).toMatchObject({ version: 2, state: "ready", health: { pages: 0 } });
    // The cache has the pages of the redesign, on which no price is.
    expect(Object.keys(changed.data.program.fields)).toContain("price");
  });

  it("learns an extractor again automatically when that is enabled", async () => {
    redesigned = true;
    const made = await client.extractors.create({
      schema: {
        type: "object",
        properties: { name: { type: "string" }, origin: { type: "string" } },
      },
      examples: ["jacket", "anorak"].map((item) => ({
        url: urlOf(item),
        data: { name: ITEMS[item]?.name, origin: "Norway" },
      })),
      relearn: true,
      scrapeOptions: { maxAge: 0 },
    });
    expect(made.data.version).toBe(1);
    // Pages of a different template: the extractor has drifted, and its examples are still valid.
    const urls = Array.from({ length: 10 }, () => `${base}/p/none`);
    await client.extractors.run(made.data.id, urls, { scrapeOptions: { maxAge: 0 } });
    await expect.poll(async () => (await client.extractors.get(made.data.id)).version).toBe(2);
    expect((await client.extractors.get(made.data.id)).state).toBe("ready");
  });
});
