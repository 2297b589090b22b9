// Collecting rows by reference with a scripted model: rows copied from real pages, answers by
// reference, repeated calls and endings. The model's understanding is not tested here.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentCalls, columnWith } from "../../agent-runs.ts";
import {
  startModelServer,
  type ChatRequest,
  type ModelServer,
  type Turn,
} from "../../model-server.ts";
import { startService, type Service } from "../../service.ts";
import { startPages } from "../../site/agent-sites.ts";
import { buildItems, catalogueSite } from "../../site/catalogue.ts";

let service: Service;
let model: ModelServer;
let turns: Turn[] = [];
const asked: ChatRequest[] = [];
const { run } = agentCalls(() => service);

beforeAll(async () => {
  model = await startModelServer({
    turns: (request, nth) => {
      asked.push(request);
      const turn = turns.shift();
      if (turn === undefined) return { text: "The script is over." };
      return typeof turn === "function" ? turn(request, nth) : turn;
    },
  });
  service = await startService(undefined, {
    egressAllow: ["127.0.0.1"],
    model: "openai-compatible/scripted",
    modelBaseUrl: model.baseUrl,
  });
});
afterAll(async () => {
  await service.close();
  await model.close();
});
beforeEach(() => {
  turns = [];
  asked.length = 0;
});

const call = (name: string, given: unknown) => ({ name, arguments: given });
const calls = (...toolCalls: ReturnType<typeof call>[]): Turn => ({ toolCalls });
const lastTool = ({ messages }: ChatRequest): string =>
  messages.findLast(({ role }) => role === "tool")?.content ?? "";
const BOOKS = {
  type: "object",
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        properties: {
          name: { type: "string" },
          price: { type: "number" },
          weight: { type: "string" },
        },
        required: ["name"],
      },
    },
  },
  required: ["items"],
};

