// Bundles the service for the package: its modules and most libraries become a few hundred chunks, which load in half the
// time of 1,600 files. Names stay readable; source maps point to the repository's files.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { rolldown, type Plugin } from "rolldown";

/** The program; programs of threads and child processes are found by their URLs in the sources. */
const PROGRAM = "src/cli/main.ts";
const CHUNKS = "chunks";

/** Where dist/ is, in each chunk. */
const DIST_URL = "__distUrl";

/**
 * Libraries that stay packages of their own: they read files beside their modules, start threads, have code for one
 * platform, or are loaded by few installations.
 */
export const PACKAGES: readonly string[] = [
  "@aws-sdk/client-s3",
  "@duckduckgo/autoconsent",
  "@electric-sql/pglite",
  "@fastify/swagger",
  "@fastify/swagger-ui",
  "@firecrawl/anydoc",
  "@jitl/quickjs-ng-wasmfile-release-sync",
  "@llamaindex/liteparse",
  "@sparticuz/chromium",
  "@tesseract.js-data/eng",
  "culori",
  "gpt-tokenizer",
  "nodemailer",
  "pg",
  "pino",
  "pino-pretty",
  "piscina",
  "playwright-core",
  "tinyld",
];

/** Libraries whose files the console sends to browsers. */
export const SENT_PACKAGES: readonly string[] = [
  "@codemirror/commands",
  "@codemirror/lang-json",
  "@codemirror/language",
  "@codemirror/legacy-modes",
  "@codemirror/lint",
  "@codemirror/state",
  "@codemirror/streamparser",
  "@codemirror/view",
  "@lezer/common",
  "@lezer/highlight",
  "@lezer/json",
  "@lezer/lr",
  "@marijn/find-cluster-break",
  "@preact/signals",
  "@preact/signals-core",
  "crelt",
  "diff",
  "dompurify",
  "marked",
  "preact",
  "style-mod",
  "uplot",
  "w3c-keyname",
];

/** Modules whose text runs elsewhere, by the names that it has in the sources: they stay files. */
export const UNBUNDLED = "src/sandbox/surface/";

/** Marks an import of a file of dist/ until it is known from where. */
const DIST_SCHEME = "dist:";

const PROGRAM_URL = /new URL\(\s*"(?<name>[^"\n]+)\.ts",\s*import\.meta\.url/g;

/** The TypeScript files that are started by their URL, and the program, relative to `root`. */
export function listPrograms(root: string): string[] {
  const programs = new Set([PROGRAM]);
  for (const entry of readdirSync(path.join(root, "src"), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.isFile() || !/(?<!\.test|\.d)\.ts$/.test(entry.name)) continue;
    const source = readFileSync(path.join(entry.parentPath, entry.name), "utf8");
    for (const { groups } of source.matchAll(PROGRAM_URL)) {
      const file = path.join(entry.parentPath, `${groups?.["name"] ?? ""}.ts`);
      programs.add(path.relative(root, file));
    }
  }
  return [...programs].toSorted();
}

