// Prepares a release: sets the version in every file and dates the unreleased section of
// CHANGELOG.md.
//   npm run release -- --dry-run          print what would change
//   npm run release -- 0.2.0              a version, or patch, minor, major; without one, the next version by the changelog
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

/** Every file that states the version, and the text around the version. */
const VERSION_PLACES: Readonly<Record<string, (version: string) => string>> = {
  "package.json": (version) => `"name": "@quarry/server",\n  "version": "${version}"`,
  "package-lock.json": (version) => `"name": "@quarry/server",\n  "version": "${version}"`,
  "client/package.json": (version) => `"name": "@quarry/client",\n  "version": "${version}"`,
  "client/version.ts": (version) => `CLIENT_VERSION = "${version}"`,
  "client/README.md": (version) => `quarry-client-${version}.tgz`,
};

const LOCK_ROOT = (version: string): string =>
  `"name": "@quarry/server",\n      "version": "${version}"`;
const UNRELEASED = /^## (?:Unreleased|(?<version>\d+\.\d+\.\d+) \(unreleased\))$/mu;
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/u;

export type ReleaseFiles = Readonly<Record<string, string>>;
export type Release = { readonly version: string; readonly files: ReleaseFiles };

/** The files to read before a release. */
export const RELEASE_FILES: readonly string[] = [...Object.keys(VERSION_PLACES), "CHANGELOG.md"];

/**
 * The changed files of a release. `wanted` is a version, "patch", "minor" or "major"; without it,
 * the version that the unreleased section names, or the next minor. Throws an Error that says what
 * to fix when the files do not agree.
 */
export function planRelease(files: ReleaseFiles, date: string, wanted?: string): Release {
  const { version: current } = JSON.parse(contentOf(files, "package.json")) as { version: string };
  const changelog = contentOf(files, "CHANGELOG.md");
  const heading = UNRELEASED.exec(changelog);
  if (heading === null)
    throw new Error('CHANGELOG.md has no section "## Unreleased": add one that lists the changes.');
  const version = chooseVersion(current, wanted ?? heading.groups?.["version"] ?? "minor");
  if (changelog.includes(`\n## ${version} (2`))
    throw new Error(`CHANGELOG.md already has ${version}: choose a later version.`);
  const after = changelog.slice(heading.index + heading[0].length);
  const end = after.search(/^## /mu);
  if (!/^- /mu.test(end === -1 ? after : after.slice(0, end)))
    throw new Error(
      "The unreleased section of CHANGELOG.md is empty: there is nothing to release.",
    );
  const changed: Record<string, string> = {
    "CHANGELOG.md": `${changelog.slice(0, heading.index)}## Unreleased\n\n## ${version} (${date})${after}`,
  };
  for (const [name, place] of Object.entries(VERSION_PLACES)) {
    const places = name === "package-lock.json" ? [place, LOCK_ROOT] : [place];
    changed[name] = places.reduce(
      (text, at) => replaceVersion(name, text, at(current), at(version)),
      contentOf(files, name),
    );
  }
  return { version, files: changed };
}

function contentOf(files: ReleaseFiles, name: string): string {
  const content = files[name];
  if (content === undefined) throw new Error(`${name} is missing.`);
  return content;
}

function replaceVersion(name: string, text: string, before: string, after: string): string {
  if (!text.includes(before))
    throw new Error(
      `${name} does not contain ${JSON.stringify(before)}: its version differs from package.json.`,
    );
  return text.replaceAll(before, after);
}

function chooseVersion(current: string, wanted: string): string {
  const [, major = 0, minor = 0, patch = 0] = (VERSION.exec(current) ?? []).map(Number);
  if (wanted === "major") return `${major + 1}.0.0`;
  if (wanted === "minor") return `${major}.${minor + 1}.0`;
  if (wanted === "patch") return `${major}.${minor}.${patch + 1}`;
  const parts = VERSION.exec(wanted)?.slice(1).map(Number);
  if (parts === undefined)
    throw new Error(`"${wanted}" is no version: write 1.2.3, patch, minor or major.`);
  const steps = [major, minor, patch].map((part, at) => (parts[at] ?? 0) - part);
  if ((steps.find((step) => step !== 0) ?? 0) < 0)
    throw new Error(`${wanted} is older than ${current}: choose a later version.`);
  return wanted;
}

function main(): void {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "dry-run": { type: "boolean", default: false } },
  });
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
  if (status !== "" && !values["dry-run"])
    throw new Error(`Commit or remove these changes first:\n${status}`);
  const files = Object.fromEntries(
    RELEASE_FILES.map((name) => [name, readFileSync(path.join(root, name), "utf8")]),
  );
  const release = planRelease(files, new Date().toISOString().slice(0, 10), positionals[0]);
  const changed = Object.entries(release.files).filter(([name, text]) => files[name] !== text);
  if (!values["dry-run"])
    for (const [name, text] of changed) writeFileSync(path.join(root, name), text);
  const names = changed.map(([name]) => name).join(", ");
  process.stdout.write(
    `Quarry ${release.version}: ${values["dry-run"] ? "would change" : "changed"} ${names}.\n` +
      `${status === "" ? "" : "The tree has uncommitted changes; a release refuses them.\n"}` +
      `Next: npm test, then git commit -am "chore: release ${release.version}" && git tag v${release.version}\n`,
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
