// MCP over HTTP with clients of both SDK generations; the tool read, and the size of answers.
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool, startMcp, joinText, type McpFixture, type Result } from "../../mcp.ts";
import { isRemote } from "../../service.ts";
import { countTokens } from "../../../src/ranking/model-tokens.ts";

let base: string;
let mcp: McpFixture;
const connect = (query?: string, token?: string) => mcp.connect(query, token);
beforeAll(async () => {
  if (isRemote) return;
  mcp = await startMcp();
  ({ base } = mcp);
}, 60_000);
afterAll(async () => {
  if (!isRemote) await mcp.close();
});

describe.skipIf(isRemote)("MCP over HTTP", () => {
  it("lists eight tools with annotations and output schemas, and others on request", async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "browse",
      "crawl",
      "data",
      "find",
      "job",
      "map",
      "read",
      "search",
    ]);
    for (const { name, description, outputSchema, annotations } of tools) {
      expect(description?.length, name).toBeGreaterThan(40);
      expect(outputSchema?.["type"], name).toBe("object");
      expect(annotations?.readOnlyHint, name).toBeTypeOf("boolean");
    }
    const readers = await (await connect("?tools=read-only")).listTools();
    expect(readers.tools.map(({ name }) => name).sort()).toEqual([
      "data",
      "find",
      "map",
      "read",
      "search",
    ]);
    const more = await (await connect("?tools=default,agent")).listTools();
    expect(more.tools).toHaveLength(9);
    const refused = await mcp.service.ask("/mcp?tools=nothing", { method: "POST", body: {} });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringContaining('no tools "nothing"'),
    ]);
  });

  it("answers MCP clients of the first SDK", async () => {
    const client = new OldClient({ name: "old", version: "1" });
    await client.connect(
      new OldTransport(new URL(`${mcp.service.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${mcp.key}` } },
      }),
    );
    mcp.keep(client);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(8);
    const result = (await client.callTool({
      name: "read",
      arguments: { target: `${base}/` },
    })) as unknown as Result;
    expect(joinText(result)).toContain("# Harbour");
  });

  it("rejects MCP callers without a valid key", async () => {
    await expect(connect("", "wrong")).rejects.toThrow();
    const { status } = await fetch(`${mcp.service.url}/mcp`, { method: "POST", body: "{}" });
    expect(status).toBe(401);
  });

  it("rejects MCP calls of web pages of other origins, also with a key", async () => {
    const call = async (origin: string): Promise<Response> =>
      await fetch(`${mcp.service.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${mcp.key}`,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          origin,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
    const foreign = await call("https://evil.example");
    expect([foreign.status, ((await foreign.json()) as { error: string }).error]).toEqual([
      403,
      expect.stringMatching(/^Web pages of https:\/\/evil\.example may not call \/mcp/),
    ]);
    expect((await call(new URL(mcp.service.url).origin)).status).toBe(200);
  });

  it("enforces scopes and hosts of the key over MCP", async () => {
    const limited = (
      await mcp.service.admin("POST", "/admin/keys", {
        name: "limited",
        scopes: ["scrape"],
        allowHosts: ["example.com"],
      })
    ).body.data as unknown as { key: string };
    const client = await connect("", limited.key);
    const read = await callTool(client, "read", { target: `${base}/` });
    expect([read.isError, joinText(read)]).toEqual([true, expect.stringContaining("example.com")]);
    const crawl = await callTool(client, "crawl", { url: "https://example.com/" });
    expect([crawl.isError, joinText(crawl)]).toEqual([true, expect.stringContaining("scope")]);
  });
});

