// Requests while the service is still loading: the port is open long before.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT } from "../../../src/cli/terminal/exit-codes.ts";
import { run, serveUntil, type Environment } from "../../command-line.ts";
import { isRemote, siteHosts } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

const KEY = "qy-early-0123456789abcdef0123456789abcdef";
const ADDRESS = /^Quarry \S+ listens on \S+ .*\n/;

let site: Site;
let folder: string;
let environment: Environment;

const scrape = (base: string, url: string): Promise<Response> =>
  fetch(`${base}/v2/scrape`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });

describe.skipIf(isRemote)("early requests", () => {
  beforeAll(async () => {
    site = await startSite();
    folder = await mkdtemp(path.join(os.tmpdir(), "quarry-contract-"));
    environment = {
      QUARRY_DATA_DIR: folder,
      QUARRY_EGRESS_ALLOW: siteHosts(site).join(","),
      QUARRY_API_KEY: KEY,
    };
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await site.close();
  });

  it("answers the liveness probe at once and other requests when the service is ready", async () => {
    const server = await serveUntil(ADDRESS, environment);
    const scraped = scrape(server.url, `${site.url}/tiny`);
    const docs = fetch(`${server.url}/docs`);
    const alive = await fetch(`${server.url}/v0/health/liveness`);
    expect(alive.status).toBe(200);
    expect(await alive.text()).toBe('{"status":"ok"}');
    expect((await docs).status).toBe(200);
    const answer = await scraped;
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ success: true });
    expect(await server.stop()).toBe(0);
  });

  it("rejects early requests when the server is stopped and leaves nothing behind", async () => {
    const fresh = await mkdtemp(path.join(os.tmpdir(), "quarry-contract-"));
    try {
      const server = await serveUntil(ADDRESS, {
        ...environment,
        QUARRY_DATA_DIR: fresh,
        // If the service is ready before the signal, it rejects waiting requests the same way.
        QUARRY_SHUTDOWN_MS: "300",
      });
      const cut = scrape(server.url, `${site.url}/slow/never?key=early`);
      // Earlier requests are at the listener once this is answered.
      expect((await fetch(`${server.url}/v0/health/liveness`)).status).toBe(200);
      const stopped = server.stop();
      const answer = await cut;
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(await answer.json()).toEqual({
        success: false,
        error: "The server is stopping.",
        code: "UNAVAILABLE",
      });
      expect(await stopped).toBe(0);
      expect(await readdir(fresh)).toEqual([]);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  });

  it("exits with the message of a setting that is rejected during startup", async () => {
    const { code, stdout, stderr } = await run(["serve", "--port", "0"], {
      ...environment,
      QUARRY_MODEL: "openai-compatible/any",
    });
    expect(code).toBe(EXIT.wrongCall);
    expect(stderr).toMatch(/^quarry: QUARRY_MODEL_BASE_URL: .*\n$/);
    expect(stdout).toMatch(ADDRESS);
    expect(stdout).not.toContain("Ready.");
  });
});
