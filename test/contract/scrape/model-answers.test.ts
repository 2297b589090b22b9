// Realistic language models, each a scripted server: a strong one that answers with references, a
// weak one that writes values in its own way, and broken ones. Over HTTP, with the cost of each.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document } from "../../../src/contract/page/document.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import type { ChatRequest, ScriptedAnswer, Turn } from "../../model-server.ts";
import { isRemote } from "../../service.ts";
import {
  json,
  lastWords,
  startScriptedService,
  type ScriptedService,
} from "../../understanding/scripted-service.ts";

const FILM = `<!doctype html><html lang="en"><head><title>The Salt Road</title></head><body>
<nav><a href="/">Reelbook</a></nav><main><h1>The Salt Road</h1><p>2025 · 12A · 1h 52m</p>
<div><span>7.8</span> <span>12.4K ratings</span></div>
<h2>Top cast</h2><div class="cast">
<div><a href="/n/10">Noor van Dam</a><span>Ilse</span></div>
<div><a href="/n/11">Tomasz Wrona</a><span>Captain Brandt</span></div>
<div><a href="/n/12">Adaeze Obi</a><span>Marit</span></div></div>
<label for="s">Size</label><select id="s"><option>S<option selected>M<option>L</select>
<p>Questions? <a href="mailto:press@reelbook.example">Write to us</a></p></main></body></html>`;

const SCHEMA = {
  type: "object",
  properties: {
    title: { type: "string" },
    minutes: { type: "integer" },
    cast: {
      type: "array",
      items: {
        type: "object",
        properties: { actor: { type: "string" }, role: { type: "string" } },
        required: ["actor"],
      },
    },
    email: { type: "string" },
  },
  required: ["title"],
};

const VALUE = {
  title: "The Salt Road",
  minutes: 112,
  cast: [
    { actor: "Noor van Dam", role: "Ilse" },
    { actor: "Tomasz Wrona", role: "Captain Brandt" },
    { actor: "Adaeze Obi", role: "Marit" },
  ],
  email: "press@reelbook.example",
};

let base: string;
let scripted: ScriptedService;

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(request.url === "/empty" ? "<title>Nothing</title><p>Nothing here." : FILM);
  }));
  scripted = await startScriptedService(base);
});
afterAll(async () => {
  if (isRemote) return;
  await scripted[Symbol.asyncDispose]();
  await closeAll();
});

const film = (schema: object = SCHEMA, more: object = {}): Promise<Document> =>
  scripted.service.page({
    url: `${base}/film`,
    formats: [json(schema, { prompt: "The film", evidence: true })],
    ...more,
  });

/** Returns the reference of the line that ends in these words. */
function refOf(request: ChatRequest, words: string): string {
  const line = lastWords(request)
    .split("\n")
    .find((text) => text.replace(/ -> .*$/, "").endsWith(words));
  return /^\s*(n\d+)/.exec(line ?? "")?.[1] ?? "";
}

/** Answer of a strong model: references. */
const pointing = (request: ChatRequest): ScriptedAnswer => ({
  json: {
    data: {
      title: refOf(request, "h1 The Salt Road"),
      minutes: `${refOf(request, "1h 52m")}: 112`,
      cast: VALUE.cast.map(({ actor, role }) => ({
        actor: refOf(request, `a ${actor}`),
        role: refOf(request, `span ${role}`),
      })),
      email: refOf(request, "a Write to us"),
    },
  },
});

/** Answer of a weak model: its own spelling. */
const weak = (text: string): Turn => ({ text });
const quoted = JSON.stringify({
  data: VALUE,
  quotes: [{ pointer: "/minutes", quote: "1h 52m" }],
});

const completion = (message: object, finish = "stop"): Turn => ({
  raw: JSON.stringify({
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
    usage: { prompt_tokens: 500, completion_tokens: 20 },
  }),
});

