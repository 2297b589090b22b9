// The other tools of the MCP server, and the server over standard input and output.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDataFolder } from "../../data-folder.ts";
import { callTool, startMcp, joinText, type McpFixture } from "../../mcp.ts";
import { isRemote } from "../../service.ts";

let base: string;
let mcp: McpFixture;
const connect = () => mcp.connect();
beforeAll(async () => {
  if (isRemote) return;
  mcp = await startMcp();
  ({ base } = mcp);
}, 60_000);
afterAll(async () => {
  if (!isRemote) await mcp.close();
});

describe.skipIf(isRemote)("MCP tools", () => {
  it("find returns matches with their sections and rejects invalid patterns", async () => {
    const client = await connect();
    const { structuredContent = {} } = await callTool(client, "read", { target: `${base}/long` });
    const target = structuredContent["handle"];
    const found = await callTool(client, "find", {
      target,
      pattern: "a night costs 2\\d crowns",
      isRegex: true,
    });
    expect(found.structuredContent).toMatchObject({ total: 10 });
    const plain = await callTool(client, "find", { target, pattern: "28 Crowns" });
    expect(plain.structuredContent?.["matches"]).toMatchObject([
      { text: expect.stringContaining("A night costs 28 crowns") as string },
    ]);
    const { structuredContent: footed } = await callTool(client, "read", {
      target: `${base}/footed`,
    });
    const outside = await callTool(client, "find", {
      target: footed?.["handle"],
      pattern: "555 0199",
    });
    expect(outside.structuredContent).toMatchObject({
      total: 1,
      matches: [
        { text: expect.stringContaining("lighthouse keeper answers on 555 0199") as string },
      ],
    });
    expect(joinText(outside)).toContain("outside of the main content: ");
    const wrong = await callTool(client, "find", { target, pattern: "(", isRegex: true });
    expect([wrong.isError, joinText(wrong)]).toEqual([
      true,
      expect.stringContaining("regular expression"),
    ]);
  });

  it("monitor makes, lists and runs a monitor, and monitor_changes reads what it found", async () => {
    const client = await mcp.connect("?tools=monitor");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(["monitor", "monitor_changes"]);
    const made = await callTool(client, "monitor", { urls: [`${base}/`], every: "hourly" });
    const { monitors } = made.structuredContent as { monitors: { id: string; status: string }[] };
    const [monitor] = monitors;
    expect(monitor).toMatchObject({ status: "active", schedule: "hourly" });
    const id = monitor?.id ?? "";
    const path = `/v2/monitor/${id}`;
    await mcp.service.ask(path, { method: "PATCH", body: { detection: { confirmations: 0 } } });
    await callTool(client, "monitor", { id, action: "run" });
    const last = async () => (await callTool(client, "monitor", { id })).structuredContent;
    await expect.poll(last, { timeout: 30_000 }).toMatchObject({
      monitors: [{ status: "active", last: "1 new" }],
    });
    const changes = await callTool(client, "monitor_changes", { id });
    expect(changes.structuredContent).toMatchObject({ check: null, pages: [] });
    const checks = await mcp.service.ask(`${path}/checks`);
    const [check] = checks.body.data as unknown as { id: string }[];
    const first = await callTool(client, "monitor_changes", { id, check: check?.id });
    expect(joinText(first)).toMatch(
      /^completed: 1 page, 1 of them here\.\n<page-(\w+)>\nnew \S+\n<\/page-\1>$/,
    );
    const bad = await callTool(client, "monitor", { urls: [`${base}/`], every: "sometimes" });
    expect([bad.isError, joinText(bad)]).toEqual([true, expect.stringContaining("not understood")]);
    expect((await callTool(client, "monitor", {})).structuredContent).toMatchObject({
      monitors: [{ id }],
    });
    const deleted = await callTool(client, "monitor", { id, action: "delete" });
    expect(joinText(deleted)).toBe(`Monitor ${id} is deleted.`);
    expect((await callTool(client, "monitor", {})).structuredContent).toEqual({ monitors: [] });
  });

  it("monitor lists more monitors than the API lists at once, each exactly once", async () => {
    const client = await mcp.connect("?tools=monitor");
    const made: string[] = [];
    for (let at = 0; at < 60; at++) {
      const one = await callTool(client, "monitor", { urls: [`${base}/`], every: "hourly" });
      made.unshift((one.structuredContent as { monitors: [{ id: string }] }).monitors[0].id);
    }
    const listed: string[] = [];
    for (let cursor: string | undefined, calls = 0; calls === 0 || cursor !== undefined; calls++) {
      expect(calls).toBeLessThan(10);
      const page = await callTool(client, "monitor", { cursor, maxTokens: 20_000 });
      const found = page.structuredContent as { monitors: { id: string }[]; nextCursor?: string };
      listed.push(...found.monitors.map(({ id }) => id));
      cursor = found.nextCursor;
      if (cursor !== undefined) expect(joinText(page)).toContain(`cursor: ${cursor}`);
    }
    expect(listed).toEqual(made);
    for (const id of made) await callTool(client, "monitor", { id, action: "delete" });
  }, 60_000);

  it("crawl starts a job and returns its pages with handles for read", async () => {
    const client = await connect();
    let state = await callTool(client, "crawl", { url: `${base}/`, limit: 3 });
    const job = state.structuredContent?.["job"];
    await expect
      .poll(
        async () => {
          state = await callTool(client, "crawl", { job });
          return state.structuredContent?.["status"];
        },
        { timeout: 30_000 },
      )
      .toBe("completed");
    const entries = state.structuredContent?.["entries"] as { url: string; handle: string }[];
    expect(entries.map(({ url }) => new URL(url).pathname).sort()).toEqual(["/", "/long", "/wide"]);
    const page = entries.find(({ url }) => url.endsWith("/long"));
    const read = await callTool(client, "read", {
      target: page?.handle,
      question: "fees chapter 3",
    });
    expect(read.structuredContent?.["text"]).toContain("22 crowns");
    const ended = await callTool(client, "job", { job, cancel: true });
    expect(ended.structuredContent?.["status"]).toBe("completed");
  }, 60_000);

  it("data fills a schema from the values on the page", async () => {
    const schema = { type: "object", properties: { title: { type: "string" } } };
    const result = await callTool(await connect(), "data", { url: `${base}/long`, schema });
    expect(result.isError, joinText(result)).toBeFalsy();
    expect(result.structuredContent).toHaveProperty("data");
    const without = await callTool(await connect(), "data", { url: `${base}/long` });
    expect([without.isError, joinText(without)]).toEqual([
      true,
      expect.stringContaining("schema or a prompt"),
    ]);
  });

  it("browse opens a page, acts in it, reads it and closes it", async () => {
    const client = await connect();
    const opened = await callTool(client, "browse", { action: "open", url: `${base}/clicks` });
    expect(opened.structuredContent, joinText(opened)).toMatchObject({
      title: "Clicks",
      isOpen: true,
    });
    const { session } = opened.structuredContent ?? {};
    const acted = await callTool(client, "browse", {
      action: "act",
      session,
      code: "await page.getByRole('button').click(); 'done'",
    });
    expect(acted.structuredContent, joinText(acted)).toMatchObject({
      result: "done",
      text: expect.stringContaining("pressed once") as string,
    });
    const wrong = await callTool(client, "browse", {
      action: "act",
      session,
      code: "throw new Error('no')",
    });
    // A page can write what its errors say.
    expect([wrong.isError, joinText(wrong)]).toEqual([
      true,
      expect.stringMatching(/The code failed:\n<page-(\w+)>\nError: no\n[^]*<\/page-\1>$/),
    ]);
    const closed = await callTool(client, "browse", { action: "close", session });
    expect(closed.structuredContent).toMatchObject({ isOpen: false });
    const gone = await callTool(client, "browse", { action: "read", session });
    expect(gone.isError).toBe(true);
  }, 60_000);
});

describe.skipIf(isRemote)("quarry mcp", () => {
  it("quarry mcp serves a client with the service in the same process", async () => {
    const folder = await createDataFolder();
    const client = new Client({ name: "stdio", version: "1" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [path.resolve("bin/quarry.mjs"), "mcp", "--tools", "read,find"],
        env: {
          PATH: process.env["PATH"] ?? "",
          QUARRY_DATA_DIR: folder,
          QUARRY_EGRESS_ALLOW: "127.0.0.1",
        },
        stderr: "ignore",
      }),
    );
    mcp.keep(client);
    expect((await client.listTools()).tools).toHaveLength(2);
    const read = await callTool(client, "read", {
      target: `${base}/long`,
      question: "fees of chapter 5",
    });
    expect(read.structuredContent?.["text"]).toContain("24 crowns");
    const { handle } = read.structuredContent ?? {};
    const again = await callTool(client, "find", { target: handle, pattern: "24 crowns" });
    expect(again.structuredContent).toMatchObject({ total: 1 });
  }, 60_000);
});
