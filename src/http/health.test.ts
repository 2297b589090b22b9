import { fastify } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FastifyInstance } from "fastify";
import { serveHealth } from "./health.ts";
import { onError } from "./middleware/on-error.ts";

describe("readiness", () => {
  let server: FastifyInstance;
  let log: string;
  beforeEach(() => {
    log = "";
    server = fastify({ logger: { stream: { write: (line: string) => void (log += line) } } });
    server.setErrorHandler(onError);
  });
  afterEach(async () => await server.close());

  it("names the parts that fail and tells the reasons to the log alone", async () => {
    serveHealth(server, [
      { name: "store", run: () => Promise.reject(new Error("no route to db.internal:5432")) },
      { name: "threads", run: async () => undefined },
      { name: "blobs", run: () => Promise.reject(new Error("/var/secret is gone")) },
    ]);
    const answer = await server.inject("/v0/health/readiness");
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(answer.json()).toEqual({
      success: false,
      code: "UNAVAILABLE",
      error: "Not ready: store, blobs.",
    });
    expect(log).toContain("db.internal:5432");
    expect(log).toContain("/var/secret is gone");
  });

  it("says ok when every part works", async () => {
    serveHealth(server, [{ name: "store", run: async () => undefined }]);
    expect((await server.inject("/v0/health/readiness")).json()).toEqual({ status: "ok" });
  });
});
