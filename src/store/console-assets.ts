// Keeps the console's files as they are sent, so that a restarted server does not strip and
// compress them again.
import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { z } from "zod";
import type { Config } from "../config.ts";
import { getConsoleAssetsFile, makeFolder } from "./database/data-folder.ts";

type Assets = ReadonlyMap<string, { readonly version: string; readonly gzip: Uint8Array }>;

const keptSchema = z.object({
  /** Another Node may strip types in another way. */
  node: z.literal(process.version),
  assets: z.record(z.string(), z.tuple([z.string(), z.string()])),
});

/** Both reject when the file or the data folder cannot be used. */
export function createConsoleAssetCache(config: Pick<Config, "dataDir">) {
  const file = getConsoleAssetsFile(config);
  return {
    async load(): Promise<Assets> {
      const { assets } = keptSchema.parse(JSON.parse(await readFile(file, "utf8")));
      return new Map(
        Object.entries(assets).map(([url, [version, text]]) => [
          url,
          { version, gzip: Buffer.from(text, "base64") },
        ]),
      );
    },
    async save(assets: Assets): Promise<void> {
      const kept = {
        node: process.version,
        assets: Object.fromEntries(
          [...assets].map(([url, { version, gzip }]) => [
            url,
            [version, Buffer.from(gzip).toString("base64")],
          ]),
        ),
      } satisfies z.input<typeof keptSchema>;
      const partial = `${file}.${randomUUID()}`;
      await makeFolder(path.dirname(file));
      try {
        await writeFile(partial, JSON.stringify(kept), { mode: 0o600 });
        await rename(partial, file);
      } finally {
        await rm(partial, { force: true });
      }
    },
  };
}
