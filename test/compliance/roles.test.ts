// One service in several processes that share the database and the blobs.
import path from "node:path";
import { afterAll, describe, expect, inject, it } from "vitest";
import { QuarryClient } from "../../client/client.ts";
import type { LoadHistory } from "../../client/wire.ts";
import { createApp, type App } from "../../src/app.ts";
import { createTestConfig, type Config } from "../../src/config.ts";
import { Secret } from "../../src/settings/secret.ts";
import { testBrowserExecutable } from "../browser/launch.ts";
import { temporaryFolder } from "../databases.ts";
import { startSite } from "../site/site.ts";

const databaseUrl = inject("postgresUrls")["roles"];
const apps: App[] = [];
afterAll(async () => {
  for (const app of apps) await app.close();
});

async function start(role: Config["role"], folder: string): Promise<{ url: string; app: App }> {
  const app = await createApp(
    createTestConfig({
      role,
      port: 0,
      dataDir: path.join(folder, `${role}-${apps.length}`),
      blobs: `file:${path.join(folder, "blobs")}`,
      databaseUrl: new Secret(databaseUrl ?? ""),
      egressAllow: ["127.0.0.1"],
      apiKey: new Secret("key-of-the-test"),
      secret: new Secret("secret-of-all-processes"),
      workerThreads: 1,
      // Unpacked once for all tests, not in each data folder.
      browser: await testBrowserExecutable(),
    }),
  );
  apps.push(app);
  const url = await app.listen();
  await app.open();
  return { url, app };
}

describe.skipIf(databaseUrl === undefined)("roles on PostgreSQL", () => {
  it("an API process stores jobs and two workers process them together, each page once", async () => {
    await using site = await startSite();
    const folder = await temporaryFolder();
    const api = await start("api", folder);
    const client = new QuarryClient({ apiUrl: api.url, apiKey: "key-of-the-test" });
    const job = await client.startCrawl(`${site.url}/list`, { crawlEntireDomain: true, limit: 60 });
    expect(await job.status()).toMatchObject({ status: "scraping", completed: 0 });

    const workers = [await start("worker", folder), await start("worker", folder)];
    const status = await job.wait();
    expect(status).toMatchObject({ status: "completed", completed: 60, total: 60 });
    const urls: (string | undefined)[] = [];
    for await (const { metadata } of job.documents()) urls.push(metadata.url);
    expect(urls).toHaveLength(60);
    expect(new Set(urls).size).toBe(60);

    const refused = await fetch(`${workers[0]?.url}/v2/crawl/${job.id}`, {
      headers: { authorization: "Bearer key-of-the-test" },
    });
    expect(refused.status).toBe(501);
    expect((await fetch(`${workers[0]?.url}/v0/health/readiness`)).status).toBe(200);
    expect((await fetch(`${workers[0]?.url}/metrics`)).status).toBe(200);

    // Each process has samples of its own; what they share is sampled once a minute.
    const readHistory = async (): Promise<LoadHistory> => {
      const headers = { authorization: `Bearer ${api.app.adminToken}` };
      const answer = await fetch(`${api.url}/admin/history`, { headers });
      return ((await answer.json()) as { data: LoadHistory }).data;
    };
    await expect
      .poll(async () => (await readHistory()).processes.map(({ role }) => role).toSorted())
      .toEqual(["api", "worker", "worker"]);
    const { service } = await readHistory();
    expect(new Set(service.map(({ at }) => at)).size).toBe(service.length);
  }, 180_000);
});

describe("roles without PostgreSQL", () => {
  it.each(["api", "worker"] as const)(
    "rejects the role %s and names what is missing",
    async (role) => {
      await expect(createApp(createTestConfig({ role }))).rejects.toThrow("DATABASE_URL");
    },
  );
});
