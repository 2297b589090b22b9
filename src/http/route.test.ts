import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { fastify, type FastifyInstance } from "fastify";
import { z } from "zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ANONYMOUS_IDENTITY, type Identity } from "../account/identity.ts";
import { createRateLimiter } from "../account/rate.ts";
import type { Endpoint } from "../contract/endpoints/endpoint.ts";
import { registerEndpoint } from "./route.ts";

const ENDPOINT: Endpoint = {
  method: "GET",
  path: "/page",
  summary: "A page.",
  tag: "pages",
  capability: "scrape",
  response: z.unknown(),
};

describe("signal of a call", () => {
  let server: FastifyInstance;
  beforeEach(() => {
    server = fastify();
  });
  afterEach(async () => await server.close());

  /** A server whose handler exposes its signal; `verify` decides when the caller is admitted. */
  function serve(verify: () => Promise<Identity>, stopping: AbortSignal): Promise<AbortSignal> {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    const gatekeeper = { verify, anonymous: verify, rate: createRateLimiter(), stopping };
    registerEndpoint(server, ENDPOINT, gatekeeper, async ({ signal }) => {
      resolve(signal);
      return {};
    });
    return promise;
  }

  it("aborts the signal from the start when the server is already stopping", async () => {
    const reason = new Error("stopping");
    const signal = serve(async () => ANONYMOUS_IDENTITY, AbortSignal.abort(reason));
    await server.inject("/page");
    expect((await signal).aborted).toBe(true);
    expect((await signal).reason).toBe(reason);
  });

  it("aborts the signal from the start when the caller hung up during key verification", async () => {
    const asked = Promise.withResolvers<void>();
    const letIn = Promise.withResolvers<Identity>();
    const signal = serve(() => {
      asked.resolve();
      return letIn.promise;
    }, new AbortController().signal);
    await server.listen({ port: 0, host: "127.0.0.1" });
    const { port } = server.server.address() as AddressInfo;
    const gone = Promise.withResolvers<void>();
    server.server.once("connection", (socket) => socket.once("close", () => gone.resolve()));
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write("GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await asked.promise;
    socket.destroy();
    await gone.promise;
    letIn.resolve(ANONYMOUS_IDENTITY);
    expect((await signal).aborted).toBe(true);
    expect((await signal).reason).toMatchObject({ code: "SCRAPE_JOB_CANCELLED" });
  });
});