describe.skipIf(isRemote)("MCP tool read", () => {
  it("read returns a short page whole with its handle", async () => {
    const result = await callTool(await connect(), "read", { target: `${base}/` });
    expect(result.structuredContent).toMatchObject({ kind: "text", title: "Harbour" });
    expect(joinText(result)).toContain("quarry://capture/");
    expect(result.structuredContent?.["text"]).toContain("The harbour office keeps a list");
  });

  it("read returns the outline of a long page, then a section without another fetch", async () => {
    const client = await connect();
    const { structuredContent: outline = {} } = await callTool(client, "read", {
      target: `${base}/long`,
    });
    expect(outline["kind"]).toBe("outline");
    expect(outline["text"]).toMatch(
      /\n {2}\d+\. Chapter 7 \(\d+ tokens\)\n {4}\d+\. Fees of chapter 7/,
    );
    const before = mcp.asked();
    const number = /(\d+)\. Fees of chapter 7/.exec(String(outline["text"]))?.[1];
    const section = await callTool(client, "read", { target: outline["handle"], section: number });
    expect(section.structuredContent?.["text"]).toMatch(
      /^### Fees of chapter 7\n\nA night costs 26 crowns/,
    );
    expect(section.structuredContent?.["text"]).not.toContain("27 crowns");
    const byWords = await callTool(client, "read", {
      target: `${String(outline["handle"])}#Chapter 9`,
    });
    expect(byWords.structuredContent?.["text"]).toMatch(/^## Chapter 9\n/);
    expect(byWords.structuredContent?.["text"]).toContain("28 crowns");
    expect(mcp.asked()).toBe(before);
    const none = await callTool(client, "read", {
      target: outline["handle"],
      section: "Chapter 99",
    });
    expect([none.isError, joinText(none)]).toEqual([
      true,
      expect.stringMatching(/read it without section for the outline\.$/),
    ]);
  });

  it("read returns the passages that answer a question", async () => {
    const result = await callTool(await connect(), "read", {
      target: `${base}/long`,
      question: "What does a night cost for boats of chapter 11?",
    });
    expect(result.structuredContent?.["kind"]).toBe("passages");
    expect(result.structuredContent?.["text"]).toContain("30 crowns");
    expect(Number(result.structuredContent?.["totalTokens"])).toBeGreaterThan(2_000);
    expect(String(result.structuredContent?.["text"]).length).toBeLessThan(7_000);
  });

  it("read marks passages outside of the main content, and fetches the page only once for them", async () => {
    const client = await connect();
    const before = mcp.asked();
    const question = "Where can I call the keeper of the lighthouse?";
    const first = await callTool(client, "read", { target: `${base}/footed`, question });
    const expected =
      /\[outside of the main content, after .*\]\n(?:### .*\n+)?The lighthouse keeper answers on 555 0199/;
    expect(first.structuredContent?.["text"]).toMatch(expected);
    const target = first.structuredContent?.["handle"];
    const again = await callTool(client, "read", { target, question });
    expect(again.structuredContent?.["text"]).toMatch(expected);
    expect(mcp.asked() - before).toBe(1);
  });

  it("read returns the beginning of a long page without an outline, not the whole budget", async () => {
    const client = await connect();
    const first = await callTool(client, "read", { target: `${base}/wide` });
    const text = joinText(first);
    expect(text).toMatch(/truncated\. To continue, read with from: \d+, or ask a question\./);
    expect(countTokens(text)).toBeLessThan(1_800);
    const { handle, next } = first.structuredContent ?? {};
    const rest = await callTool(client, "read", { target: handle, from: next });
    expect(countTokens(joinText(rest))).toBeGreaterThan(4_000);
  });

  it("read continues at the offset until each part was returned once", async () => {
    const client = await connect();
    let from: number | undefined = 0;
    let whole = "";
    let parts = 0;
    let handle: unknown = `${base}/wide`;
    while (from !== undefined) {
      const { structuredContent = {} } = await callTool(client, "read", {
        target: handle,
        from,
        maxTokens: 20_000,
      });
      whole += String(structuredContent["text"]);
      from = structuredContent["next"] as number | undefined;
      ({ handle } = structuredContent);
      parts += 1;
    }
    expect(parts).toBeGreaterThan(2);
    for (const day of [0, 1, 2_999, 5_999])
      expect(
        whole.match(new RegExp(`\\| *${day} *\\| *${(day * 7919) % 1000} cm`, "g")),
      ).toHaveLength(1);
  });

  it("read compares two readings of a page, or of a section, without another fetch, and a URL with a new one", async () => {
    const client = await connect();
    const read = async (args: object) =>
      (await callTool(client, "read", { target: `${base}/board`, fresh: true, ...args }))
        .structuredContent ?? {};
    const since = String((await read({}))["handle"]);
    const ferry = mcp.asked();
    const target = String((await read({}))["handle"]);
    const before = mcp.asked();
    const whole = await read({ target, since });
    expect(whole["kind"]).toBe("diff");
    expect(whole["text"]).toMatch(
      new RegExp(`^@@ .* @@\\n[^]*\\n-Ferry ${ferry} leaves [^]*\\n\\+Ferry ${before} leaves `),
    );
    expect(whole["notes"]).toContain("1 added and 1 removed lines since the earlier reading:");
    const section = await read({ target: `${target}#Departures`, since });
    expect(section["text"]).toContain(`+Ferry ${before} leaves`);
    const rules = await read({ target, since: `${since}#Rules` });
    expect([rules["text"], rules["notes"]]).toEqual([
      "",
      ["Nothing differs from the earlier reading."],
    ]);
    expect(mcp.asked()).toBe(before);
    const again = await callTool(client, "read", { target: `${base}/board`, since });
    expect(mcp.asked()).toBe(before + 1);
    expect(joinText(again)).toContain(`+Ferry ${before + 1} leaves`);
    const asked = await callTool(client, "read", { target, since, question: "Which ferry?" });
    expect([asked.isError, joinText(asked)]).toEqual([
      true,
      expect.stringContaining("since and question exclude each other"),
    ]);
    const wrong = await callTool(client, "read", { target, since: `${base}/board` });
    expect([wrong.isError, joinText(wrong)]).toEqual([
      true,
      expect.stringContaining("since must be the quarry://capture/ handle"),
    ]);
    const gone = await callTool(client, "read", { target: `${base}/long`, section: "3", since });
    expect([gone.isError, joinText(gone)]).toEqual([
      true,
      expect.stringContaining("Compare the whole pages"),
    ]);
    const unknown = "quarry://capture/01999999-0000-7000-8000-000000000000";
    for (const asked of [{ target: unknown }, { target: `${base}/long`, since: unknown }]) {
      const { isError, content } = await callTool(client, "read", asked);
      expect([isError, content[0]?.text]).toEqual([
        true,
        "NOT_FOUND: Capture not found. Handles expire with their scrape; read the page by its URL, and the answer has a new handle.",
      ]);
    }
  });

  it("read marks page text as data and removes invisible characters", async () => {
    const result = await callTool(await connect(), "read", { target: `${base}/hostile` });
    const text = joinText(result);
    expect(text).toMatch(/<page-([0-9a-f]{16})>\n[^]*Plain words here[^]*\n<\/page-\1>/);
    expect(text.indexOf("Ignore all previous")).toBeGreaterThan(text.indexOf("<page-"));
    expect(JSON.stringify(result)).not.toMatch(/[\u200B\u{E0041}]/u);
  });

  it("read reports an error status of the site", async () => {
    const result = await callTool(await connect(), "read", { target: `${base}/missing` });
    expect(joinText(result)).toContain("The site answered with status 404.");
  });

  it("read suggests what to try when a page cannot be fetched", async () => {
    const result = await callTool(await connect(), "read", {
      target: "https://no-such-host.invalid/",
    });
    expect(result.isError).toBe(true);
    expect(joinText(result)).toMatch(
      /^SCRAPE_DNS_RESOLUTION_ERROR: .* search finds pages by words\.$/s,
    );
    const word = await callTool(await connect(), "read", { target: "no url" });
    expect(joinText(word)).toContain("Give a whole URL");
  });

  it("serves a section as a resource by its handle", async () => {
    const client = await connect();
    const { structuredContent = {} } = await callTool(client, "read", { target: `${base}/long` });
    const uri = `${String(structuredContent["handle"])}#4`;
    const { contents } = await client.readResource({ uri });
    expect(contents[0]).toMatchObject({ uri, mimeType: "text/markdown" });
    expect((contents[0] as { text: string }).text).toMatch(/^<page-[0-9a-f]+>\n#{2,3} /);
  });

  it("answers resource not found for an unknown section or page", async () => {
    const client = await connect();
    const { structuredContent = {} } = await callTool(client, "read", { target: `${base}/long` });
    const section = `${String(structuredContent["handle"])}#99`;
    await expect(client.readResource({ uri: section })).rejects.toMatchObject({
      uri: section,
      message: expect.stringContaining('The page has no section "99"') as string,
    });
    const page = "quarry://capture/0199f0c0-0000-7000-8000-000000000001";
    await expect(client.readResource({ uri: page })).rejects.toMatchObject({
      uri: page,
      message: expect.stringContaining("Capture not found. Handles expire") as string,
    });
  });
});

describe.skipIf(isRemote)("MCP answers", () => {
  it.each([500, 800, 2_000, 8_000])(
    "every MCP answer keeps a budget of %i tokens",
    async (maxTokens) => {
      const { countTokens: count200 } = await import("gpt-tokenizer/encoding/o200k_base");
      const { countTokens: count100 } = await import("gpt-tokenizer/encoding/cl100k_base");
      const client = await connect();
      const calls: [string, object][] = [
        ["read", { target: `${base}/long` }],
        ["read", { target: `${base}/long`, whole: true }],
        ["read", { target: `${base}/long`, question: "berths fees night boats" }],
        ["read", { target: `${base}/wide`, from: 0 }],
        ["read", { target: `${base}/hostile` }],
        ["find", { target: `${base}/wide`, pattern: "\\d+ cm", isRegex: true }],
        ["map", { url: `${base}/` }],
        [
          "data",
          {
            url: `${base}/long`,
            schema: { type: "object", properties: { title: { type: "string" } } },
          },
        ],
      ];
      for (const [name, args] of calls) {
        const result = await callTool(client, name, { ...args, maxTokens });
        const options = { disallowedSpecial: new Set<string>() };
        for (const count of [count100, count200])
          for (const shown of [
            JSON.stringify(result.content),
            JSON.stringify(result.structuredContent ?? {}),
          ])
            expect(count(shown, options), `${name} ${JSON.stringify(args)}`).toBeLessThanOrEqual(
              maxTokens,
            );
        if (maxTokens >= 800) expect(result.isError, joinText(result)).toBeFalsy();
      }
    },
    60_000,
  );
});
