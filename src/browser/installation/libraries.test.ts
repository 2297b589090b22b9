import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/databases.ts";
import { provideLibraries } from "./libraries.ts";

it.runIf(process.platform === "linux")(
  "provides the missing libraries to callers that ask at the same time",
  async () => {
    const folder = await temporaryFolder();
    const beside = path.join(folder, "libraries", "lib");
    await mkdir(beside, { recursive: true });
    for (const name of ["libexpat.so.1", "libother.so.1"])
      await writeFile(path.join(beside, name), "");
    const executable = path.join(folder, "browser");
    const find = async (): Promise<string[]> => ["libexpat.so.1"];
    const asked = await Promise.all(
      Array.from({ length: 8 }, async () => await provideLibraries(executable, find)),
    );
    expect(new Set(asked).size).toBe(1);
    expect(await readdir(asked[0] ?? "")).toEqual(["libexpat.so.1"]);
    expect((await readdir(folder)).toSorted()).toHaveLength(2);
  },
);
