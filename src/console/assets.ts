// Files of the console by URL, built on the first request and cached compressed.
import type { BuiltAsset } from "./asset-worker.ts";
import { buildAssets } from "./build-assets.ts";
import {
  APP_URL,
  type ConsoleFile,
  type FoundFiles,
  findFiles,
  readFilesState,
} from "./find-files.ts";

export type Asset = {
  readonly type: string;
  readonly body: Uint8Array;
  readonly gzip: Uint8Array;
  readonly version: string;
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
  getCurrent(): Promise<AssetSet>;
  /** The file in this version, of the last set if possible: a document names all its files. */
  load(url: string, version: string | null): Promise<Asset | undefined>;
};

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

function createAssetSet(found: FoundFiles, earlier: BuiltAssets): AssetSet {
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
      const { body, gzip } = await earlier.get(file, found.files);
      return { type: isModule(file) ? SCRIPT : STYLE, body, gzip, version: file.version };
    },
  };
}

/** The console's own files, or one package: a page that requests one of them requests most. */
const readFolder = ({ url }: ConsoleFile): string =>
  url.startsWith(APP_URL) ? APP_URL : url.split("/").slice(0, 4).join("/");

/** Styles are built first: the first paint waits for them, and for nothing else. */
const rank = (file: ConsoleFile): number => (isModule(file) ? 1 : 0);

/** Built assets by URL. The files of a folder are built together. */
class BuiltAssets {
  readonly #built = new Map<
    string,
    { readonly version: string; readonly asset: Promise<BuiltAsset> }
  >();

  #find({ url, version }: ConsoleFile): Promise<BuiltAsset> | undefined {
    const known = this.#built.get(url);
    return known?.version === version ? known.asset : undefined;
  }

  async get(file: ConsoleFile, all: readonly ConsoleFile[]): Promise<BuiltAsset> {
    const known = this.#find(file);
    if (known !== undefined) return await known;
    const folder = readFolder(file);
    const missing = all.filter(
      (one) => readFolder(one) === folder && this.#find(one) === undefined,
    );
    const built = buildAssets(missing.toSorted((one, other) => rank(one) - rank(other)));
    for (const { url, version } of missing) {
      const asset = built.get(url);
      if (asset === undefined) continue;
      this.#built.set(url, { version, asset });
      // A failed build is retried on the next request.
      asset.catch(() => this.#built.delete(url));
    }
    const asked = built.get(file.url);
    if (asked === undefined) throw new RangeError(`${file.url} is not among the files`);
    return await asked;
  }
}

export function createConsoleAssets(): ConsoleAssets {
  const built = new BuiltAssets();
  let latest: Promise<{ readonly state: string; readonly set: AssetSet }> | undefined;
  async function read(state: string): Promise<{ state: string; set: AssetSet }> {
    return { state, set: createAssetSet(await findFiles(), built) };
  }
  const readLatest = async () => await latest?.catch(() => undefined);
  async function getCurrent(): Promise<AssetSet> {
    const state = await readFilesState();
    const known = await readLatest();
    if (known?.state === state) return known.set;
    latest = read(state);
    return (await latest).set;
  }
  return {
    getCurrent,
    async load(url, version) {
      const known = (await readLatest())?.set;
      const isKnown = version !== null && known?.locate(url) === `${url}?v=${version}`;
      return await (isKnown ? known : await getCurrent()).load(url);
    },
  };
}
