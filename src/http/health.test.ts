import { fastify } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FastifyInstance } from "fastify";
import { serveHealth, createTolerantCheck } from "./health.ts";
import { onError } from "./middleware/on-error.ts";

describe("readiness check", () => {
  let server: FastifyInstance;
  let log: string;
  beforeEach(() => {
    log = "";
    server = fastify({ logger: { stream: { write: (line: string) => void (log += line) } } });
    server.setErrorHandler(onError);
  });
  afterEach(async () => await server.close());

  it("names the failing parts and writes the reasons to the log only", async () => {
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

  it("returns ok when every part works", async () => {
    serveHealth(server, [{ name: "store", run: async () => undefined }]);
    expect((await server.inject("/v0/health/readiness")).json()).toEqual({ status: "ok" });
  });
});

describe("createTolerantCheck", () => {
  const never = (): Promise<void> => Promise.withResolvers<void>().promise;

  it("tolerates a slow check, as on a busy processor", async () => {
    const check = createTolerantCheck({ name: "store", run: never }, 60_000, 5);
    await expect(check.run()).resolves.toBeUndefined();
  });

  it("rejects once a check has hung too long", async () => {
    const check = createTolerantCheck({ name: "store", run: never }, 0, 5);
    await expect(check.run()).rejects.toThrow(/^no answer for 0 s$/);
  });

  it("rejects with a failed check's error even if other checks are slow", async () => {
    const run = (): Promise<void> => Promise.reject(new Error("no space left"));
    await expect(createTolerantCheck({ name: "store", run }).run()).rejects.toThrow(
      "no space left",
    );
  });

  it("does not start a health check again while it is running", async () => {
    let runs = 0;
    const run = (): Promise<void> => {
      runs += 1;
      return never();
    };
    const check = createTolerantCheck({ name: "store", run }, 60_000, 5);
    await Promise.all([check.run(), check.run()]);
    await check.run();
    expect(runs).toBe(1);
  });
});
