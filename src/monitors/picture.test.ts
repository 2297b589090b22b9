import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { comparePictures, cutPicture } from "./picture.ts";

type Area = readonly [x: number, y: number, width: number, height: number];

/** A white picture with black areas. */
function draw(width: number, height: number, ...areas: readonly Area[]): Uint8Array {
  const image = new PNG({ width, height });
  image.data.fill(255);
  for (const [left, top, wide, high] of areas)
    for (let y = top; y < top + high; y++)
      for (let x = left; x < left + wide; x++) image.data.set([0, 0, 0, 255], (y * width + x) * 4);
  return PNG.sync.write(image);
}
const none: ReadonlySet<string> = new Set();

describe("pictures of pages", () => {
  it("reports the share and the place of differing pixels", async () => {
    const found = await comparePictures(draw(100, 50), draw(100, 50, [20, 10, 10, 5]), 0.1, none);
    expect(found).toMatchObject({ share: 0.01, box: { x: 20, y: 10, width: 10, height: 5 } });
    const { width, height } = PNG.sync.read(Buffer.from(found.picture));
    expect([width, height]).toEqual([100, 50]);
  });

  it("finds no difference in equal pictures and in ignored blocks", async () => {
    const picture = draw(100, 50, [20, 10, 4, 4]);
    expect(await comparePictures(picture, picture, 0.1, none)).toMatchObject({ share: 0 });
    const { blocks } = await comparePictures(draw(100, 50), picture, 0.1, none);
    expect(blocks).toEqual(["1,0"]);
    const again = await comparePictures(draw(100, 50), picture, 0.1, new Set(blocks));
    expect(again).toMatchObject({ share: 0, box: undefined });
  });

  it("counts rows that only one picture has", async () => {
    const found = await comparePictures(draw(100, 50), draw(100, 100, [0, 60, 100, 10]), 0.1, none);
    expect(found.share).toBeGreaterThan(0.05);
  });

  it("cuts to the region and paints over masks in page coordinates", async () => {
    const region = { x: 10, y: 10, width: 20, height: 20 };
    const masks = [{ x: 15, y: 15, width: 5, height: 5 }];
    const cut = async (...areas: readonly Area[]): Promise<Buffer> =>
      Buffer.from((await cutPicture(draw(100, 50, ...areas), { region, masks })) ?? []);
    const plain = await cut();
    expect(PNG.sync.read(plain)).toMatchObject({ width: 20, height: 20 });
    expect(await cut([16, 16, 3, 3])).toEqual(plain);
    expect(await cut([60, 5, 10, 10])).toEqual(plain);
    expect(await cut([11, 11, 3, 3])).not.toEqual(plain);
  });

  it("returns nothing for a region outside of the page", async () => {
    const region = { x: 200, y: 0, width: 20, height: 20 };
    expect(await cutPicture(draw(100, 50), { region, masks: [] })).toBeUndefined();
  });
});
