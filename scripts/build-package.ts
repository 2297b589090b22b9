// Builds the package that `npm pack` puts into a tarball (npm runs this as "prepack", and `restore` as "postpack").
//   node scripts/build-package.ts            build dist/ and write the published manifest
//   node scripts/build-package.ts restore    remove dist/ and put the repository's package.json back
// dist/ holds the service as JavaScript chunks with most libraries in them (scripts/bundle-sources.ts), its other files where
// the repository has them, and the remaining libraries in the tested versions without what only their developers need.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

import { createTestConfig } from "../src/config.ts";
import { createLogger } from "../src/logger.ts";
import { openDatabase } from "../src/store/database/database.ts";
import { packTemplate } from "../src/store/database/template.ts";
import { bundleSources, PACKAGES, SENT_PACKAGES } from "./bundle-sources.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = path.join(ROOT, "dist");
const MANIFEST = path.join(ROOT, "package.json");
/** The repository's manifest while the published one is in its place. */
const KEPT_MANIFEST = path.join(ROOT, "package.repository.json");

/** Parts of the repository that ship beside the sources. */
const COPIED = ["bin", "docs", "LICENSE", "package.json"];
/** The console's modules are sent to browsers, which the server strips the types for. */
const BROWSER_MODULES = path.join("src", "console", "app");

type Manifest = Readonly<Record<string, unknown>> & {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** An installed package of package-lock.json. */
type Locked = {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};
type Packages = Readonly<Record<string, Locked>>;

/** Optional packages whose JavaScript ships, so that only the code for one platform is optional. */
const WITH_NATIVE_PARTS = ["@llamaindex/liteparse", "@firecrawl/anydoc"];

/**
 * The bundled browser travels inside the tarball but is optional. As an ordinary optional package npm would skip it on the
 * older Node versions that the launcher supports.
 */
const BUNDLED_OPTIONAL = "@sparticuz/chromium";

/** The part of a library that the service uses, where the library has much more. */
const KEPT_FILES: Readonly<Record<string, RegExp>> = {
  "@duckduckgo/autoconsent":
    /^(?:dist\/(?:autoconsent\.(?:esm|playwright)\.js|autoconsent\.(?:esm\.)?m?js)|rules\/compact-rules\.json)$/,
  "@electric-sql/pglite": /^dist\/(?:[^/]+\.js|[^/]+\.(?:data|wasm)|fs\/.*\.js)$/,
  "@llamaindex/liteparse": /^dist\/.*\.js$/,
  "@tesseract.js-data/eng": /^4\.0\.0_best_int\//,
  "gpt-tokenizer": /^esm\/(?!bpeRanks\/(?!cl100k))(?!encoding\/(?!cl100k)).*\.js$/,
  "playwright-core": /^(?!lib\/vite\/)(?!.*\.d\.ts$).*$/,
  tinyld: /^dist\/tinyld\.light\.node\.m?js$/,
};

const LICENSE_FILE = /^(?:licen[cs]e|notice|copying|third.?party)/i;
const UNUSED_FILE =
  /\.(?:d\.[cm]?ts|[cm]?tsx?|map|flow|markdown|md|tsbuildinfo|test\.[cm]?js)$|^\.[^/]*$/i;
const UNUSED_FOLDER =
  /^(?:__tests__|tests?|docs?|examples?|benchmarks?|bench|coverage|\.github|\.vscode|dist-es|dist-types)$/;
/** Folders with such a name that a library loads. */
const USED_FOLDERS: Readonly<Record<string, RegExp>> = { yaml: /doc/ };

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, "utf8")) as T;

/** True for files that only tests or the compiler use. */
export const isDevelopmentFile = (file: string): boolean =>
  /\.(?:test|d)\.tsx?$|(?:^|\/)(?:tsconfig\.json|dist\/)/.test(file);

