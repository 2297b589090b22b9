// Hostile callers and pages of the agent: endless schemas, extreme limits, private addresses,
// concurrent calls. No language model is configured.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentCalls } from "../../agent-runs.ts";
import { shareService, type Service } from "../../service.ts";
import { docsSite, startPages, type PageSite } from "../../site/agent-sites.ts";

let service: Service;
let docs: PageSite;
const { start, finish, run } = agentCalls(() => service);

beforeAll(async () => {
  docs = await startPages(docsSite());
  service = await shareService();
});
afterAll(async () => {
  await service.close();
  await docs[Symbol.asyncDispose]();
});

const post = (body: object) => service.ask("/v2/agent", { method: "POST", body });

/** Nested objects of the given depth. */
function nested(depth: number): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < depth; level += 1)
    schema = { type: "object", properties: { in: schema } };
  return schema;
}

const many = (count: number): object => ({
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`field${index}`, { type: "string" }]),
  ),
});

describe("hostile schemas", () => {
  it.each([
    [
      "that is itself again",
      { type: "object", properties: { next: { $ref: "#" }, upload: { type: "string" } } },
    ],
    [
      "of lists of itself",
      {
        $defs: {
          node: {
            type: "object",
            properties: {
              name: { type: "string" },
              children: { type: "array", items: { $ref: "#/$defs/node" } },
            },
          },
        },
        $ref: "#/$defs/node",
      },
    ],
    [
      "that refers to itself and nothing else",
      { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
    ],
    ["fifty levels deep", nested(50)],
    ["of a thousand levels", nested(1_000)],
    ["of five thousand fields", many(5_000)],
    [
      "of twenty lists",
      {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 20 }, (_, index) => [
            `list${index}`,
            { type: "array", items: many(20) },
          ]),
        ),
      },
    ],
    [
      "with names of our own",
      {
        type: "object",
        properties: JSON.parse(
          '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"string"},"upload limit":{"type":"string"}}',
        ) as object,
      },
    ],
    ["of what cannot be", { not: {} }],
    ["that allows nothing", { type: "object", properties: { a: false } }],
    [
      "with a pattern that takes for ever",
      { type: "object", properties: { limit: { type: "string", pattern: "^(a+)+$" } } },
    ],
    ["without a type", {}],
  ])(
    "rejects or processes within bounds the schema %s",
    async (_name, schema) => {
      const from = performance.now();
      const started = await post({
        prompt: "upload limit",
        urls: [`${docs.url}/limits`],
        schema,
        effort: "low",
        strictConstrainToURLs: true,
      });
      expect([200, 400]).toContain(started.status);
      if (started.status === 200) {
        const state = await finish(String(started.body["id"]));
        expect(["completed", "failed"]).toContain(state.status);
        expect(state.error ?? "").not.toMatch(/went wrong|again and again|stack|undefined/i);
      } else expect(started.text).toMatch(/schema/i);
      expect(performance.now() - from).toBeLessThan(20_000);
      expect((await service.ask("/v2/agent")).status).toBe(200);
      expect(({} as Record<string, unknown>)["type"]).toBeUndefined();
    },
    40_000,
  );
});

describe("hostile prompts", () => {
  it.each([
    ["of 10,000 letters in one word", "a".repeat(10_000)],
    ["of signs only", "?!".repeat(2_000)],
    ["with half of a surrogate pair", "upload limit \ud800"],
    ["of ten thousand words of one", "limit ".repeat(1_600)],
    ["that is nearly a pattern", "(".repeat(500) + "[a-z".repeat(100)],
  ])("processes the prompt %s", async (_name, prompt) => {
    const state = await run({
      prompt,
      urls: [`${docs.url}/limits`],
      effort: "low",
      schema: { type: "object", properties: { uploadLimit: { type: "string" } } },
    });
    expect(["completed", "failed"]).toContain(state.status);
    expect(state.error ?? "").not.toMatch(/went wrong|again and again/);
  });

  it("answers 400 for a prompt with a NUL character", async () => {
    const body = { prompt: "upload\0 limit", urls: [`${docs.url}/limits`] };
    const { status, body: answer } = await service.ask("/v2/agent", { method: "POST", body });
    expect([status, answer.error]).toEqual([
      400,
      "prompt in the request body contains a NUL character (U+0000), which cannot be stored; remove it.",
    ]);
  });

  it("rejects an empty prompt and treats names of object members as text", async () => {
    expect((await post({ prompt: "" })).status).toBe(400);
    expect((await post({ prompt: { toString: 1 } })).status).toBe(400);
    const state = await run({
      prompt: "constructor __proto__ toString",
      urls: [`${docs.url}/limits`],
      effort: "low",
    });
    expect(state).toMatchObject({ status: "failed", stopReason: "needs_model" });
  });
});

