// Pages that grow, read over /v1 and over MCP.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSite } from "../../http-fetching.ts";
import { callTool, startMcp, type McpFixture } from "../../mcp.ts";
import { isRemote } from "../../service.ts";

const PAGE = `<!doctype html><title>Log</title><style>article { height: 90px }</style>
<main><h1>Log</h1><div id="list"></div></main>
<script>
  let shown = 0;
  const load = () => {
    for (let end = Math.min(shown + 20, 60); shown < end; shown++) {
      const entry = document.createElement("article");
      entry.innerHTML = "<h2>Entry " + shown + "</h2><p>Berth " + shown + " was taken at noon.</p>";
      list.append(entry);
    }
  };
  load();
  addEventListener("scroll", () => {
    if (scrollY + innerHeight > document.body.scrollHeight - 200) setTimeout(load, 50);
  });
</script>`;

let mcp: McpFixture;
let url: string;
beforeAll(async () => {
  if (isRemote) return;
  mcp = await startMcp();
  const { base } = await openSite((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
  });
  url = base;
}, 60_000);
afterAll(async () => {
  if (!isRemote) await mcp.close();
});

const countEntries = (text: unknown): number => String(text).match(/Berth \d+/g)?.length ?? 0;

describe.skipIf(isRemote)("pages that grow", () => {
  it("POST /v1/scrape loads all entries with scroll", async () => {
    const { status, body } = await mcp.service.ask("/v1/scrape", {
      method: "POST",
      body: { url, scroll: "auto" },
    });
    expect(status).toBe(200);
    expect(countEntries(body.data?.markdown)).toBe(60);
  });

  it("the MCP tool read loads all entries with scroll", async () => {
    const client = await mcp.connect();
    const { structuredContent } = await callTool(client, "read", {
      target: url,
      scroll: true,
      whole: true,
    });
    expect(countEntries(structuredContent?.["text"])).toBe(60);
  });
});
