import { PNG } from "pngjs";
import { expect, it } from "vitest";
import { detectionSchema, pageScopeSchema } from "../contract/jobs/monitor-rules.ts";
import { comparePages } from "./compare-page.ts";
import { comparePictures, cutPicture } from "./picture.ts";
import { comparePicturesInThread, cutPictureInThread } from "./pictures.ts";
import { describeShare } from "./shown-picture.ts";

function draw(shade: number): Uint8Array {
  const image = new PNG({ width: 600, height: 400 });
  for (let at = 0; at < image.data.length; at += 4)
    image.data.set([(at * 7) & 255, shade, 90, 255], at);
  return PNG.sync.write(image);
}

it("compares pictures in a thread with the same result", async () => {
  const [before, after] = [draw(10), draw(200)];
  const ignored = new Set(["0,0"]);
  const direct = await comparePictures(before, after, 0.1, ignored);
  const found = await comparePicturesInThread(before, after, 0.1, ignored);
  expect({ ...found, picture: Buffer.from(found.picture) }).toEqual({
    ...direct,
    picture: Buffer.from(direct.picture),
  });
  const region = { x: 10, y: 10, width: 50, height: 20 };
  const cut = await cutPictureInThread(before, { region, masks: [] });
  expect(Buffer.from(cut ?? [])).toEqual(
    Buffer.from((await cutPicture(before, { region, masks: [] })) ?? []),
  );
  await expect(
    comparePicturesInThread(Buffer.from("no PNG"), after, 0.1, ignored),
  ).rejects.toThrow();
});

it("notices a few differing pixels in two million with the default threshold, and none in equal pictures", async () => {
  const drawPage = (inkedRows: number): string => {
    const image = new PNG({ width: 1_280, height: 1_563 });
    image.data.fill(255);
    // A stroke of a digit.
    for (let y = 800; y < 800 + inkedRows; y++)
      for (let x = 80; x < 82; x++) image.data.set([0, 0, 0, 255], (y * image.width + x) * 4);
    return PNG.sync.write(image).toString("base64");
  };
  const { picture } = pageScopeSchema.parse({ picture: {} });
  const compare = async (before: string, after: string) =>
    await comparePages(
      { text: "", picture: before, fetchedAt: 0 },
      { text: "", picture: after, fetchedAt: 1 },
      async () => [],
      { detection: detectionSchema.parse({}), noise: [], fieldsOnly: false, picture },
    );
  const [before, after] = [drawPage(6), drawPage(10)];
  const found = await compare(before, after);
  expect([found.changed, Math.round((found.picture?.share ?? 0) * 2_000_640)]).toEqual([true, 8]);
  expect(describeShare({ share: found.picture?.share ?? 0 })).toBe(
    "Less than 0.01 % of the picture differs.",
  );
  expect((await compare(before, before)).changed).toBe(false);
});