describe.skipIf(isRemote)("json with answers of a model", () => {
  it("copies values from the page and returns their places when the model answers with references", async () => {
    const { asked, check } = scripted.play([pointing]);
    const document = await film();
    expect(document.json).toEqual(VALUE);
    expect(document.warning).toBeUndefined();
    expect(document.jsonEvidence?.["/cast/1/actor"]).toMatchObject({
      source: "model",
      ref: expect.stringMatching(/^n\d+$/) as string,
      text: "Tomasz Wrona",
    });
    expect(document.jsonEvidence?.["/minutes"]).toMatchObject({ text: "2025 · 12A · 1h 52m" });
    expect(document.metadata?.creditsUsed).toBe(5);
    const shown = lastWords(asked()[0]);
    expect(shown).toContain("-> mailto:press@reelbook.example");
    expect(shown).toContain("S | M (selected) | L");
    check();
  });

  it.each<[string, Turn]>([
    ["with the wrapper", weak(quoted)],
    ["without the wrapper", weak(JSON.stringify(VALUE).replace("112", '"1h 52m"'))],
    ["in a code fence", weak(`Here you go:\n\`\`\`json\n${quoted}\n\`\`\`\nAnything else?`)],
    ["after thoughts", weak(`<think>{"data": {"title": "no"}} hm</think>${quoted}`)],
    ["with single quotes", weak(quoted.replaceAll('"', "'"))],
    ["with trailing commas", weak(quoted.replaceAll("}", ",}").replaceAll("]", ",]"))],
    ["in reasoning_content", completion({ content: "", reasoning_content: `So: ${quoted}` })],
    ["with numbers as text", weak(quoted.replace("112", '"112"'))],
  ])("reads an answer %s in one call", async (_, turn) => {
    const { check } = scripted.play([turn]);
    const { json: value } = await film();
    expect(value).toEqual(VALUE);
    check();
  });

  it("keeps the complete values of a truncated answer, with a warning", async () => {
    const cut = quoted.slice(0, quoted.indexOf("Adaeze"));
    const { check } = scripted.play([{ text: cut, finish: "length" }]);
    const document = await film();
    expect(document.json).toMatchObject({ title: VALUE.title, cast: VALUE.cast.slice(0, 2) });
    expect(document.warning).toContain("the model's answer was truncated; values may be missing");
    check();
  });

  it("continues an answer that was truncated before its first value", async () => {
    const { asked, check } = scripted.play([
      { text: quoted.slice(0, 12), finish: "length" },
      { text: quoted.slice(12) },
    ]);
    expect((await film()).json).toEqual(VALUE);
    expect(lastWords(asked()[1])).toContain("Continue exactly where it stopped");
    check();
  });

  it("sends smaller parts when the model rejects the request as too long", async () => {
    const sizes: number[] = [];
    scripted.play((request) => {
      const page =
        lastWords(request)
          .split(/<\/?page-\w+>/)
          .at(-2) ?? "";
      sizes.push(page.length);
      if (page.length > 250)
        return { status: 400, error: "This model's maximum context length is 512 tokens." };
      const cast = VALUE.cast.filter(({ actor }) => refOf(request, `a ${actor}`) !== "");
      const title = refOf(request, "h1 The Salt Road");
      return { json: { data: { title: title || null, cast } } };
    });
    const document = await film();
    expect(document.json).toEqual({ title: VALUE.title, cast: VALUE.cast });
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes.slice(-2))).toBeLessThanOrEqual(250);
  });

  it("repeats a call that got a 429 after Retry-After, within the timeout", async () => {
    const busy: Turn = { status: 429, headers: { "retry-after": "0.2" } };
    const { check } = scripted.play([busy, pointing]);
    expect((await film()).json).toEqual(VALUE);
    check();
  });

  it("drops and names values that the page does not have", async () => {
    scripted.play([
      { json: { data: { ...VALUE, minutes: 95, email: "me@evil.example", title: "n999" } } },
    ]);
    const document = await film();
    expect(document.json).toEqual({ cast: VALUE.cast });
    expect(document.warning).toContain("the page does not contain it: /minutes, /email");
    expect(document.warning).toContain("/title (the page has no n999)");
  });

  it("keeps the values of the answered part of a long page when the model fails afterwards", async () => {
    const rows = Array.from(
      { length: 80 },
      (_, at) => `<tr><td>Person ${at}</td><td>Role ${at}</td></tr>`,
    );
    const { base: long } = await openSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(
        `<h1>Staff</h1><table><tr><th>Actor</th><th>Role</th></tr>${rows.join("")}</table>`,
      );
    });
    const service = await startScriptedService(long);
    try {
      service.play((request, nth) => {
        if (nth > 0) return { status: 400, error: "Bad request." };
        const people = lastWords(request).matchAll(/(n\d+) Person/g);
        return { json: { data: { cast: [...people].map(([, ref]) => ({ actor: ref })) } } };
      });
      const document = await service.service.page({
        url: long,
        formats: [json({ ...SCHEMA, required: [] }, { prompt: "everybody" })],
      });
      const { cast } = document.json as { cast: readonly object[] };
      expect(cast[0]).toEqual({ actor: "Person 0" });
      expect(cast.length).toBeLessThan(80);
      expect(document.warning).toMatch(/failed after 1 of \d+ parts of the page/);
    } finally {
      await service[Symbol.asyncDispose]();
    }
  });
});

