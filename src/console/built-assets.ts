// Compressed files of the console, kept for the next start of the server. Styles and libraries are
// sent as they are; modules are stripped of their types, all missing ones in one thread.
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { buildModules } from "./build-modules.ts";
import { COMPRESSION_LEVEL } from "./compression.ts";
import type { ConsoleFile } from "./find-files.ts";

/** Built files by URL, with the version of their source. */
export type KeptAssets = ReadonlyMap<
  string,
  { readonly version: string; readonly gzip: Uint8Array }
>;

/** Keeps built files between starts. Both may fail: the files are built again then. */
export type AssetCache = {
  readonly load: () => Promise<KeptAssets>;
  readonly save: (assets: KeptAssets) => Promise<void>;
};

const compress = promisify(gzip);

const hasTypes = ({ file }: ConsoleFile): boolean => file.endsWith(".ts");

type Built = { readonly version: string; readonly gzip: Promise<Uint8Array> };

export class BuiltAssets {
  readonly #built = new Map<string, Built>();
  readonly #cache: AssetCache | undefined;
  #loading: Promise<void> | undefined;

  constructor(cache?: AssetCache) {
    this.#cache = cache;
  }

  /** Returns the compressed file; `all` are the files that are built together with it. */
  async get(file: ConsoleFile, all: readonly ConsoleFile[]): Promise<Uint8Array> {
    const known = this.#find(file);
    if (known !== undefined) return await known;
    await (this.#loading ??= this.#load(all));
    const found = this.#find(file);
    if (found !== undefined) return await found;
    return await (hasTypes(file) ? this.#build(file, all) : this.#add(file, compressFile(file)));
  }

  #find({ url, version }: ConsoleFile): Promise<Uint8Array> | undefined {
    const known = this.#built.get(url);
    return known?.version === version ? known.gzip : undefined;
  }

  #add({ url, version }: ConsoleFile, gzip: Promise<Uint8Array>): Promise<Uint8Array> {
    this.#built.set(url, { version, gzip });
    // A failed build is retried on the next request.
    gzip.catch(() => this.#built.delete(url));
    return gzip;
  }

  async #load(all: readonly ConsoleFile[]): Promise<void> {
    if (this.#cache === undefined) return;
    const kept: KeptAssets = await this.#cache.load().catch(() => new Map());
    for (const file of all) {
      const found = kept.get(file.url);
      if (found?.version === file.version && this.#find(file) === undefined)
        void this.#add(file, Promise.resolve(found.gzip));
    }
  }

  async #build(file: ConsoleFile, all: readonly ConsoleFile[]): Promise<Uint8Array> {
    const missing = all.filter((one) => hasTypes(one) && this.#find(one) === undefined);
    const building = buildModules(missing);
    for (const one of missing) {
      const gzip = building.get(one.url);
      if (gzip !== undefined) void this.#add(one, gzip);
    }
    void this.#keep(all).catch(() => undefined);
    const asked = building.get(file.url);
    if (asked === undefined) throw new RangeError(`${file.url} is not among the files`);
    return await asked;
  }

  /** Saves all files, also those that nobody has requested yet. */
  async #keep(all: readonly ConsoleFile[]): Promise<void> {
    if (this.#cache === undefined) return;
    const built = await Promise.all(
      all.map(async (file) => {
        const gzip = await (this.#find(file) ?? this.#add(file, compressFile(file)));
        return [file.url, { version: file.version, gzip }] as const;
      }),
    );
    await this.#cache.save(new Map(built));
  }
}

async function compressFile({ file }: ConsoleFile): Promise<Uint8Array> {
  return await compress(await readFile(file), { level: COMPRESSION_LEVEL });
}