/** Makes a module of the service, `file` below the repository, independent of the chunk that it lands in. */
export function fixUrls(source: string, file: string): string {
  const own = JSON.stringify(file.replace(/\.ts$/, ".js"));
  return source
    .replaceAll(PROGRAM_URL, (found) => found.replace(/\.ts"/, '.js"'))
    .replaceAll("import.meta.url", `new URL(${own}, ${DIST_URL}).href`);
}

/** Modules that make scripts of pages out of the text of their functions, which call each other by name. */
const SCRIPT_OF_FUNCTIONS =
  /\]\s*\.map\(String\)\s*\.join\("\\n"\)|\(part\) => part\.toString\(\)|^\$\{\w+\.toString\(\)\}$|^export const [A-Z]+_FUNCTIONS = \[/m;

const hasScript = (file: string): boolean => SCRIPT_OF_FUNCTIONS.test(readFileSync(file, "utf8"));

const isIn = (names: readonly string[], id: string): boolean =>
  names.some((name) => id === name || id.startsWith(`${name}/`));

/**
 * Writes the bundled service into `dist`, with each program at its place in the sources, and `optional` packages left
 * out. Returns the number of chunks.
 */
export async function bundleSources(
  root: string,
  dist: string,
  optional: readonly string[],
): Promise<number> {
  const programs = listPrograms(root);
  const isOwn = (id: string): boolean => id.startsWith(path.join(root, "src") + path.sep);
  const urls: Plugin = {
    name: "urls",
    resolveId(id, importer) {
      if (importer === undefined || !id.startsWith(".") || !isOwn(importer)) return undefined;
      const file = path.relative(root, path.resolve(path.dirname(importer), id));
      if (!file.startsWith(UNBUNDLED)) return undefined;
      return { id: DIST_SCHEME + file.replace(/\.ts$/, ".js"), external: true };
    },
    load(id) {
      if (!id.endsWith(".ts") || !isOwn(id)) return undefined;
      const source = readFileSync(id, "utf8");
      return { code: fixUrls(source, path.relative(root, id)), moduleType: "ts" };
    },
  };
  const bundle = await rolldown({
    cwd: root,
    platform: "node",
    // The types are gone, and an image is built without it.
    tsconfig: false,
    input: Object.fromEntries(
      programs.map((file) => [file.replace(/\.ts$/, ""), path.join(root, file)]),
    ),
    external: (id, importer) =>
      isIn(PACKAGES, id) || (importer !== undefined && isOwn(importer) && isIn(optional, id)),
    plugins: [urls],
    logLevel: "silent",
  });
  const { output } = await bundle.write({
    dir: dist,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
    sourcemap: true,
    codeSplitting: {
      // Alone in its chunk, a function keeps its name.
      includeDependenciesRecursively: false,
      groups: [
        { test: (id) => isOwn(id) && hasScript(id), name: (id) => path.basename(id, ".ts") },
      ],
    },
    banner: ({ fileName }) => {
      const up = path.posix.relative(path.posix.dirname(fileName), "");
      return `const ${DIST_URL} = new URL(${JSON.stringify(`${up}/`)}, import.meta.url);`;
    },
  });
  await bundle.close();
  for (const name of readdirSync(path.join(root, UNBUNDLED)))
    copyModule(path.join(root, UNBUNDLED, name), path.join(dist, UNBUNDLED, name));
  const chunks = output.filter((file) => file.type === "chunk");
  for (const { fileName, code, moduleIds } of chunks) {
    checkChunk(fileName, code);
    if (moduleIds.some((id) => isOwn(id) && hasScript(id))) checkNames(fileName, code);
    if (code.includes(`"${DIST_SCHEME}`))
      writeFileSync(path.join(dist, fileName), fixImports(code, fileName));
    dropSources(path.join(dist, `${fileName}.map`));
  }
  return chunks.length;
}

function fixImports(code: string, chunk: string): string {
  return code.replaceAll(/"dist:(?<file>[^"\n]+)"/g, (_, file: string) => {
    const relative = path.posix.relative(path.posix.dirname(chunk), file);
    return JSON.stringify(relative.startsWith(".") ? relative : `./${relative}`);
  });
}

/** Libraries find files beside them by these; inside of a chunk they would look in the wrong place. */
const OWN_PLACE =
  /\b__(?:dirname|filename)\b|\bimport\.meta\.(?:dirname|filename)\b|new URL\([^()\n]*import\.meta\.url/;
/** Comments, libraries that do without, and the place of dist/, which the bundler leaves as an expression where nothing uses it. */
const IGNORED_LINE =
  /^\s*(?:\*|\/[/*])|typeof __filename|^(?:const \w+ = )?new URL\("[./]+", import\.meta\.url\);$/;

/** Throws an Error for a chunk with a library that must stay a package (PACKAGES). */
export function checkChunk(name: string, code: string): void {
  for (const line of code.split("\n")) {
    if (!IGNORED_LINE.test(line) && OWN_PLACE.test(line))
      throw new Error(`${name} looks for files beside it; list its library in PACKAGES: ${line}`);
  }
}

/** Throws an Error if the bundler has renamed something in a chunk that makes scripts out of its functions. */
export function checkNames(name: string, code: string): void {
  const renamed = /\b\w+\$\d+\b/.exec(code);
  if (renamed !== null)
    throw new Error(
      `${name} sends functions to pages, but the bundler renamed one to ${renamed[0]}: give it a name of its own.`,
    );
}

/** Removes the text of the sources from a source map, which is most of it. */
function dropSources(file: string): void {
  if (!existsSync(file)) return;
  const { sourcesContent: _, ...map } = JSON.parse(readFileSync(file, "utf8")) as Record<
    string,
    unknown
  >;
  writeFileSync(file, JSON.stringify(map));
}

/** Removes the types of a module, which keeps lines and columns, and points its imports to the JavaScript files. */
export function toJavaScript(source: string): string {
  return stripTypeScriptTypes(source).replaceAll(
    /(?<start>\bfrom\s*|\bimport\s*)"(?<name>\.[^"\n]+)\.ts"/g,
    '$<start>"$<name>.js"',
  );
}

function copyModule(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to.replace(/\.ts$/, ".js"), toJavaScript(readFileSync(from, "utf8")));
}
