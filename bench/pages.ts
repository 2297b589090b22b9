// The pages a benchmark runs over: a folder of HTML files, such as a manual from a Debian package.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const HOW_TO =
  "Give a folder of HTML pages with --pages=DIR. The published figures use the Python manual:\n" +
  "  apt-get download python3.11-doc && dpkg -x python3.11-doc_*.deb manual\n" +
  "  --pages=manual/usr/share/doc/python3.11/html";

/** Error of a benchmark that lacks a required option. */
export const USAGE_EXIT_CODE = 2;

export function readArgument(name: string, fallback = ""): string {
  const prefix = `--${name}=`;
  return (
    process.argv.find((argument) => argument.startsWith(prefix))?.slice(prefix.length) ?? fallback
  );
}

/** Paths of all HTML files below the folder, sorted, relative to it. Ends the program with advice when there are none. */
export function listPages(): { folder: string; files: string[] } {
  const folder = readArgument("pages");
  if (folder === "" || !existsSync(folder)) {
    process.stderr.write(`${HOW_TO}\n`);
    process.exit(USAGE_EXIT_CODE);
  }
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.html?$/.test(file) && statSync(path.join(folder, file)).isFile())
    .toSorted();
  return { folder, files };
}

export function readPage(folder: string, file: string): Buffer {
  return readFileSync(path.join(folder, file));
}

export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function print(row: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(row)}\n`);
}
