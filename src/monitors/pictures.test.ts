import { PNG } from "pngjs";
import { expect, it } from "vitest";
import { comparePictures, cutPicture } from "./picture.ts";
import { comparePicturesInThread, cutPictureInThread } from "./pictures.ts";

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