describe("collecting rows", () => {
  it("collects 1,000 rows over 20 pages that never pass through the model, and answers by reference", async () => {
    const items = buildItems(1_000);
    await using site = await startPages(catalogueSite(items, 50));
    turns = [
      calls(call("scrape", { url: site.url })),
      (request) => {
        const text = lastTool(request);
        const columns = {
          name: columnWith(text, "t1", "Oak lamp 1"),
          price: columnWith(text, "t1", "£20.50"),
        };
        return { toolCalls: [call("collect", { page: "p1", table: "t1", columns, next: true })] };
      },
      (request) => {
        expect(lastTool(request)).toContain("Collected 1000 rows from 20 pages into items");
        return { toolCalls: [call("finish", { rows: { "/items": "items" } })] };
      },
    ];
    const state = await run({
      prompt: "All furniture with name and price",
      urls: [site.url],
      schema: BOOKS,
    });
    expect(state.status, state.error).toBe("completed");
    const { items: given } = state.data as { items: unknown[] };
    expect(given).toEqual(items.map(({ name, price }) => ({ name, price })));
    const sent = JSON.stringify(asked.map(({ messages }) => messages));
    expect(sent).not.toContain("Oak lamp 701");
    const sources = state["sources"] as Record<string, { url: string; text: string }[]>;
    expect(sources["/items/999/price"]?.[0]).toEqual({
      url: `${site.url}/?page=20`,
      text: `£${items[999]?.price.toFixed(2)}`,
    });
    // Each list page once.
    expect(site.asked).toHaveLength(20);
  });

  it("opens the page of each row for values that are only there", async () => {
    const items = buildItems(6);
    await using site = await startPages(catalogueSite(items, 3));
    turns = [
      calls(call("scrape", { url: site.url }), call("scrape", { url: `${site.url}/item/1` })),
      (request) => {
        const [list = "", detail = ""] = request.messages
          .filter(({ role }) => role === "tool")
          .map(({ content }) => content ?? "");
        return {
          toolCalls: [
            call("collect", {
              page: "p1",
              table: "t1",
              columns: { name: columnWith(list, "t1", "Oak lamp 1") },
              next: true,
              details: {
                link: columnWith(list, "t1", "/item/1"),
                page: "p2",
                columns: { weight: columnWith(detail, "page", "1 kg") },
              },
            }),
          ],
        };
      },
      calls(call("finish", { rows: { "/items": "items" } })),
    ];
    const state = await run({ prompt: "Names and weights", urls: [site.url], schema: BOOKS });
    expect(state.data, state.error).toEqual({
      items: items.map(({ name, weight }) => ({ name, weight: `${weight} kg` })),
    });
  });

  it("filters, sorts and counts collected rows, and gives a single value and a count by reference", async () => {
    const items = buildItems(40);
    await using site = await startPages(catalogueSite(items, 20));
    const soldOut = items.filter(({ isSoldOut }) => isSoldOut);
    const cheapest = items.toSorted((one, other) => one.price - other.price)[0];
    turns = [
      calls(call("scrape", { url: site.url })),
      (request) => {
        const text = lastTool(request);
        const columns = {
          name: columnWith(text, "t1", "Oak lamp 1"),
          price: columnWith(text, "t1", "£20.50"),
          badge: columnWith(text, "t1", "Sold out"),
        };
        return {
          toolCalls: [
            call("collect", { page: "p1", table: "t1", columns, next: true, into: "all" }),
            call("query", { from: "all", sort: [{ column: "price" }], limit: 1 }),
            call("query", {
              from: "all",
              where: [{ column: "badge", is: "contains", value: "sold out" }],
            }),
          ],
        };
      },
      calls(call("finish", { rows: { "/cheapest": "q1.first.name", "/soldOut": "q2.count" } })),
    ];
    const schema = {
      type: "object",
      properties: { cheapest: { type: "string" }, soldOut: { type: "integer" } },
      required: ["cheapest", "soldOut"],
    };
    const state = await run({
      prompt: "Cheapest item; how many are sold out",
      urls: [site.url],
      schema,
    });
    expect(state.data, state.error).toEqual({ cheapest: cheapest?.name, soldOut: soldOut.length });
  });

  it("stops collecting when the credits run low, while the model can still answer, and says so", async () => {
    await using site = await startPages(catalogueSite(buildItems(200), 10));
    turns = [
      calls(call("scrape", { url: site.url })),
      (request) => {
        const columns = { name: columnWith(lastTool(request), "t1", "Oak lamp 1") };
        return { toolCalls: [call("collect", { page: "p1", table: "t1", columns, next: true })] };
      },
      (request) => {
        expect(lastTool(request)).toContain("credits of the run are nearly used up");
        return { toolCalls: [call("finish", { rows: { "/items": "items" } })] };
      },
    ];
    const state = await run({ prompt: "All", urls: [site.url], schema: BOOKS, maxCredits: 12 });
    expect(state.status, state.error).toBe("completed");
    expect(state["warning"]).toContain("The rows of items are incomplete");
    expect(state.creditsUsed).toBeLessThanOrEqual(12);
    expect(site.asked.length).toBeLessThan(12);
  });

  it("names an unknown page, table, column or row reference in the tool's answer", async () => {
    await using site = await startPages(catalogueSite(buildItems(4), 4));
    turns = [
      calls(call("scrape", { url: site.url })),
      calls(
        call("collect", { page: "p9", table: "t1", columns: { a: "c1" } }),
        call("collect", { page: "p1", table: "t9", columns: { a: "c1" } }),
        call("collect", { page: "p1", table: "t1", columns: { a: "c99" } }),
        call("query", { from: "nothing" }),
      ),
      (request) => {
        const texts = request.messages.filter(({ role }) => role === "tool").slice(-4);
        expect(texts.map(({ content }) => content)).toEqual([
          expect.stringContaining("There is no page p9; there are p1"),
          expect.stringContaining("has no table t9; it has t1"),
          expect.stringContaining('no single column "c99"'),
          expect.stringContaining('no table "nothing"'),
        ]);
        return { toolCalls: [call("finish", { rows: { "/items": "lost" } })] };
      },
      (request) => {
        expect(lastTool(request)).toContain('There is no table "lost"');
        return { toolCalls: [call("finish", { data: { items: [{ name: "Oak lamp 1" }] } })] };
      },
    ];
    const state = await run({ prompt: "All", urls: [site.url], schema: BOOKS });
    expect(state.data, state.error).toEqual({ items: [{ name: "Oak lamp 1" }] });
    expect(turns).toEqual([]);
  });
});

describe("a model in a loop", () => {
  it("sends a notice at the second identical call, refuses the third, and ends the run", async () => {
    await using site = await startPages(catalogueSite(buildItems(4), 4));
    const same = calls(call("scrape", { url: site.url }));
    turns = [
      same,
      same,
      (request) => {
        expect(lastTool(request)).toContain("You made this same call before");
        expect(lastTool(request)).toContain("Page p2.");
        return { toolCalls: [call("scrape", { url: site.url })] };
      },
      (request) => {
        expect(lastTool(request)).toMatch(/^Refused: /);
        return { toolCalls: [call("scrape", { url: site.url })] };
      },
      ...Array.from({ length: 5 }, () => same),
    ];
    const state = await run({ prompt: "All", urls: [site.url], schema: BOOKS });
    expect(state).toMatchObject({ status: "failed", stopReason: "no_answer", creditsUsed: 0 });
    expect(site.asked.length).toBeLessThanOrEqual(2);
    expect(asked).toHaveLength(6);
  });
});

