// The new database that a package contains, unpacked as at its first start.
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestConfig } from "../../../src/config.ts";
import { createLogger } from "../../../src/logger.ts";
import { openStore } from "../../../src/store/store.ts";
import { packTemplate, unpackTemplate } from "../../../src/store/database/template.ts";
import { isRemote } from "../../service.ts";

const MAX_PACKED_BYTES = 3_000_000;

describe.skipIf(isRemote)("database template", () => {
  let folder: string;
  let original: string;
  let packed: Buffer;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "quarry-packed-"));
    original = path.join(inject("dataTemplate"), "database");
    packed = packTemplate(original);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("unpacks to the same files and folders, readable for this user only", async () => {
    const copy = path.join(folder, "copy");
    unpackTemplate(copy, packed);
    const list = async (place: string) =>
      (await readdir(place, { recursive: true, encoding: "utf8" })).toSorted();
    expect(await list(copy)).toEqual(await list(original));
    const modes = await Promise.all(
      (await list(copy)).map(async (name) => (await stat(path.join(copy, name))).mode & 0o077),
    );
    expect(new Set(modes)).toEqual(new Set([0]));
  });

  it("opens as a database that keeps what is written", async () => {
    const config = createTestConfig({ dataDir: path.join(folder, "data") });
    await mkdir(config.dataDir);
    unpackTemplate(path.join(config.dataDir, "database"), packed);
    const first = await openStore(config, createLogger("silent"));
    const secret = await first.settings.loadOrCreate("template-test", () => "kept");
    await first.close();
    const second = await openStore(config, createLogger("silent"));
    expect(await second.settings.loadOrCreate("template-test", () => "new")).toBe(secret);
    await second.close();
  });

  it("the prepared database is small enough to ship", () => {
    expect(packed.length).toBeLessThan(MAX_PACKED_BYTES);
  });
});
