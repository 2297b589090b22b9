import { PassThrough } from "node:stream";
import { fastify } from "fastify";
import { expect, it } from "vitest";
import { createInsideFetch } from "../http/inside-fetch.ts";

it("connect streams a response of this process in chunks", async () => {
  const server = fastify();
  const parts = new PassThrough();
  server.post("/stream", async (_request, reply) => reply.type("text/plain").send(parts));
  server.post("/echo", async ({ body }, reply) => reply.status(201).send(body));
  const fetch = createInsideFetch(server);
  parts.write("first");
  const response = await fetch("http://localhost/stream", { method: "POST" });
  const reader = response.body?.getReader();
  const next = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
  expect(await next()).toBe("first");
  parts.end("second");
  expect(await next()).toBe("second");
  expect(await reader?.read()).toMatchObject({ done: true });

  const headers = { "content-type": "application/json" };
  const echo = await fetch("http://localhost/echo", { method: "POST", headers, body: '{"a":1}' });
  expect([echo.status, echo.headers.get("content-type"), await echo.json()]).toEqual([
    201,
    "application/json; charset=utf-8",
    { a: 1 },
  ]);
  await server.close();
});