/** Copies what the service reads beside its modules, such as styles, vocabularies and the modules of the console. */
function copyData(dist: string): void {
  const folder = path.join(ROOT, "src");
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.relative(ROOT, path.join(entry.parentPath, entry.name));
    if (!entry.isFile() || isDevelopmentFile(file)) continue;
    if (file.endsWith(".ts") && !file.startsWith(BROWSER_MODULES)) continue;
    mkdirSync(path.join(dist, path.dirname(file)), { recursive: true });
    cpSync(path.join(ROOT, file), path.join(dist, file));
  }
}

/** Where Node finds `name` from a package in `place`, as package-lock.json lists places. */
function resolveLocked(packages: Packages, place: string, name: string): string | undefined {
  for (let at = place; ;) {
    const candidate = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    if (candidate in packages) return candidate;
    if (at === "") return undefined;
    const above = at.lastIndexOf("/node_modules/");
    at = above === -1 ? "" : at.slice(0, above);
  }
}

/** The places of all libraries that ship: what the manifest needs, and what those need. */
export function listShipped(packages: Packages, roots: readonly string[]): string[] {
  const shipped = new Set<string>();
  const left = roots.map((name) => ({ from: "", name }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const place = resolveLocked(packages, next.from, next.name);
    if (place === undefined || shipped.has(place)) continue;
    shipped.add(place);
    const { dependencies = {} } = packages[place] ?? {};
    for (const name of Object.keys(dependencies)) left.push({ from: place, name });
  }
  return [...shipped].toSorted();
}

/** Copies a library, or only its manifest and license where the chunks have its code. */
function copyLibrary(dist: string, place: string, isBundled: boolean): void {
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  const folder = path.join(ROOT, place);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.relative(folder, path.join(entry.parentPath, entry.name));
    const isShipped = isBundled
      ? isManifestOrLicense(file)
      : isShippedFile(name, file.split(path.sep).join("/"));
    if (!entry.isFile() || !isShipped) continue;
    const target = path.join(dist, place, file);
    mkdirSync(path.dirname(target), { recursive: true });
    cpSync(path.join(folder, file), target);
  }
}

const isManifestOrLicense = (file: string): boolean =>
  file === "package.json" || (!/[/\\]/.test(file) && LICENSE_FILE.test(file));

/** True for the files of a library that the service loads, and for its license. */
export function isShippedFile(name: string, file: string): boolean {
  const parts = file.split("/");
  const base = parts.at(-1) ?? "";
  if (isManifestOrLicense(file)) return true;
  const kept = KEPT_FILES[name];
  if (kept !== undefined) return kept.test(file);
  if (parts.includes("node_modules")) return false;
  const used = USED_FOLDERS[name];
  const isUnused = (part: string): boolean => UNUSED_FOLDER.test(part) && used?.test(part) !== true;
  return !UNUSED_FILE.test(base) && !parts.slice(0, -1).some(isUnused);
}

/** The manifest that is published: libraries are inside the package, and only the rest is installed. */
export function toPublished(manifest: Manifest, packages: Packages): Record<string, unknown> {
  const optional = new Map(
    Object.entries(manifest.optionalDependencies).filter(([name]) => !PLATFORM_NODE.test(name)),
  );
  for (const name of WITH_NATIVE_PARTS) {
    optional.delete(name);
    const parts = packages[`node_modules/${name}`]?.optionalDependencies ?? {};
    for (const [part, version] of Object.entries(parts)) optional.set(part, version);
  }
  optional.set(BUNDLED_OPTIONAL, manifest.dependencies[BUNDLED_OPTIONAL] ?? "*");
  const unused = ["private", "scripts", "devDependencies", "dependencies", "overrides"];
  const kept = Object.entries(manifest).filter(
    ([key]) => !unused.includes(key) && key !== "allowScripts",
  );
  return {
    ...Object.fromEntries(kept),
    optionalDependencies: Object.fromEntries(
      [...optional].toSorted(([left], [right]) => (left < right ? -1 : 1)),
    ),
    bundleDependencies: [BUNDLED_OPTIONAL],
    scripts: { postinstall: "node bin/omit-optional.mjs" },
  };
}

