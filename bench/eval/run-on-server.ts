import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { QuarryClient } from "../../client/client.ts";
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";

/** Runs `work` against a server of its own that may reach the sites of this machine. */
export async function runOnServer(work: (client: QuarryClient) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "quarry-eval-"));
  const config = {
    ...loadConfig({ dataDir }),
    host: "127.0.0.1",
    port: 0,
    auth: false,
    egressAllow: ["127.0.0.1"],
  };
  const app = await createApp(config, { log: createLogger("error") });
  try {
    const client = new QuarryClient({ apiUrl: await app.listen() });
    await app.open();
    console.log(`model: ${config.model ?? "none, by rules"}`);
    await work(client);
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
