// Lists the console's files: its own modules and styles, and the libraries as their packages ship
// them. Read without promises: for many small files these cost six times the CPU of the reading.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { findPackageJSON } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { InternalError } from "../errors.ts";

export type ConsoleFile = {
  /** Path on the server, without the version. */
  readonly url: string;
  readonly file: string;
  /** The start of the hash of the file's content. */
  readonly version: string;
};

export const APP_URL = "/console/app/";
const LIBRARY_URL = "/console/lib/";
const APP_FOLDER = fileURLToPath(new URL("app/", import.meta.url));
const VERSION_CHARACTERS = 12;

type Library = {
  /** The import specifier. */
  readonly name: string;
  readonly package: string;
  readonly entry: string;
  /** Folder of the package's files that the entry imports; only the entry when missing. */
  readonly folder?: string;
};

/** Loaded by the browser when a module first imports them. */
const LIBRARIES: readonly Library[] = [
  { name: "preact", package: "preact", entry: "dist/preact.mjs" },
  { name: "preact/hooks", package: "preact", entry: "hooks/dist/hooks.mjs" },
  {
    name: "@preact/signals-core",
    package: "@preact/signals-core",
    entry: "dist/signals-core.mjs",
  },
  { name: "@preact/signals", package: "@preact/signals", entry: "dist/signals.mjs" },
  { name: "dompurify", package: "dompurify", entry: "dist/purify.es.mjs" },
  { name: "marked", package: "marked", entry: "lib/marked.esm.js" },
  { name: "@codemirror/commands", package: "@codemirror/commands", entry: "dist/index.js" },
  { name: "@codemirror/lang-json", package: "@codemirror/lang-json", entry: "dist/index.js" },
  { name: "@codemirror/language", package: "@codemirror/language", entry: "dist/index.js" },
  {
    name: "@codemirror/legacy-modes/mode/javascript",
    package: "@codemirror/legacy-modes",
    entry: "mode/javascript.js",
  },
  { name: "@codemirror/lint", package: "@codemirror/lint", entry: "dist/index.js" },
  { name: "@codemirror/state", package: "@codemirror/state", entry: "dist/index.js" },
  { name: "@codemirror/streamparser", package: "@codemirror/streamparser", entry: "dist/index.js" },
  { name: "@codemirror/view", package: "@codemirror/view", entry: "dist/index.js" },
  { name: "@lezer/common", package: "@lezer/common", entry: "dist/index.js" },
  { name: "@lezer/highlight", package: "@lezer/highlight", entry: "dist/index.js" },
  { name: "@lezer/json", package: "@lezer/json", entry: "dist/index.js" },
  { name: "@lezer/lr", package: "@lezer/lr", entry: "dist/index.js" },
  {
    name: "@marijn/find-cluster-break",
    package: "@marijn/find-cluster-break",
    entry: "src/index.js",
  },
  { name: "crelt", package: "crelt", entry: "index.js" },
  { name: "style-mod", package: "style-mod", entry: "src/style-mod.js" },
  { name: "w3c-keyname", package: "w3c-keyname", entry: "index.js" },
  { name: "uplot", package: "uplot", entry: "dist/uPlot.esm.js" },
  { name: "diff", package: "diff", entry: "libesm/index.js", folder: "libesm" },
];

export type FoundFiles = {
  readonly files: readonly ConsoleFile[];
  /** Names of libraries and where their entries are, without versions. */
  readonly libraries: ReadonlyMap<string, string>;
};

const toUrl = (file: string): string => file.split(path.sep).join("/");

function toFile(url: string, file: string): ConsoleFile {
  const hash = createHash("sha256").update(readFileSync(file));
  return { url, file, version: hash.digest("base64url").slice(0, VERSION_CHARACTERS) };
}

function findIn(folder: string, base: string, ending: RegExp): ConsoleFile[] {
  return listNames(folder)
    .filter((name) => ending.test(name))
    .toSorted()
    .map((name) => toFile(`${base}${toUrl(name)}`, path.join(folder, name)));
}

const listNames = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" });

function readFolder(name: string): string {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new InternalError(`The package ${name} is not installed.`);
  return path.dirname(manifest);
}

/** Reads and hashes all files; about ten milliseconds. */
export function findFiles(): FoundFiles {
  const libraries = new Map<string, string>();
  const found = LIBRARIES.map(({ name, package: packageName, entry, folder }) => {
    const root = readFolder(packageName);
    const base = `${LIBRARY_URL}${packageName}/`;
    libraries.set(name, base + entry);
    if (folder === undefined) return [toFile(base + entry, path.join(root, entry))];
    return findIn(path.join(root, folder), `${base}${folder}/`, /\.js$/);
  });
  const own = findIn(APP_FOLDER, APP_URL, /(?<!\.test|\.d)\.ts$|\.css$/);
  return { files: [...own, ...found.flat()], libraries };
}

/** Changes with any file of the console. */
export function readFilesState(): string {
  const names = listNames(APP_FOLDER);
  const times = names.map((name) => statSync(path.join(APP_FOLDER, name)).mtimeMs);
  return `${names.join()} ${times.join()}`;
}