describe("ends without data", () => {
  it("fails a run as empty_answer, free of charge, with the model's message when it finds nothing", async () => {
    await using site = await startPages(catalogueSite(buildItems(4), 4));
    const nothing = calls(call("finish", { data: {}, message: "The shop sells no boats." }));
    turns = [calls(call("scrape", { url: site.url })), nothing, nothing, nothing];
    const state = await run({ prompt: "Boats", urls: [site.url] });
    expect(state).toMatchObject({
      status: "failed",
      stopReason: "empty_answer",
      code: "AGENT_EMPTY_ANSWER",
      error: "The shop sells no boats.",
      creditsUsed: 0,
    });
  });

  it("fails a run as no_answer when it ends with text, and keeps collected rows in partial", async () => {
    await using site = await startPages(catalogueSite(buildItems(4), 4));
    turns = [
      calls(call("scrape", { url: site.url })),
      (request) => {
        const columns = { name: columnWith(lastTool(request), "t1", "Oak lamp 1") };
        return { toolCalls: [call("collect", { page: "p1", table: "t1", columns })] };
      },
      ...Array.from({ length: 4 }, () => ({ text: "Here you are." })),
    ];
    const state = await run({ prompt: "All", urls: [site.url], schema: BOOKS });
    expect(state).toMatchObject({ status: "failed", code: "AGENT_NO_ANSWER" });
    expect((state["partial"] as { items: unknown[] }).items).toHaveLength(4);
  });

  it("accepts data that a model writes as text instead of calling finish", async () => {
    await using site = await startPages(catalogueSite(buildItems(4), 4));
    turns = [
      calls(call("scrape", { url: site.url })),
      { text: '```json\n{"items": [{"name": "Oak chair 2", "price": 57.5}]}\n```' },
    ];
    const state = await run({ prompt: "The chair", urls: [site.url], schema: BOOKS });
    expect(state).toMatchObject({
      status: "completed",
      data: { items: [{ name: "Oak chair 2", price: 57.5 }] },
    });
  });
});

describe("a long conversation", () => {
  it("replaces old tool answers by one line with the notes, and lets the model read the page again", async () => {
    const items = buildItems(30);
    const site = catalogueSite(items, 30);
    const filler = "Oiled oak lasts for generations if it is kept dry. ".repeat(200);
    for (const path of Object.keys(site))
      site[path] = String(site[path]).replace("</main>", `<p>${filler}</p></main>`);
    await using pages = await startPages(site);
    const small = await startService(undefined, {
      egressAllow: ["127.0.0.1"],
      model: "openai-compatible/scripted",
      modelBaseUrl: model.baseUrl,
      modelInputTokens: 6_000,
    });
    try {
      turns = [
        calls(call("scrape", { url: `${pages.url}/item/1` })),
        calls(call("note", { text: "Lamp 1 weighs 1 kg" })),
        ...[2, 3, 4, 5, 6].map((number) =>
          calls(call("scrape", { url: `${pages.url}/item/${number}` })),
        ),
        (request) => {
          const [first] = request.messages.filter(({ role }) => role === "tool");
          expect(first?.content).toContain("/item/1");
          expect(first?.content).toContain('read {"page":"p1"}');
          expect(first?.content).toContain("Noted then: Lamp 1 weighs 1 kg");
          expect(first?.content?.length).toBeLessThan(800);
          const size = JSON.stringify(request.messages).length;
          expect(size).toBeLessThan(6_000 * 5);
          return { toolCalls: [call("read", { page: "p1" })] };
        },
        (request) => {
          expect(lastTool(request)).toContain("Oak lamp 1");
          return { toolCalls: [call("finish", { data: { items: [{ name: "Oak lamp 1" }] } })] };
        },
      ];
      const ask = agentCalls(() => small);
      const state = await ask.run({ prompt: "Weights", urls: [pages.url], schema: BOOKS });
      model.check();
      expect(state.status, state.error).toBe("completed");
      expect(turns).toEqual([]);
    } finally {
      await small.close();
    }
  });
});
