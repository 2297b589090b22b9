// kill -9 of a server while a model's run collects rows over pages: the next server resumes it with
// the rows.
import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import type { AgentStatusResponse } from "../../../src/contract/jobs/agent.ts";
import { columnWith } from "../../agent-runs.ts";
import { serve, type ServingProcess } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { startModelServer, type ChatRequest } from "../../model-server.ts";
import { isRemote } from "../../service.ts";
import { startPages } from "../../site/agent-sites.ts";
import { buildItems, catalogueSite } from "../../site/catalogue.ts";

const call = (name: string, given: unknown) => ({ name, arguments: given });
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
        },
        required: ["name"],
      },
    },
  },
  required: ["items"],
};

it.skipIf(isRemote)(
  "resumes a collection after kill -9 with the collected rows and fetches no recorded page again",
  { timeout: 120_000 },
  async () => {
    const items = buildItems(60);
    const site = catalogueSite(items, 10);
    const hanging = Promise.withResolvers<void>();
    const slow = site["/?page=4"] as string;
    let killed = false;
    await using pages = await startPages({
      ...site,
      "/?page=4": (_request, response) => {
        if (killed) response.writeHead(200, { "content-type": "text/html" }).end(slow);
        else hanging.resolve();
      },
    });
    // Answers by the state of the conversation: every process that resumes the run gets the same
    // ones.
    await using scripted = await startModelServer({
      turns: (request) => {
        const done = request.messages.filter(({ role }) => role === "assistant").length;
        if (done === 0) return { toolCalls: [call("scrape", { url: pages.url })] };
        if (done > 1) return { toolCalls: [call("finish", { rows: { "/items": "items" } })] };
        const columns = { name: columnWith(lastTool(request), "t1", "Oak lamp 1") };
        return { toolCalls: [call("collect", { page: "p1", table: "t1", columns, next: true })] };
      },
    });
    const folder = await createDataFolder();
    const environment = {
      QUARRY_DATA_DIR: folder,
      QUARRY_EGRESS_ALLOW: "127.0.0.1",
      QUARRY_AUTH: "false",
      QUARRY_MODEL: "openai-compatible/scripted",
      QUARRY_MODEL_BASE_URL: scripted.baseUrl,
    };
    const ask = async (server: ServingProcess, path: string, body?: object) => {
      const response = await fetch(`${server.url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await response.json()) as AgentStatusResponse & { id: string };
    };
    const first = await serve(environment);
    const { id } = await ask(first, "/v2/agent", {
      prompt: "All furniture",
      urls: [pages.url],
      schema: BOOKS,
    });
    await hanging.promise;
    await first.stop("SIGKILL");
    killed = true;
    const before = [...pages.asked];
    const second = await serve(environment);
    try {
      await expect
        .poll(async () => (await ask(second, `/v2/agent/${id}`)).status, { timeout: 60_000 })
        .toBe("completed");
      const state = await ask(second, `/v2/agent/${id}`);
      expect((state.data as { items: unknown[] }).items).toEqual(
        items.map(({ name }) => ({ name })),
      );
      const again = pages.asked.slice(before.length);
      expect(again.filter((path) => before.includes(path))).toEqual(["/?page=4"]);
    } finally {
      await second.stop("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    }
  },
);
