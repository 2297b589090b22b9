import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { planRelease, RELEASE_FILES, type ReleaseFiles } from "../../scripts/release.ts";

const root = path.resolve(import.meta.dirname, "../..");
const DATE = "2030-01-31";
const read = async (): Promise<ReleaseFiles> =>
  Object.fromEntries(
    await Promise.all(
      RELEASE_FILES.map(async (name) => [name, await readFile(path.join(root, name), "utf8")]),
    ),
  );

let files: ReleaseFiles;
beforeAll(async () => {
  files = { ...(await read()), "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n- Add a thing.\n" };
});

it("release sets the version in every file that states it", () => {
  const release = planRelease(files, DATE, "98.7.6");
  expect(release.version).toBe("98.7.6");
  for (const name of RELEASE_FILES)
    expect([name, release.files[name]]).toEqual([name, expect.stringContaining("98.7.6")]);
  const lock = JSON.parse(release.files["package-lock.json"] ?? "") as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  expect([lock.version, lock.packages[""]?.version]).toEqual(["98.7.6", "98.7.6"]);
});

it("release dates the unreleased section and opens a new one above it", () => {
  const { files: changed } = planRelease(files, DATE, "98.7.6");
  expect(changed["CHANGELOG.md"]).toBe(
    "# Changelog\n\n## Unreleased\n\n## 98.7.6 (2030-01-31)\n\n- Add a thing.\n",
  );
});

it("release uses the version that the unreleased section names", () => {
  const named = "# Changelog\n\n## 98.0.0 (unreleased)\n\n- Add a thing.\n";
  const release = planRelease({ ...files, "CHANGELOG.md": named }, DATE);
  expect(release.version).toBe("98.0.0");
  expect(release.files["CHANGELOG.md"]).toContain("## 98.0.0 (2030-01-31)\n\n- Add a thing.");
});

it.each([
  ["patch", /\.\d*[1-9]$/],
  ["minor", /^0\.[1-9]\d*\.0$|^[1-9]\d*\.[1-9]\d*\.0$/],
  ["major", /^[1-9]\d*\.0\.0$/],
])("release raises the %s part of the version", (part, expected) => {
  expect(planRelease(files, DATE, part).version).toMatch(expected);
});

it.each([
  ["an older version", {}, "0.0.1", "is older than"],
  ["a word that is no version", {}, "next", "is no version"],
  [
    "a changelog without an unreleased section",
    { "CHANGELOG.md": "# Changelog\n" },
    "98.0.0",
    "no section",
  ],
  [
    "an empty unreleased section",
    { "CHANGELOG.md": "# C\n\n## Unreleased\n\n## 0.0.1 (2029-01-01)\n\n- Add a thing.\n" },
    "98.0.0",
    "nothing to release",
  ],
  [
    "a version that was released before",
    { "CHANGELOG.md": "# C\n\n## Unreleased\n\n- Add.\n\n## 98.0.0 (2029-01-01)\n\n- Add.\n" },
    "98.0.0",
    "already has 98.0.0",
  ],
  [
    "a client of another version",
    { "client/version.ts": 'CLIENT_VERSION = "55.0.0"' },
    "98.0.0",
    "client/version.ts",
  ],
])("release rejects %s", (_case, changed, version, message) => {
  expect(() => planRelease({ ...files, ...changed }, DATE, version)).toThrow(message);
});

it.skipIf(!existsSync(path.join(root, ".git")))(
  "release changes no file in a dry run",
  async () => {
    const before = await read();
    const script = path.join(root, "scripts/release.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [script, "98.7.6", "--dry-run"]);
    expect(stdout).toContain("Quarry 98.7.6: would change CHANGELOG.md, package.json");
    expect(await read()).toEqual(before);
  },
);
