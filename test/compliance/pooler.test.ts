// Several processes over a connection pooler in transaction mode: nothing may depend on a session
// of the database.
import path from "node:path";
import { describe, expect, inject, it } from "vitest";
import { QuarryClient } from "../../client/client.ts";
import { createApp, type App } from "../../src/app.ts";
import { createTestConfig, type Config } from "../../src/config.ts";
import { Secret } from "../../src/settings/secret.ts";
import { temporaryFolder } from "../databases.ts";
import { hasPooler, startPooler } from "../pooler.ts";
import { startSite } from "../site/site.ts";

const databaseUrl = inject("postgresUrls")["pooler"];

describe.skipIf(databaseUrl === undefined || !hasPooler)("a connection pooler", () => {
  it("three processes work on a crawl over fewer connections than they open", async () => {
    await using pooler = await startPooler(databaseUrl ?? "", 3);
    await using site = await startSite();
    const folder = await temporaryFolder();
    const apps: App[] = [];
    const start = async (role: Config["role"]): Promise<string> => {
      const app = await createApp(
        createTestConfig({
          role,
          port: 0,
          dataDir: path.join(folder, `${role}-${apps.length}`),
          blobs: `file:${path.join(folder, "blobs")}`,
          databaseUrl: new Secret(pooler.url),
          egressAllow: ["127.0.0.1"],
          apiKey: new Secret("key-of-the-test"),
          secret: new Secret("secret-of-all-processes"),
          workerThreads: 1,
          browser: "none",
        }),
      );
      apps.push(app);
      const url = await app.listen();
      await app.open();
      return url;
    };
    try {
      const api = await start("api");
      const client = new QuarryClient({ apiUrl: api, apiKey: "key-of-the-test" });
      await Promise.all([start("worker"), start("worker")]);
      const started = await Promise.all(
        [0, 1, 2].map(() =>
          client.startCrawl(`${site.url}/list`, { crawlEntireDomain: true, limit: 20 }),
        ),
      );
      for (const job of started)
        expect(await job.wait()).toMatchObject({ status: "completed", completed: 20 });
      const pages = await Promise.all(
        Array.from({ length: 10 }, () => client.scrape(`${site.url}/list`, { maxAge: 0 })),
      );
      for (const page of pages) expect(page.markdown).not.toBe("");
      const text = await (await fetch(`${api}/metrics`)).text();
      expect(text).toMatch(/^quarry_database_bytes [1-9]/m);
      expect(text).toContain('quarry_jobs_running{kind="crawl"} 0');
    } finally {
      for (const app of apps.toReversed()) await app.close();
    }
  }, 180_000);
});