describe("agent credit limits", () => {
  it.each([
    [0, { status: "failed", stopReason: "credit_limit_reached", creditsUsed: 0 }],
    [1, { status: "failed", stopReason: "needs_model", creditsUsed: 0 }],
    [0.5, { status: "failed", stopReason: "credit_limit_reached", creditsUsed: 0 }],
  ])("respects a limit of %d credits", async (maxCredits, expected) => {
    await using fresh = await startPages(docsSite());
    const urls = [`${fresh.url}/limits`];
    const body = { prompt: "upload limit", urls, maxCredits, strictConstrainToURLs: true };
    const state = await run(body);
    expect(state, state.error).toMatchObject(expected);
    expect(fresh.asked).toHaveLength(Math.floor(maxCredits));
  });

  it.each([-1, "many", null])("rejects the limit %j", async (maxCredits) => {
    expect((await post({ prompt: "p", urls: [docs.url], maxCredits })).status).toBe(400);
  });
});

describe("agent URLs", () => {
  it.each([
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]:1/",
    "http://0x7f.1:2/",
    "http://localhost:3/",
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "http://user:word@192.168.0.1/",
  ])("does not visit the private address %s", async (address) => {
    const started = await post({ prompt: "p", urls: [address], effort: "low" });
    if (started.status === 400) return;
    const state = await finish(String(started.body["id"]));
    expect(state).toMatchObject({ status: "failed", creditsUsed: 0 });
    expect(state.error).toContain("No page could be read");
  });

  it("does not follow a page's redirect to a private address", async () => {
    await using site = await startPages({
      "/": `<title>a</title><main><p>The upload limit is 250 MB, as every page says.</p><a href="/in">upload limit of insiders</a></main>`,
      "/in": (_request, response) =>
        void response.writeHead(302, { location: "http://169.254.169.254/latest/" }).end(),
    });
    const state = await run({ prompt: "upload limit", urls: [site.url], effort: "low" });
    expect(state).toMatchObject({ stopReason: "needs_model" });
    expect(site.asked).toContain("/in");
    expect(state["warning"]).toMatch(/1 could not be read/);
  });

  it("with the strict constraint reads no other page of the site by link, redirect or script", async () => {
    const page = (more: string): string =>
      `<title>a</title><main><p>The upload limit is 250 MB, as every page says.</p><a href="/c">upload limit</a></main>${more}`;
    await using site = await startPages({
      "/a": (_request, response) => void response.writeHead(302, { location: "/b" }).end(),
      "/b": page(""),
      "/c": page(""),
      "/d": page(`<script>location.replace("/c")</script>`),
      "/e": page(`<meta http-equiv="refresh" content="0;url=/c">`),
    });
    const urls = ["/a", "/d", "/e"].map((path) => site.url + path);
    const state = await run({ prompt: "upload limit", urls, strictConstrainToURLs: true });
    expect(new Set(site.asked)).toEqual(new Set(["/a", "/d", "/e"]));
    expect(site.robots).toBe(0);
    expect(state).toMatchObject({ stopReason: "needs_model" });
    expect(state["warning"]).toContain("/a");
  }, 60_000);

  it("reads a URL given a hundred times once", async () => {
    await using fresh = await startPages(docsSite());
    const urls = Array.from(
      { length: 100 },
      (_, index) => `${fresh.url}/limits${index % 2 === 0 ? "" : "#part"}`,
    );
    await run({ prompt: "upload limit", urls, strictConstrainToURLs: true });
    expect(fresh.asked).toEqual(["/limits"]);
  });
});

describe("concurrent agent calls", () => {
  it("accepts concurrent deletes of a run in the middle of a step and ends it once", async () => {
    await using slow = await startPages({ "/": () => undefined });
    const id = await start({ prompt: "upload limit", urls: [slow.url] });
    await expect.poll(() => slow.asked).toContain("/");
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => service.ask(`/v2/agent/${id}`, { method: "DELETE" })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const state = await finish(id);
    expect(state).toMatchObject({ status: "failed", stopReason: "cancelled", creditsUsed: 0 });
    const { body } = await service.ask(`/v2/agent/${id}/trace`);
    const types = (body["events"] as unknown as { type: string }[]).map(({ type }) => type);
    expect(types.filter((type) => type === "run.finished")).toHaveLength(1);
  });

  it("completes more runs than can run at once", async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        start({
          prompt: `upload limit ${index}`,
          urls: [`${docs.url}/limits`],
          strictConstrainToURLs: true,
        }),
      ),
    );
    for (const id of ids) expect(await finish(id)).toMatchObject({ stopReason: "needs_model" });
  }, 40_000);
});
