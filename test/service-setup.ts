// A data folder with a new database, created once per state of the store's code: that takes
// seconds, and copying it milliseconds.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { createTestConfig } from "../src/config.ts";
import { createLogger } from "../src/logger.ts";
import { openStore } from "../src/store/store.ts";

declare module "vitest" {
  interface ProvidedContext {
    dataTemplate: string;
    /** BASE_URL without a trailing slash; "" when the tests start their own services. */
    remoteUrl: string;
  }
}

const root = path.resolve(import.meta.dirname, "..");
const CACHE = path.join(root, "node_modules/.cache/quarry-databases");
const DRAFT = "draft-";

/** The store's code and the versions of its libraries decide what a new database contains. */
async function computeTemplateKey(): Promise<string> {
  const hash = createHash("sha256").update(await readFile(path.join(root, "package-lock.json")));
  const store = path.join(root, "src/store");
  const names = await readdir(store, { recursive: true });
  for (const name of names.filter((each) => each.endsWith(".ts")).toSorted())
    hash.update(name).update(await readFile(path.join(store, name)));
  return hash.digest("hex").slice(0, 16);
}

/** Returns the folder of the database; creates it under another name while it is missing. */
async function prepareTemplate(): Promise<string> {
  const folder = path.join(CACHE, await computeTemplateKey());
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  for (const name of await readdir(CACHE))
    if (!name.startsWith(DRAFT)) await rm(path.join(CACHE, name), { recursive: true, force: true });
  const draft = await mkdtemp(path.join(CACHE, DRAFT));
  const store = await openStore(createTestConfig({ dataDir: draft }), createLogger("silent"));
  await store.close();
  try {
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another run of the tests was first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Runs once before the tests of a project. */
export async function setup({ provide }: TestProject): Promise<void> {
  // Read here, because the test runner sets its own BASE_URL in worker threads.
  const remoteUrl = (process.env["BASE_URL"] ?? "").replace(/\/+$/, "");
  provide("dataTemplate", remoteUrl === "" ? await prepareTemplate() : "");
  provide("remoteUrl", remoteUrl);
}