const PLATFORM_NODE = /^node-(?:linux|win)-/;
const COMPRESSION_QUALITY = 6;
const WINDOW_BITS = 24;

/** Puts the Node of this platform into dist/node, compressed: 36 instead of 190 MB. The launcher unpacks it when needed. */
function packNode(manifest: Manifest): void {
  for (const [name, version] of Object.entries(manifest.optionalDependencies)) {
    const binary = path.join(ROOT, "node_modules", name, "bin", "node");
    if (!PLATFORM_NODE.test(name) || !existsSync(binary)) continue;
    const cached = path.join(ROOT, "node_modules", ".cache", `${name}-${version}.br`);
    if (!existsSync(cached)) {
      const bytes = readFileSync(binary);
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: COMPRESSION_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      mkdirSync(path.dirname(cached), { recursive: true });
      writeFileSync(cached, brotliCompressSync(bytes, { params }));
    }
    mkdirSync(path.join(DIST, "node"), { recursive: true });
    cpSync(cached, path.join(DIST, "node", `${name}-${version}.br`));
    cpSync(path.join(ROOT, "node_modules", name, "LICENSE"), path.join(DIST, "node", "LICENSE"));
  }
}

/** Puts a new, migrated database into dist/, which a first start copies. */
async function packDatabase(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "quarry-template-"));
  try {
    const database = await openDatabase(
      createTestConfig({ dataDir: folder }),
      createLogger("silent"),
    );
    await database.close();
    const packed = packTemplate(path.join(folder, "database"));
    writeFileSync(path.join(DIST, "src", "store", "database", "template.br"), packed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The git commit; REVISION gives it where there is no repository, as in an image. */
function findRevision(): string | null {
  // oxlint-disable-next-line node/no-process-env -- a script, not the service
  const given = process.env["REVISION"];
  if (given !== undefined) return given;
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}

/** Writes the service, its files and its libraries into the folder `dist`, without Node and a new database. */
export async function buildService(
  dist: string,
): Promise<{ readonly chunks: number; readonly libraries: number }> {
  const manifest = readJson<Manifest>(MANIFEST);
  const { packages } = readJson<{ packages: Packages }>(path.join(ROOT, "package-lock.json"));
  copyData(dist);
  const chunks = await bundleSources(ROOT, dist, Object.keys(manifest.optionalDependencies));
  for (const name of COPIED)
    cpSync(path.join(ROOT, name), path.join(dist, name), { recursive: true });
  const libraries = listShipped(packages, [
    ...Object.keys(manifest.dependencies).filter((name) => name !== BUNDLED_OPTIONAL),
    ...WITH_NATIVE_PARTS,
  ]);
  const whole = new Set(listShipped(packages, [...PACKAGES, ...SENT_PACKAGES]));
  for (const place of libraries) copyLibrary(dist, place, !whole.has(place));
  return { chunks, libraries: libraries.length };
}

async function build(): Promise<void> {
  restore();
  const manifest = readJson<Manifest>(MANIFEST);
  const { packages } = readJson<{ packages: Packages }>(path.join(ROOT, "package-lock.json"));
  const { chunks, libraries } = await buildService(DIST);
  packNode(manifest);
  await packDatabase();
  writeFileSync(path.join(DIST, "build.json"), `${JSON.stringify({ revision: findRevision() })}\n`);
  const published = `${JSON.stringify(toPublished(manifest, packages), undefined, 2)}\n`;
  writeFileSync(path.join(DIST, "package.json"), published);
  renameSync(MANIFEST, KEPT_MANIFEST);
  writeFileSync(MANIFEST, published);
  const size = execFileSync("du", ["-sm", DIST], { encoding: "utf8" }).split("\t")[0];
  process.stderr.write(
    `dist/: ${chunks} chunks of the service, ${libraries} libraries, ${size} MB.\n`,
  );
}

function restore(): void {
  rmSync(DIST, { recursive: true, force: true });
  if (existsSync(KEPT_MANIFEST)) renameSync(KEPT_MANIFEST, MANIFEST);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  if (process.argv[2] === "restore") restore();
  else await build();
