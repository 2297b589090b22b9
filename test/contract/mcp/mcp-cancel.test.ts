// Cancelling a tool call ends the work behind it.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import path from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createDataFolder } from "../../data-folder.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService } from "../../service.ts";

afterEach(closeAll);

/** A page that is never answered; `asked` and `closed` follow the connection to its site. */
async function openSlowPage() {
  const asked = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const { base } = await openSite((_request, response) => {
    response.once("close", () => closed.resolve());
    asked.resolve();
  });
  return { url: `${base}/`, asked: asked.promise, closed: closed.promise };
}

/** A client of one protocol version over HTTP. */
async function connect(mode: "legacy" | { readonly pin: string }): Promise<Client> {
  const service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
  onTestFinished(() => service.close());
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${service.key}` } },
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

describe("cancelled tool calls", () => {
  it("closes the connection to the site when a 2026-07-28 client cancels a call", async () => {
    const client = await connect({ pin: "2026-07-28" });
    const { url, asked, closed } = await openSlowPage();
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    const cancel = new AbortController();
    const call = client.callTool(
      { name: "read", arguments: { target: url } },
      { signal: cancel.signal },
    );
    const failed = expect(call).rejects.toThrow();
    await asked;
    cancel.abort();
    await failed;
    await closed;
  });

  it("closes the connection to the site when a 2025 client closes its request", async () => {
    const client = await connect("legacy");
    const { url, asked, closed } = await openSlowPage();
    const call = client.callTool({ name: "read", arguments: { target: url } });
    const failed = expect(call).rejects.toThrow();
    await asked;
    await client.close();
    await failed;
    await closed;
  });

  it.skipIf(isRemote)(
    "closes the connection to the site when a 2025 client over stdio cancels a call",
    async () => {
      const client = new Client({ name: "test", version: "1" });
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [path.resolve(import.meta.dirname, "../../../bin/quarry.mjs"), "mcp"],
          env: {
            PATH: process.env["PATH"] ?? "",
            QUARRY_DATA_DIR: await createDataFolder(),
            QUARRY_EGRESS_ALLOW: "127.0.0.1",
            QUARRY_BROWSER: "none",
          },
          stderr: "ignore",
        }),
      );
      onTestFinished(() => client.close());
      const { url, asked, closed } = await openSlowPage();
      const cancel = new AbortController();
      const call = client.callTool(
        { name: "read", arguments: { target: url } },
        { signal: cancel.signal },
      );
      const failed = expect(call).rejects.toThrow();
      await asked;
      cancel.abort();
      await failed;
      await closed;
    },
    30_000,
  );
});
