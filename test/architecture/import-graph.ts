// The import graph, read from the source text; types count, tests do not.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

export type Import = {
  readonly target: string;
  readonly isType: boolean;
  /** Imported statically, not during execution. */
  readonly isStatic: boolean;
};
/** Absolute path of a file -> its imports as written. */
export type Sources = ReadonlyMap<string, readonly Import[]>;
/** Absolute path of a file -> absolute paths of the files it imports. */
export type Graph = ReadonlyMap<string, readonly string[]>;

const STATEMENT =
  /^(?:import|export)\s+(type\b(?!\s*(?:,|from\b)))?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|(typeof\s+)?\bimport\(\s*["']([^"']+)["']|\bnew URL\(\s*"(\.[^"]+\.[jt]s)"\s*,\s*import\.meta\.url/gm;

const withoutComments = (source: string): string =>
  source.replaceAll(/^\s*\/\*[^]*?\*\//gm, "").replaceAll(/^\s*\/\/.*$/gm, "");

/** Returns imports, re-exports, dynamic imports, type queries and workers in text order. */
export function listImports(source: string): Import[] {
  return [...withoutComments(source).matchAll(STATEMENT)].map((match) => ({
    target: match[2] ?? match[4] ?? match[5] ?? "",
    isType: match[1] !== undefined || match[3] !== undefined,
    isStatic: match[2] !== undefined,
  }));
}

/** Reads the shipped sources: TypeScript without tests. */
export async function readSources(root: string, folders: readonly string[]): Promise<Sources> {
  const sources = new Map<string, Import[]>();
  for (const folder of folders) {
    const start = path.join(root, folder);
    for (const entry of await readdir(start, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (!entry.isFile() || !entry.name.endsWith(".ts") || entry.name.endsWith(".test.ts"))
        continue;
      if (/[\\/](?:node_modules|dist)[\\/]/.test(file)) continue;
      sources.set(file, listImports(await readFile(file, "utf8")));
    }
  }
  return sources;
}

/** Resolves the relative imports of every file. */
export function toGraph(sources: Sources): Graph {
  const resolve = (file: string, { target }: Import): string[] =>
    target.startsWith(".") ? [path.resolve(path.dirname(file), target)] : [];
  return new Map(
    [...sources].map(([file, imports]) => [file, imports.flatMap((one) => resolve(file, one))]),
  );
}

/**
 * Returns one cycle as the files along it, the first repeated at the end; undefined if there is
 * none. Iterative depth-first search: a file is *open* while its imports are visited, then *done*;
 * reaching an open file closes a cycle.
 */
export function findCircle(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  for (const start of graph.keys()) {
    if (done.has(start)) continue;
    const road: { file: string; left: string[] }[] = [
      { file: start, left: [...(graph.get(start) ?? [])] },
    ];
    while (road.length > 0) {
      const here = road.at(-1);
      const next = here?.left.pop();
      if (here === undefined) break;
      if (next === undefined) {
        done.add(here.file);
        road.pop();
        continue;
      }
      const open = road.findIndex((step) => step.file === next);
      if (open !== -1) return [...road.slice(open).map((step) => step.file), next];
      if (!done.has(next)) road.push({ file: next, left: [...(graph.get(next) ?? [])] });
    }
  }
  return undefined;
}
