// The eight tools by the SDKs of two clients, over both transports: the official SDK, and the AI SDK,
// whose tools are called as its agent loop calls them.
import { createMCPClient } from "@ai-sdk/mcp";
import { StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { testBrowserExecutable } from "../../browser/launch.ts";
import { createDataFolder } from "../../data-folder.ts";
import { callTool, joinText, startMcp, type McpFixture, type Result } from "../../mcp.ts";
import { isRemote } from "../../service.ts";

let base: string;
let mcp: McpFixture;
beforeAll(async () => {
  if (isRemote) return;
  mcp = await startMcp();
  ({ base } = mcp);
}, 120_000);
afterAll(async () => {
  if (!isRemote) await mcp.close();
});

type Call = (name: string, args: object) => Promise<Result>;

/** `quarry mcp` with the service in its own process. */
const buildProgram = async () => ({
  command: process.execPath,
  args: [path.resolve("bin/quarry.mjs"), "mcp"],
  env: {
    PATH: process.env["PATH"] ?? "",
    QUARRY_DATA_DIR: await createDataFolder(),
    QUARRY_EGRESS_ALLOW: "127.0.0.1",
    QUARRY_BROWSER: await testBrowserExecutable(),
  },
  stderr: "ignore" as const,
});

async function connectOfficial(transport: "http" | "stdio"): Promise<Call> {
  const client = new Client({ name: "official", version: "1" });
  await client.connect(
    transport === "stdio"
      ? new StdioClientTransport(await buildProgram())
      : new StreamableHTTPClientTransport(new URL(`${mcp.service.url}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${mcp.key}` } },
        }),
  );
  onTestFinished(() => client.close());
  return async (name, args) => await callTool(client, name, args);
}

async function connectAiSdk(transport: "http" | "stdio"): Promise<Call> {
  const client = await createMCPClient({
    transport:
      transport === "stdio"
        ? new StdioMCPTransport(await buildProgram())
        : {
            type: "http",
            url: `${mcp.service.url}/mcp`,
            headers: { authorization: `Bearer ${mcp.key}` },
          },
  });
  onTestFinished(() => client.close());
  const tools = await client.tools();
  return async (name, args) => {
    const tool = tools[name];
    if (tool === undefined) throw new Error(`The client sees no tool ${name}.`);
    return (await tool.execute(args, { toolCallId: "1", messages: [], context: {} })) as Result;
  };
}

describe.skipIf(isRemote)("clients of MCP", () => {
  it.each([
    ["the official SDK", "http", connectOfficial],
    ["the official SDK", "stdio", connectOfficial],
    ["the AI SDK", "http", connectAiSdk],
    ["the AI SDK", "stdio", connectAiSdk],
  ] as const)(
    "%s calls all eight tools over %s",
    async (_name, transport, connect) => {
      const ask = await connect(transport);
      const call = async (name: string, args: object): Promise<Record<string, unknown>> => {
        const result = await ask(name, args);
        expect(result.isError, joinText(result)).toBeFalsy();
        return result.structuredContent ?? {};
      };
      const paths = ({ entries }: Record<string, unknown>): string[] =>
        (entries as { url: string }[]).map(({ url }) => new URL(url).pathname).sort();

      const outline = await call("read", { target: `${base}/long` });
      expect(outline).toMatchObject({ kind: "outline", title: "Harbour handbook" });
      const { handle: target } = outline;
      expect(await call("find", { target, pattern: "28 crowns" })).toMatchObject({ total: 1 });
      await expect
        .poll(async () => paths(await call("search", { query: "harbour handbook" })), {
          timeout: 30_000,
        })
        .toContain("/long");
      expect(paths(await call("map", { url: `${base}/` }))).toContain("/wide");

      let state = await call("crawl", { url: `${base}/`, limit: 3 });
      const { job } = state;
      await expect
        .poll(
          async () => {
            state = await call("crawl", { job });
            return state["status"];
          },
          { timeout: 60_000 },
        )
        .toBe("completed");
      expect(paths(state)).toEqual(["/", "/long", "/wide"]);
      expect(await call("job", { job })).toMatchObject({ job, status: "completed", completed: 3 });
      const second = await call("crawl", { url: `${base}/slow/`, limit: 50 });
      await call("job", { job: second["job"], cancel: true });
      await expect
        .poll(async () => (await call("job", { job: second["job"] }))["status"], {
          timeout: 30_000,
        })
        .toBe("cancelled");

      const schema = { type: "object", properties: { title: { type: "string" } } };
      expect(await call("data", { url: `${base}/long`, schema })).toMatchObject({
        data: { title: "Harbour handbook" },
      });

      const { session } = await call("browse", { action: "open", url: `${base}/clicks` });
      const code = "await page.getByRole('button').click(); 'done'";
      expect(await call("browse", { action: "act", session, code })).toMatchObject({
        result: "done",
        text: expect.stringContaining("pressed once") as string,
      });
      expect(await call("browse", { action: "read", session })).toMatchObject({ title: "Clicks" });
      expect(await call("browse", { action: "close", session })).toMatchObject({ isOpen: false });
    },
    180_000,
  );
});
