import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  makeScratchFolder,
  readProcessStart,
  removeStaleScratchFolders,
  buildScratchHomeName,
} from "./scratch-folders.ts";

const parent = mkdtempSync(path.join(os.tmpdir(), "quarry-scratch-test-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

function plant(name: string): string {
  const folder = path.join(parent, name);
  mkdirSync(path.join(folder, "browser-1"), { recursive: true });
  writeFileSync(path.join(folder, "browser-1", "file"), "x");
  return folder;
}

describe("scratch folders", () => {
  it("scratch folders are private to the user and grouped by process", () => {
    const [first, second] = [makeScratchFolder("browser"), makeScratchFolder("document")];
    expect(path.dirname(first)).toBe(path.dirname(second));
    expect(statSync(path.dirname(first)).mode & 0o777).toBe(0o700);
    expect(path.basename(path.dirname(first))).toMatch(
      new RegExp(`^${buildScratchHomeName(process.pid, readProcessStart(process.pid))}`),
    );
    for (const folder of [first, second]) rmSync(folder, { recursive: true });
  });

  it("removes the scratch folders of processes that are gone, including when the process id was reused", () => {
    const own = readProcessStart(process.pid);
    const running = plant(`${buildScratchHomeName(process.pid, own)}aaaaaa`);
    plant(`${buildScratchHomeName(process.pid, String(Number(own) + 1))}bbbbbb`);
    plant(`${buildScratchHomeName(4_194_304, own)}cccccc`);
    const foreign = plant(`quarry-scratch-00000000-1-1-dddddd`);
    const old = plant(`quarry-scratch-00000000-1-1-eeeeee`);
    utimesSync(old, 0, 0);
    const other = plant("quarry-something-else");
    expect(removeStaleScratchFolders(parent)).toBe(3);
    expect(readdirSync(parent).toSorted()).toEqual(
      [running, foreign, other].map((folder) => path.basename(folder)).toSorted(),
    );
  });

  it("removes scratch folders when the process ends, or at the next start after a kill", async () => {
    const folder = path.join(parent, "tmp");
    mkdirSync(folder);
    const module = path.join(import.meta.dirname, "scratch-folders.ts");
    const start = async (then: string) => {
      const script = `import { makeScratchFolder } from ${JSON.stringify(module)}; process.stdout.write(makeScratchFolder("browser")); ${then}`;
      const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
        env: { TMPDIR: folder },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exit = once(child, "exit");
      const [made] = (await once(child.stdout, "data")) as [Buffer];
      return { child, exit, made: made.toString() };
    };
    const ended = await start("");
    await ended.exit;
    expect(existsSync(ended.made)).toBe(false);
    const killed = await start("setInterval(() => undefined, 1000)");
    expect(removeStaleScratchFolders(folder)).toBe(0);
    killed.child.kill("SIGKILL");
    await killed.exit;
    expect(existsSync(killed.made)).toBe(true);
    expect(removeStaleScratchFolders(folder)).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });
});
