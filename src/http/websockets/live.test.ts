import { fastify, type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Sessions } from "../../interact/sessions.ts";
import { createLogger } from "../../logger.ts";
import { serveLive } from "./live.ts";
import { isUpgrade } from "./upgrades.ts";

let server: FastifyInstance | undefined;
afterEach(() => server?.close());

/** A server where every token belongs to one session whose page cannot be opened. */
async function start(cdp: boolean, streamWebView = true): Promise<string> {
  const session = { facts: { streamWebView }, tokens: {}, lease: { context: {} }, ended: false };
  const sessions = { findByToken: () => session } as unknown as Sessions;
  server = fastify();
  serveLive(server, { sessions, cdp, log: createLogger("silent") });
  return (await server.listen({ host: "127.0.0.1", port: 0 })).replace(/^http/, "ws");
}

const TOKEN = "t".repeat(43);

const closeCode = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.once("close", resolve);
    socket.once("error", reject);
  });

test("rejects DevTools connections with a session token unless the operator enables them", async () => {
  expect(await closeCode(`${await start(false)}/cdp/${TOKEN}`)).toBe(1008);
});

test("opens the page for a DevTools client when DevTools are enabled", async () => {
  expect(await closeCode(`${await start(true)}/cdp/${TOKEN}`)).toBe(1011);
});

test("sends no pictures of a session without a view", async () => {
  expect(await closeCode(`${await start(true, false)}/live/${TOKEN}/screen`)).toBe(1008);
});

test("upgrades only live view and DevTools addresses", () => {
  const ask = (url: string, method = "GET", upgrade = "websocket", protocols?: string) =>
    isUpgrade({
      url,
      method,
      headers: { upgrade, "sec-websocket-protocol": protocols },
    } as never);
  expect(ask(`/live/${TOKEN}/screen`)).toBe(true);
  expect(ask(`/cdp/${TOKEN}`)).toBe(true);
  expect(ask(`/cdp/${TOKEN}/devtools`)).toBe(false);
  expect(ask(`/cdp/${TOKEN}`, "POST")).toBe(false);
  expect(ask(`/cdp/${TOKEN}`, "GET", "h2c")).toBe(false);
  expect(ask("/live/../screen")).toBe(false);
  expect(ask("/live/screen", "GET", "websocket", `quarry-screen, ${TOKEN}`)).toBe(true);
  expect(ask("/live/screen", "GET", "websocket", TOKEN)).toBe(false);
  expect(ask("/live/screen")).toBe(false);
});
