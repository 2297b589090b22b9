// Processes on one PostgreSQL that encrypt with different secrets.
import path from "node:path";
import { afterEach, describe, expect, inject, it } from "vitest";
import { createApp, type App } from "../../src/app.ts";
import { createTestConfig, type Config } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";
import { Secret } from "../../src/settings/secret.ts";
import { DIFFERENT_SECRETS } from "../../src/store/database/secret-agreement.ts";
import { openStore } from "../../src/store/store.ts";
import { temporaryFolder } from "../databases.ts";

const databaseUrl = inject("postgresUrls")["secrets"];
const apps: App[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

async function configure(overrides: Partial<Config>): Promise<Config> {
  const folder = await temporaryFolder();
  return createTestConfig({
    role: "api",
    port: 0,
    dataDir: path.join(folder, "data"),
    blobs: `file:${path.join(folder, "blobs")}`,
    databaseUrl: new Secret(databaseUrl ?? ""),
    apiKey: new Secret("key-of-the-test"),
    browser: "none",
    workerThreads: 1,
    ...overrides,
  });
}

async function readiness(overrides: Partial<Config>): Promise<{ status: number; text: string }> {
  const app = await createApp(await configure(overrides));
  apps.push(app);
  const url = await app.listen();
  await app.open();
  const response = await fetch(`${url}/v0/health/readiness`);
  return { status: response.status, text: await response.text() };
}

describe.skipIf(databaseUrl === undefined)("secrets of processes on one database", () => {
  it("answers readiness 503 and names QUARRY_SECRET in a process whose secret differs", async () => {
    expect(await readiness({ secret: new Secret("one") })).toMatchObject({ status: 200 });
    const other = await readiness({ secret: new Secret("two") });
    expect(other.status).toBe(503);
    expect(JSON.parse(other.text)).toMatchObject({
      error: expect.stringContaining(DIFFERENT_SECRETS),
    });
    expect(await readiness({ secret: new Secret("one") })).toMatchObject({ status: 200 });
    expect(await readiness({ secret: undefined })).toMatchObject({ status: 503 });
  });

  it("accepts a new secret with the current one as QUARRY_SECRET_PREVIOUS and reads its data", async () => {
    const accountId = "00000000-0000-7000-8000-000000000001";
    const before = await openStore(
      await configure({ secret: new Secret("one") }),
      createLogger("silent"),
    );
    const sealed = await before.webhookSecrets.seal("signs", accountId);
    await before.close();
    const rotated = { secret: new Secret("three"), previousSecret: new Secret("one") };
    expect(await readiness(rotated)).toMatchObject({ status: 200 });
    const after = await openStore(await configure(rotated), createLogger("silent"));
    expect(await after.webhookSecrets.open(sealed, accountId)).toBe("signs");
    await after.close();
    expect(await readiness({ secret: new Secret("one") })).toMatchObject({ status: 503 });
  });
});
