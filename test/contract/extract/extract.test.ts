// Data from several pages as one answer.
import { Firecrawl } from "@mendable/firecrawl-js";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Secret } from "../../../src/settings/secret.ts";
import { createDataFolder } from "../../data-folder.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { shareService, startService, type Service } from "../../service.ts";
import { rm } from "node:fs/promises";

/** A page with its recipe as linked data, which needs no model. */
const recipe = (
  name: string,
  servings: number,
  ingredients: readonly string[],
  links = "",
): string =>
  `<!doctype html><html lang="en"><title>${name}</title><script type="application/ld+json">${JSON.stringify(
    {
      "@context": "https://schema.org",
      "@type": "Recipe",
      name,
      recipeYield: String(servings),
      recipeIngredient: ingredients,
      author: { "@type": "Person", name: "Ada Cook" },
    },
  )}</script><main><h1>${name}</h1><p>${"A dish of the harbour, told in many words. ".repeat(10)}</p>${links}</main></html>`;

const PAGES: Readonly<Record<string, string>> = {
  "/recipes": recipe(
    "Pancakes",
    4,
    ["Milk", "Flour"],
    '<a href="/recipes/soup">soup</a> <a href="/recipes/stew">stew</a>',
  ),
  "/recipes/soup": recipe("Fish soup", 2, ["Fish", "Milk"]),
  "/people": '<title>People</title><h1>People</h1><a href="/recipes/soup">Soup of the day</a>',
  "/people/ada": recipe("Ada's stew", 6, ["Leek"]),
  "/recipes/stew": recipe("Lamb stew", 6, ["Lamb"]),
};

const schema = {
  type: "object",
  properties: {
    name: { type: "string", description: "Name of the recipe" },
    ingredients: { type: "array", items: { type: "string" }, description: "Ingredients" },
  },
};

let base: string;
let service: Service;
const asked: string[] = [];
beforeAll(async () => {
  const site = await openSite((request, response) => {
    const path = (request.url ?? "/").replace(/(.)\/$/, "$1");
    asked.push(path);
    const page = PAGES[path];
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" });
    response.end(page ?? "no");
  });
  base = site.base;
  service = await shareService();
});
afterAll(async () => {
  await service.close();
  await closeAll();
});

type Status = {
  readonly status: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
};

async function start(body: object, on = service, root = "/v2"): Promise<string> {
  const answer = await on.ask(`${root}/extract`, { method: "POST", body });
  expect(answer.status, answer.text).toBe(200);
  return String(answer.body["id"]);
}

async function finish(id: string, on = service, root = "/v2"): Promise<Status> {
  let last: Status | undefined;
  await expect
    .poll(
      async () => {
        const { body, status, text } = await on.ask(`${root}/extract/${id}`);
        expect(status, text).toBe(200);
        last = body as unknown as Status;
        return last.status;
      },
      { timeout: 50_000, interval: 50 },
    )
    .not.toBe("processing");
  return last as Status;
}

const extract = async (body: object): Promise<Status> => await finish(await start(body));

