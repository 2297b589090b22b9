import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { withScratchFolder } from "./scratch-folder.ts";

it("removes the media folder after the work, and folders that a killed process left behind", async () => {
  const parent = await mkdtemp(path.join(os.tmpdir(), "quarry-media-"));
  try {
    for (const name of ["media-old", "media-new"]) {
      await mkdir(path.join(parent, name));
      await writeFile(path.join(parent, name, "input"), "sound");
    }
    const yesterday = Date.now() / 1_000 - 86_400;
    await utimes(path.join(parent, "media-old"), yesterday, yesterday);
    const failed = withScratchFolder(parent, async (folder) => {
      expect((await readdir(parent)).toSorted()).toEqual(
        [path.basename(folder), "media-new"].toSorted(),
      );
      throw new Error("no sound");
    });
    await expect(failed).rejects.toThrow("no sound");
    expect(await readdir(parent)).toEqual(["media-new"]);
  } finally {
    await rm(parent, { recursive: true });
  }
});
