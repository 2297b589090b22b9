import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createOcrData } from "./ocr-data.ts";

let folder = "";
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("createOcrData", () => {
  it("searches missing OCR language data again on the next call", async () => {
    folder = await mkdtemp(join(tmpdir(), "quarry-ocr-data-"));
    const data = createOcrData(folder, []);
    expect(await data.prepare(["xyz"])).toEqual({ ocr: undefined, missing: ["xyz"] });
    await writeFile(join(folder, "xyz.traineddata"), "data");
    expect(await data.prepare(["xyz"])).toEqual({
      ocr: { folder, languages: "xyz" },
      missing: [],
    });
  });
});
