import { expect, test } from "vitest";
import { QuarryClient } from "./client.ts";
import { ServerError } from "./errors.ts";

type Sent = { readonly method: string; readonly url: string; readonly body: unknown };

function buildClient(answers: readonly (readonly [number, object])[]) {
  const sent: Sent[] = [];
  const waiting = [...answers];
  const client = new QuarryClient({
    apiUrl: "http://server",
    fetch: async (url, { method = "", body }) => {
      sent.push({ method, url, body: typeof body === "string" ? JSON.parse(body) : undefined });
      const [status, answer] = waiting.shift() ?? [500, {}];
      return Response.json(answer, { status });
    },
  });
  return { client, sent };
}

test("failing code is an answer, not an error", async () => {
  const failed = { success: false, exitCode: 1, stderr: "TypeError", killed: false };
  const { client, sent } = buildClient([
    [200, failed],
    [200, failed],
  ]);
  expect(await client.interact("a/b", "null.x", { timeout: 5 })).toEqual(failed);
  expect(await client.session("s").run("null.x")).toEqual(failed);
  expect(sent).toMatchObject([
    {
      method: "POST",
      url: "http://server/v2/scrape/a%2Fb/interact",
      body: { code: "null.x", timeout: 5 },
    },
    {
      method: "POST",
      url: "http://server/v2/browser/s/execute",
      body: { code: "null.x", language: "node" },
    },
  ]);
});

test("code is never sent twice", async () => {
  const { client, sent } = buildClient([
    [503, { success: false, error: "busy", code: "UNAVAILABLE" }],
  ]);
  await expect(client.session("s").run("1")).rejects.toBeInstanceOf(ServerError);
  expect(sent).toHaveLength(1);
});

test("a session is opened, listed, read and ended", async () => {
  const addresses = { cdpUrl: "", liveViewUrl: "l", interactiveLiveViewUrl: "i" };
  const { client, sent } = buildClient([
    [200, { success: true, id: "s", ...addresses }],
    [200, { success: true, sessions: [{ id: "s" }] }],
    [200, { success: true, id: "s", status: "active" }],
    [200, { success: true, creditsBilled: 2 }],
    [200, { success: true, creditsBilled: 2 }],
  ]);
  const session = await client.openSession({ ttl: 60 });
  expect(session.addresses).toMatchObject(addresses);
  expect(await client.sessions("active")).toEqual([{ id: "s" }]);
  expect(await session.state()).toMatchObject({ status: "active" });
  expect(await session.end()).toMatchObject({ creditsBilled: 2 });
  expect(await client.endInteract("x")).toMatchObject({ creditsBilled: 2 });
  expect(sent.map(({ method, url }) => `${method} ${url.slice("http://server".length)}`)).toEqual([
    "POST /v2/browser",
    "GET /v2/browser?status=active",
    "GET /v2/browser/s",
    "DELETE /v2/browser/s",
    "DELETE /v2/scrape/x/interact",
  ]);
});