describe.skipIf(isRemote)("json without a usable answer of the model", () => {
  it.each<[string, Turn | readonly Turn[], string, number]>([
    ["never answers", () => ({ hang: true }), "did not answer within the scrape's timeout", 0],
    [
      "keeps answering nonsense",
      () => weak("Lorem ipsum.") as ScriptedAnswer,
      "gave no usable answer",
      1,
    ],
    ["refuses", [{ text: "", finish: "content_filter" }], "declined to answer", 1],
    ["sends a body that is no JSON", () => ({ raw: "<html>" }), "did not answer with JSON", 0],
    [
      "stays busy for longer than the timeout",
      [{ status: 429, headers: { "retry-after": "120" } }],
      "is rate limiting calls",
      0,
    ],
    [
      "rejects its key",
      [{ status: 401, error: "Incorrect API key" }],
      "answered with status 401",
      0,
    ],
  ])(
    "returns values by rules, with a warning and no charge, when the model %s",
    async (_, turns, said, min) => {
      scripted.play(turns as Turn);
      const document = await film(SCHEMA, { timeout: 2_500 });
      expect(document.json).toMatchObject({ title: "The Salt Road" });
      expect(document.warning).toContain(said);
      expect(document.warning).toContain("Values found by rules are returned instead.");
      expect(document.metadata?.creditsUsed).toBe(1);
      // Tokens of failed calls are counted.
      const spent = Number(document.metadata?.["modelInputTokens"] ?? 0);
      expect(Math.sign(spent)).toBe(min);
    },
  );

  it("charges nothing for a question that the model did not answer, and returns passages", async () => {
    scripted.play([{ status: 401, error: "Incorrect API key" }]);
    const document = await scripted.service.page({
      url: `${base}/film`,
      formats: [{ type: "question", question: "Who is in the top cast?" }],
    });
    expect(document.warning).toContain("answered with status 401");
    expect(document.metadata?.creditsUsed).toBe(1);
  });
});

describe.skipIf(isRemote)("json of a page without the requested data", () => {
  it("costs as much as a plain scrape, with a model and without one", async () => {
    scripted.play([{ json: { data: { isbn: null } } }]);
    const schema = { type: "object", properties: { isbn: { type: "string" } } };
    const document = await scripted.service.page({
      url: `${base}/empty`,
      formats: [json(schema)],
    });
    expect(document.json ?? {}).toEqual({});
    expect(document.metadata?.creditsUsed).toBe(1);
    const byRules = await scripted.service.page({
      url: `${base}/empty`,
      formats: [{ type: "deterministicJson", schema }],
    });
    expect(byRules.metadata?.creditsUsed).toBe(1);
  });
});
