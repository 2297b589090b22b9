import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { VERSION } from "../../version.ts";

export type VersionOptions = { readonly verbose?: boolean; readonly json?: boolean };

/** Libraries whose versions matter in a bug report; optional ones may be missing. */
const LIBRARIES = [
  "@electric-sql/pglite",
  "@firecrawl/anydoc",
  "@llamaindex/liteparse",
  "@sparticuz/chromium",
  "playwright-core",
  "undici",
];

type Build = {
  readonly version: string;
  /** Git commit of the sources; null when unknown. */
  readonly revision: string | null;
  readonly installed: "clone" | "package";
  readonly node: string;
  readonly v8: string;
  readonly platform: string;
  /** C library of Linux; null elsewhere. */
  readonly libc: string | null;
  /** Null for a library that is not installed. */
  readonly libraries: Readonly<Record<string, string | null>>;
};

/** `quarry version`: the version, and with `--verbose` what it is made of and runs on. */
export function printVersion({ verbose, json }: VersionOptions): void {
  const build = describeBuild();
  const { version } = build;
  if (json === true) {
    const shown = verbose === true ? build : { version };
    process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    return;
  }
  const rows =
    verbose === true
      ? [
          ["revision", build.revision ?? "unknown"],
          ["installed", `as a ${build.installed}`],
          ["node", `${build.node} (V8 ${build.v8})`],
          ["platform", build.libc === null ? build.platform : `${build.platform}, ${build.libc}`],
          ...Object.entries(build.libraries).map(([name, found]) => [
            name,
            found ?? "not installed",
          ]),
        ]
      : [];
  const lines = rows.map(([name = "", value = ""]) => `  ${name.padEnd(22)}${value}`);
  process.stdout.write(`${[`Quarry ${version}`, ...lines].join("\n")}\n`);
}

export function describeBuild(): Build {
  const isPackage = existsSync(BUILD_FILE);
  return {
    version: VERSION,
    revision: isPackage ? readRevision() : askGit(),
    installed: isPackage ? "package" : "clone",
    node: process.versions.node,
    v8: process.versions.v8,
    platform: `${process.platform}-${process.arch}`,
    libc: findLibc(),
    libraries: Object.fromEntries(LIBRARIES.map((name) => [name, findVersion(name)])),
  };
}

/** Written by scripts/build-package.ts; a clone has none. */
const BUILD_FILE = new URL("../../../build.json", import.meta.url);

function readRevision(): string | null {
  try {
    const text = readFileSync(BUILD_FILE, "utf8");
    return (JSON.parse(text) as { revision: string | null }).revision;
  } catch {
    return null;
  }
}

function askGit(): string | null {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: new URL(".", import.meta.url),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}

function findLibc(): string | null {
  if (process.platform !== "linux") return null;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const glibc = report.header?.glibcVersionRuntime;
  return glibc === undefined ? "musl" : `glibc ${glibc}`;
}

/** Reads the manifest itself: some libraries do not export theirs. */
function findVersion(name: string): string | null {
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    try {
      const text = readFileSync(`${folder}/${name}/package.json`, "utf8");
      return (JSON.parse(text) as { version: string }).version;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}
