// Builds client/ for publication: `node scripts/build-client.ts [folder]`, into client/dist unless
// a folder is named.
// The client imports the contract as types, which are inferred from Zod schemas. Published
// unchanged, they would require Zod in every user's compiler. So the sources are copied to a
// temporary folder with the wire types written out and the two data files as literals, and compiled
// there against web platform types only.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ERROR_CODES } from "../src/contract/request/error-codes.ts";
import { LIMITS } from "../src/contract/request/limits.ts";

const root = path.resolve(import.meta.dirname, "..");
const compiler = path.join(root, "node_modules/typescript/bin/tsc");

async function compile(project: string): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [compiler, "-p", project], { timeout: 120_000 });
  } catch (error) {
    const { stdout = "" } = error as { stdout?: string };
    throw new Error(`tsc failed in ${project}:\n${stdout}`, { cause: error });
  }
}

/** `name -> expanded type`, as the compiler prints an inferred type without a name. */
async function spellOutTypes(
  folder: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const wire = path.relative(folder, path.join(root, "client/wire.ts")).split(path.sep).join("/");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "package.json"), `{ "type": "module" }`);
  await writeFile(
    path.join(folder, "probe.ts"),
    [
      `import type * as Wire from ${JSON.stringify(wire)};`,
      "type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;",
      "declare function plain<T>(): Plain<T>;",
      ...names.map((name) => `export const of${name} = plain<Wire.${name}>();`),
    ].join("\n"),
  );
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noErrorTruncation: true,
    rootDir: path.parse(root).root,
    outDir: "declarations",
    typeRoots: [path.join(root, "node_modules/@types")],
  };
  const project = {
    extends: path.join(root, "tsconfig.json"),
    compilerOptions,
    include: ["probe.ts"],
  };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(project));
  await compile(folder);
  const declared = path.relative(compilerOptions.rootDir, path.join(folder, "probe.d.ts"));
  const text = await readFile(path.join(folder, "declarations", declared), "utf8");
  const types = new Map<string, string>();
  for (const part of text.split(/^export declare const of/m).slice(1)) {
    const [, name, type] = /^(\w+): (.*?);\s*(?:export \{\};\s*)?$/s.exec(part) ?? [];
    if (name === undefined || type === undefined) throw new Error(`Cannot read the type: ${part}`);
    if (/\bimport\(|\bPlain</.test(type)) throw new Error(`${name} is not written out: ${type}`);
    // A type that refers to another one of the list keeps that name.
    types.set(name, type.replaceAll(/\bWire\./g, ""));
  }
  for (const name of names) if (!types.has(name)) throw new Error(`${name} got no type.`);
  return types;
}

/** Rewrites wire.ts: every type it exports, with its doc comment, and no import. */
async function stageWireTypes(file: string, probeFolder: string): Promise<void> {
  const text = await readFile(file, "utf8");
  const exported = /^(\/\*\*.*?\*\/\n)?export type (?:\{([^}]*)\} from|(\w+) =)/gms;
  const docs = new Map<string, string>();
  for (const [, doc = "", list, single = ""] of text.matchAll(exported)) {
    for (const name of (list ?? single).split(","))
      if (name.trim() !== "") docs.set(name.trim(), doc);
  }
  const types = await spellOutTypes(probeFolder, [...docs.keys()]);
  const lines = [...docs].map(([name, doc]) => `${doc}export type ${name} = ${types.get(name)};\n`);
  await writeFile(file, lines.join("\n"));
}

async function stageContract(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, "error-codes.ts"),
    [
      "export type ErrorCodeRow = { readonly status: number; readonly retryable: boolean; readonly meaning: string };",
      `export const ERROR_CODES = ${JSON.stringify(ERROR_CODES, undefined, 2)} as const;`,
      "export type ErrorCode = keyof typeof ERROR_CODES;\n",
    ].join("\n"),
  );
  const limits = `export const LIMITS = ${JSON.stringify(LIMITS, undefined, 2)} as const;\n`;
  await writeFile(path.join(folder, "limits.ts"), limits);
}

/** Builds into `target`, which is emptied first. */
export async function buildClient(target: string): Promise<void> {
  const stage = await mkdtemp(path.join(tmpdir(), "quarry-client-"));
  try {
    await cp(path.join(root, "tsconfig.json"), path.join(stage, "tsconfig.json"));
    await cp(path.join(root, "client/package.json"), path.join(stage, "package.json"));
    await mkdir(path.join(stage, "client"));
    for (const name of await readdir(path.join(root, "client"))) {
      if (!/\.(ts|json)$/.test(name) || name.endsWith(".test.ts")) continue;
      await cp(path.join(root, "client", name), path.join(stage, "client", name));
    }
    await stageContract(path.join(stage, "src/contract/request"));
    await stageWireTypes(path.join(stage, "client/wire.ts"), path.join(stage, "probe"));
    await compile(path.join(stage, "client"));
    await rm(target, { recursive: true, force: true });
    await cp(path.join(stage, "client/dist"), target, { recursive: true });
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

if (import.meta.main)
  await buildClient(path.resolve(process.argv[2] ?? path.join(root, "client/dist")));
