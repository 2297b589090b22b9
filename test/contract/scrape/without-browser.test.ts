import { copyFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../../service.ts";

let service: Service;

describe.skipIf(isRemote)("server without a browser", () => {
  beforeAll(async () => {
    service = await startService(undefined, { browser: "none" });
  });
  afterAll(async () => {
    await service.close();
  });

  it("a server without a browser says so and why for all options that need one", async () => {
    const { body } = await service.ask("/v2/capabilities");
    const why = { available: false, reason: expect.stringContaining("QUARRY_BROWSER is none") };
    expect(body).toMatchObject({
      browser: why,
      capabilities: { interact: why, browser: why, scrape: { available: true } },
      formats: { screenshot: why, branding: why, markdown: { available: true } },
      actions: { click: why, pdf: why },
      options: {
        waitFor: why,
        "proxy.enhanced": { available: false, reason: expect.stringContaining("no browser") },
      },
    });
    for (const [method, path] of [
      ["POST", "/v2/browser"],
      ["GET", "/v2/browser"],
      ["POST", "/v2/scrape/0199f0c0-0000-7000-8000-000000000000/interact"],
    ] as const) {
      const answer = await service.ask(path, method === "POST" ? { method, body: {} } : { method });
      expect(answer.status, path).toBe(501);
      expect(answer.body.error).toContain("QUARRY_BROWSER is none");
    }
  });
});

describe.skipIf(isRemote)("server with a browser", () => {
  it("capabilities name the browser's source, missing enhanced proxies, and a browser that is gone", async () => {
    const file = path.join(os.tmpdir(), `quarry-${crypto.randomUUID()}`);
    await copyFile("/bin/sh", file);
    const own = await startService(undefined, { browser: file });
    try {
      const before = await own.ask("/v2/capabilities");
      expect(before.body).toMatchObject({
        browser: { available: true, kind: "setting" },
        options: {
          "proxy.enhanced": { available: true, reason: expect.stringContaining("own address") },
        },
      });
      await rm(file);
      const after = await own.ask("/v2/capabilities");
      expect(after.body).toMatchObject({
        browser: { available: false, reason: expect.stringContaining("is not a program") },
        actions: { click: { available: false } },
      });
    } finally {
      await own.close();
      await rm(file, { force: true });
    }
  });
});
