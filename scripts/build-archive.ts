// Builds the relocatable archive for the present platform: Node and the installed package in one folder.
//   node scripts/build-archive.ts [TARBALL] [FOLDER]     TARBALL of `npm pack` (made when missing); FOLDER for the results
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  version: string;
};
const [given, results = path.join(ROOT, "release")] = process.argv.slice(2);

/** Starts the program with the Node beside it, from wherever the folder is. */
const STARTER = `#!/bin/sh
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
PATH=$here/bin:$PATH exec "$here/bin/node" "$here/lib/node_modules/@quarry/server/bin/quarry.mjs" "$@"
`;

function pack(): string {
  execFileSync("npm", ["pack", "--silent"], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  return path.join(ROOT, `quarry-server-${version}.tgz`);
}

const tarball = path.resolve(given ?? pack());
const name = `quarry-${version}-${process.platform}-${process.arch}`;
const work = mkdtempSync(path.join(tmpdir(), "quarry-archive-"));
const folder = path.join(work, name);
try {
  mkdirSync(path.join(folder, "bin"), { recursive: true });
  execFileSync("npm", ["install", "--global", "--prefix", folder, "--loglevel=error", tarball], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const own = path.join(folder, "lib/node_modules/@quarry/server");
  // Node lies beside the program as it is, so the compressed one is not needed.
  rmSync(path.join(own, "dist/node"), { recursive: true, force: true });
  copyFileSync(process.execPath, path.join(folder, "bin/node"));
  rmSync(path.join(folder, "bin/quarry"), { force: true });
  writeFileSync(path.join(folder, "quarry"), STARTER);
  chmodSync(path.join(folder, "quarry"), 0o755);
  copyFileSync(path.join(ROOT, "LICENSE"), path.join(folder, "LICENSE"));
  mkdirSync(results, { recursive: true });
  const archive = path.join(results, `${name}.tar.gz`);
  const owner = ["--owner=0", "--group=0", "--numeric-owner"];
  execFileSync("tar", ["-czf", archive, ...owner, "-C", work, name]);
  copyFileSync(tarball, path.join(results, path.basename(tarball)));
  const files = readdirSync(results).filter((file) => /\.(?:tgz|tar\.gz|json)$/.test(file));
  const sums = files.toSorted().map((file) => {
    const bytes = readFileSync(path.join(results, file));
    return `${createHash("sha256").update(bytes).digest("hex")}  ${file}\n`;
  });
  writeFileSync(path.join(results, "SHA256SUMS"), sums.join(""));
  const size = execFileSync("du", ["-sm", folder], { encoding: "utf8" }).split("\t")[0];
  process.stdout.write(`${existsSync(archive) ? archive : ""} (${size} MB unpacked)\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
