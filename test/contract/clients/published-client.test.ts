// Every body of the published JavaScript client is valid, and it reads the replies of the contract.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { Endpoint } from "../../../src/contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../../src/contract/endpoints/endpoints.ts";
import { toErrorBody } from "../../../src/contract/request/faults.ts";
import { buildCalls } from "./published-client-calls.ts";
import type { CheckedKeys } from "./published-client-keys.ts";
import { errors, id, REPLIES, url } from "./published-client-replies.ts";

function matchRoute(method: string, pathname: string): { entry: Endpoint; params: object } {
  for (const entry of ENDPOINTS) {
    const pattern = new RegExp(`^${entry.path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
    const match = entry.method === method ? pattern.exec(pathname) : null;
    if (match !== null) return { entry, params: { ...match.groups } };
  }
  throw new Error(`no endpoint for ${method} ${pathname}`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

let server: Server;
let client: Firecrawl;
let calls: ReturnType<typeof buildCalls>;
const faults: unknown[] = [];
const bodies: Record<string, unknown>[] = [];
const called = new Set<string>();

function checkPart(schema: z.ZodType | undefined, value: unknown): void {
  const result = schema?.safeParse(value);
  if (result?.success === false) faults.push({ value, fault: toErrorBody(result.error) });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readBody(request);
  const address = new URL(request.url ?? "/", "http://localhost");
  const { entry, params } = matchRoute(request.method ?? "", address.pathname);
  const name = `${entry.method} ${entry.path}`;
  called.add(name);
  checkPart(entry.params, params);
  checkPart(entry.query, Object.fromEntries(address.searchParams));
  if (text.startsWith("{")) {
    const body = JSON.parse(text) as Record<string, unknown>;
    bodies.push(body);
    checkPart(entry.body, body);
  }
  const reply = REPLIES[name];
  checkPart(entry.response, reply);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(reply));
}

beforeAll(async () => {
  server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      faults.push(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  client = new Firecrawl({ apiKey: "key", apiUrl: `http://127.0.0.1:${port}` });
  calls = buildCalls(client);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  faults.length = 0;
  bodies.length = 0;
});

describe("published client and contract", () => {
  it.each(Object.keys(buildCalls({} as Firecrawl)))(
    "%s of the published client matches the contract in body, query and reply",
    async (name) => {
      expect(await calls[name]?.()).toBeDefined();
      expect(faults).toEqual([]);
    },
  );

  it("the published client reads no key that the contract does not describe", () => {
    expectTypeOf<CheckedKeys>().toExtend<readonly unknown[]>();
  });

  it("the published client marks its bodies with origin", async () => {
    await client.map(url);
    expect(bodies[0]?.["origin"]).toMatch(/^js-sdk@/);
  });

  it("the published client calls every route of the table", () => {
    expect(Object.keys(REPLIES).filter((name) => !called.has(name))).toEqual([]);
  });

  it("the published client reads the fields of the replies", async () => {
    expect((await client.scrape(url)).markdown).toBe("# A");
    expect(await client.getCrawlStatus(id)).toMatchObject({
      status: "completed",
      total: 1,
      next: null,
    });
    expect(await client.cancelCrawl(id)).toBe(true);
    expect(await client.cancelAgent(id)).toBe(true);
    expect((await client.map(url)).links).toMatchObject([{ url, title: "a" }]);
    expect(await client.getCrawlErrors(id)).toEqual(errors);
    expect(await client.crawlParamsPreview(url, "a")).toEqual({ url, limit: 5, warning: "w" });
  });
});
