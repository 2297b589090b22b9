// A call of a tool that its client gives up ends the work behind it.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { closeAll, openSite } from "../http-fetching.ts";
import { startService } from "../service.ts";

afterEach(closeAll);

/** A client of one protocol line, and a page that is never answered. */
async function openSlowPage(mode: "legacy" | { readonly pin: string }) {
  const service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
  onTestFinished(() => service.close());
  const asked = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const { base } = await openSite((_request, response) => {
    response.once("close", () => closed.resolve());
    asked.resolve();
  });
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${service.key}` } },
    }),
  );
  onTestFinished(() => client.close());
  return { client, url: `${base}/`, asked: asked.promise, closed: closed.promise };
}

describe("a call that is given up", () => {
  it("closes the connection to the site when a 2026-07-28 client cancels it", async () => {
    const { client, url, asked, closed } = await openSlowPage({ pin: "2026-07-28" });
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
    const { client, url, asked, closed } = await openSlowPage("legacy");
    const call = client.callTool({ name: "read", arguments: { target: url } });
    const failed = expect(call).rejects.toThrow();
    await asked;
    await client.close();
    await failed;
    await closed;
  });
});
