// Files of the console by URL, built on the first request and cached compressed.
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { BuiltAssets, type AssetCache } from "./built-assets.ts";
import { type ConsoleFile, type FoundFiles, findFiles, readFilesState } from "./find-files.ts";

export type Asset = {
  readonly type: string;
  readonly gzip: Uint8Array;
  readonly version: string;
  /** The file for readers that do not accept gzip. */
  readonly readBody: () => Promise<Uint8Array>;
};

export type ImportMap = { readonly imports: Readonly<Record<string, string>> };

export type AssetSet = {
  /** Maps bare names and own modules to addresses with the version of their content. */
  readonly importMap: ImportMap;
  /** Address with its version. */
  readonly locate: (url: string) => string;
  readonly load: (url: string) => Promise<Asset | undefined>;
};

export type ConsoleAssets = {
  /** Checks whether files have changed since the last call, so that a reload shows edits. */
  getCurrent(): AssetSet;
  /** The file in this version, of the last set if possible: a document names all its files. */
  load(url: string, version: string | null): Promise<Asset | undefined>;
};

const decompress = promisify(gunzip);

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

const buildVersionedUrl = ({ url, version }: ConsoleFile): string => `${url}?v=${version}`;

const isModule = ({ url }: ConsoleFile): boolean => !url.endsWith(".css");

function buildImportMap({ files, libraries }: FoundFiles): ImportMap {
  const addresses = new Map(
    files.filter(isModule).map((file) => [file.url, buildVersionedUrl(file)]),
  );
  const named = [...libraries].map(([name, url]) => [name, addresses.get(url) ?? url]);
  return { imports: Object.fromEntries([...named, ...addresses]) };
}

function createAssetSet(found: FoundFiles, built: BuiltAssets): AssetSet {
  const byUrl = new Map(found.files.map((file) => [file.url, file]));
  return {
    importMap: buildImportMap(found),
    locate: (url) => {
      const file = byUrl.get(url);
      return file === undefined ? url : buildVersionedUrl(file);
    },
    async load(url) {
      const file = byUrl.get(url);
      if (file === undefined) return undefined;
      const gzip = await built.get(file, found.files);
      return {
        type: isModule(file) ? SCRIPT : STYLE,
        gzip,
        version: file.version,
        readBody: async () => await decompress(gzip),
      };
    },
  };
}

/** `cache` keeps built files between starts of the server. */
export function createConsoleAssets(cache?: AssetCache): ConsoleAssets {
  const built = new BuiltAssets(cache);
  let latest: { readonly state: string; readonly set: AssetSet } | undefined;
  function getCurrent(): AssetSet {
    const state = readFilesState();
    if (latest?.state !== state) latest = { state, set: createAssetSet(findFiles(), built) };
    return latest.set;
  }
  return {
    getCurrent,
    async load(url, version) {
      const known = latest?.set;
      const isKnown = version !== null && known?.locate(url) === `${url}?v=${version}`;
      return await (isKnown ? known : getCurrent()).load(url);
    },
  };
}