describe("extract", () => {
  it("merges data of several pages in the given order and names the sources", async () => {
    const done = await extract({
      urls: [`${base}/recipes`, `${base}/recipes/soup`],
      schema,
      showSources: true,
    });
    expect(done).toMatchObject({
      success: true,
      status: "completed",
      data: { name: "Pancakes", ingredients: ["Milk", "Flour", "Fish"] },
      sources: {
        name: [`${base}/recipes`],
        ingredients: [`${base}/recipes`, `${base}/recipes/soup`],
      },
      creditsUsed: 10,
      replacement: "/v2/agent",
    });
    expect(new Date(String(done["expiresAt"])).getTime()).toBeGreaterThan(Date.now());
  });

  it("gives each warning once, however many pages have it", async () => {
    const { warning } = await extract({
      urls: [`${base}/recipes`, `${base}/people`],
      prompt: "ingredients",
    });
    const sentences = String(warning).split(/(?<=\.) /);
    expect(sentences.length).toBeGreaterThan(1);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it("refuses a blank prompt without urls", async () => {
    const body = { urls: [], prompt: " " };
    const answer = await service.ask("/v2/extract", { method: "POST", body });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe("Either 'urls' or 'prompt' must be provided.");
  });

  it("reads the pages below a URL that ends in an asterisk", async () => {
    const done = await extract({ urls: [`${base}/recipes/*`], schema, ignoreSitemap: true });
    expect(done.status).toBe("completed");
    const found = (done.data?.["ingredients"] ?? []) as string[];
    expect(found.toSorted()).toEqual(["Fish", "Flour", "Lamb", "Milk"]);
  });

  it("adds pages that the account has scraped, leaves out pages elsewhere, and names a pattern without pages", async () => {
    await service.client.scrape(`${base}/people/ada`);
    // Pages are indexed shortly after their scrape.
    const listKnown = async (): Promise<string> =>
      JSON.stringify(await service.client.map(`${base}/people/`, { sitemap: "skip" }));
    await expect.poll(listKnown).toContain(`${base}/people/ada`);
    const done = await extract({
      urls: [`${base}/people/*`, `${base}/animals/*`],
      schema,
      ignoreSitemap: true,
    });
    expect(done.status).toBe("completed");
    expect(done.data?.["ingredients"]).toEqual(["Leek"]);
    expect(done["warning"]).toContain(`${base}/animals/* matches no page below ${base}/animals/.`);
    expect(done["warning"]).not.toContain("/people/* matches");
  });

  it("uses the search index when no urls are given", async () => {
    await service.client.scrape(`${base}/recipes/stew`);
    const done = await extract({ prompt: "lamb stew", schema });
    expect(done.data).toMatchObject({ name: "Lamb stew" });
    const nothing = await extract({ prompt: "quetzalcoatl", schema });
    expect(nothing).toMatchObject({ status: "failed", code: "NOT_FOUND" });
    expect(nothing["error"]).toContain("No page");
  });

  it("continues without unreachable pages, reports them, and fails when none can be read", async () => {
    const done = await extract({ urls: [`${base}/recipes/soup`, `${base}/nowhere`], schema });
    expect(done).toMatchObject({ status: "completed", data: { name: "Fish soup" } });
    expect(done["warning"]).toContain("1 of 2 pages");
    const none = await extract({ urls: [`${base}/nowhere`], schema });
    expect(none).toMatchObject({ status: "failed", error: expect.stringContaining("404") });
    expect(none).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
    expect(none.data).toBeUndefined();
  });

  it("skips invalid URLs or rejects the extraction", async () => {
    const urls = [`${base}/recipes/soup`, "ftp://example.com/"];
    const { body } = await service.ask("/v2/extract", { method: "POST", body: { urls, schema } });
    expect(body["invalidURLs"]).toEqual(["ftp://example.com/"]);
    const refused = await service.ask("/v2/extract", {
      method: "POST",
      body: { urls, schema, ignoreInvalidURLs: false },
    });
    expect(refused.status).toBe(400);
    const empty = await service.ask("/v2/extract", { method: "POST", body: { urls: [] } });
    expect(empty.body.error).toBe("Either 'urls' or 'prompt' must be provided.");
  });

  it("passes the scrape options on to its pages", async () => {
    const done = await extract({
      urls: [`${base}/recipes/soup`],
      schema,
      scrapeOptions: { maxAge: 0, timeout: 5_000 },
    });
    expect(done.status).toBe("completed");
    const refused = await service.ask("/v2/extract", {
      method: "POST",
      body: { urls: [`${base}/recipes`], schema, zeroDataRetention: true },
    });
    expect(refused.status).toBe(501);
  });

  it("ends an extraction at its timeout", async () => {
    const silent = createServer(() => undefined);
    const hanging = await listen(silent);
    const done = await extract({ urls: [hanging], schema, timeout: 300 });
    expect(done).toMatchObject({ status: "failed", code: "SCRAPE_TIMEOUT" });
    expect(done["error"]).toContain("300 ms");
    const patient = await extract({ urls: [`${base}/recipes/soup`], schema, timeout: 2 ** 40 });
    expect(patient.status).toBe("completed");
  });

  it("requires credits for an extraction and shows it to its account only", async () => {
    const { key } = await service.createKey({ creditBudget: 3 });
    const refused = await service.ask("/v2/extract", {
      method: "POST",
      body: { urls: [base], schema },
      key,
    });
    expect(refused.status).toBe(402);
    const unknown = await service.ask("/v2/extract/0199f0c0-0000-7000-8000-000000000000");
    expect([unknown.status, unknown.body.error]).toEqual([404, "Extract job not found"]);
  });

  it("sends the events of an extraction", async () => {
    const events: { type: string; data: unknown[] }[] = [];
    const receiver = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        events.push(JSON.parse(Buffer.concat(parts).toString()) as (typeof events)[number]);
        response.end();
      });
    });
    const webhook = await listen(receiver);
    await extract({ urls: [`${base}/recipes/soup`], schema, webhook });
    await expect
      .poll(() => events.map(({ type }) => type))
      .toEqual(["extract.started", "extract.completed"]);
    const job = { success: true, data: { name: "Fish soup" }, totalUrlsScraped: 1 };
    expect(events[1]?.data).toMatchObject([job]);
    expect(events[1]?.data).toHaveProperty("0.extractId", expect.any(String));
    expect(events[1]?.data).toHaveProperty("0.sources.name", [`${base}/recipes/soup`]);
  });

  it("cancels a running extraction and logs its events", async () => {
    const isRead = Promise.withResolvers<void>();
    const hanging = await listen(createServer(() => isRead.resolve()));
    const receiver = await listen(createServer((_request, response) => response.end()));
    const id = await start({ urls: [hanging], schema, webhook: receiver });
    await isRead.promise;
    const cancel = async () => (await service.ask(`/v2/extract/${id}`, { method: "DELETE" })).body;
    expect(await cancel()).toEqual({ success: true, status: "cancelled" });
    expect(await finish(id)).toMatchObject({ status: "cancelled", creditsUsed: 0 });
    expect(await cancel()).toMatchObject({ status: "cancelled" });
    await expect
      .poll(async () => (await service.ask(`/v2/extract/${id}/webhooks`)).body["deliveries"])
      .toMatchObject([
        { type: "extract.started", state: "delivered" },
        { type: "extract.cancelled", state: "delivered" },
      ]);
  });

  it("extracts data with the published clients", async () => {
    const client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
    const done = await client.extract({ urls: [`${base}/recipes/soup`], schema, pollInterval: 1 });
    expect(done).toMatchObject({ status: "completed", data: { name: "Fish soup" } });
    const old = await client.v1.extract([`${base}/recipes/stew`], { schema });
    expect(old).toMatchObject({ success: true, data: { name: "Lamb stew" } });
  });

  it("resumes an extraction of a dead process without reading pages again", async () => {
    const dataDir = await createDataFolder();
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const seen: string[] = [];
    let isSlow = true;
    const { base: slow } = await openSite((request, response) => {
      const path = request.url ?? "/";
      if (path.startsWith("/robots")) return void response.writeHead(404).end();
      seen.push(path);
      if (path !== "/recipes" && isSlow) return;
      response.writeHead(200, { "content-type": "text/html" });
      response.end(PAGES[path] ?? "");
    });
    const settings = { egressAllow: ["127.0.0.1"], dataDir, apiKey: new Secret("a-key-for-both") };
    const first = await startService(undefined, settings);
    const withKey = (on: Service): Service => ({
      ...on,
      ask: (path, given) => on.ask(path, { ...given, key: "a-key-for-both" }),
    });
    const urls = [`${slow}/recipes`, `${slow}/recipes/stew`];
    const id = await start({ urls, schema, scrapeOptions: { maxAge: 0 } }, withKey(first));
    await expect.poll(() => seen.toSorted()).toEqual(["/recipes", "/recipes/stew"]);
    const spent = async () => (await withKey(first).ask(`/v2/extract/${id}`)).body["creditsUsed"];
    await expect.poll(spent).toBe(5);
    await first.stop();
    isSlow = false;
    const second = await startService(undefined, settings);
    onTestFinished(() => second.close());
    const done = await finish(id, withKey(second));
    expect(done).toMatchObject({
      status: "completed",
      data: { ingredients: ["Milk", "Flour", "Lamb"] },
    });
    expect(seen.filter((path) => path === "/recipes")).toHaveLength(1);
  }, 90_000);
});

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
