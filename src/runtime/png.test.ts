import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { PNG_SIGNATURE, readPng } from "./png.ts";

const chunk = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content, Buffer.alloc(4)]);
};
const header = (color: number, depth = 8, interlaced = 0): Buffer => {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(3, 0);
  bytes.writeUInt32BE(2, 4);
  bytes.set([depth, color, 0, 0, interlaced], 8);
  return chunk("IHDR", bytes);
};
const packed = deflateSync(Buffer.alloc(40));
const file = (head: Buffer): Buffer =>
  Buffer.concat([
    PNG_SIGNATURE,
    head,
    chunk("tEXt", Buffer.from("words")),
    chunk("IDAT", packed.subarray(0, 5)),
    chunk("IDAT", packed.subarray(5)),
    chunk("IEND", Buffer.alloc(0)),
  ]);

describe("PNG reader", () => {
  it.each([
    ["grey", 0, 1],
    ["colors", 2, 3],
    ["grey that shines through", 4, 2],
    ["colors that shine through", 6, 4],
  ])("reads the size and rows of a PNG of %s", (_, color, pixelBytes) => {
    const found = readPng(new Uint8Array(file(header(color))));
    expect(found).toMatchObject({ width: 3, height: 2, pixelBytes, packed });
  });

  it.each([
    ["with a palette", file(header(3))],
    ["of 16 bits", file(header(2, 16))],
    ["interlaced", file(header(2, 8, 1))],
    ["without a header", Buffer.concat([PNG_SIGNATURE, chunk("IDAT", packed)])],
    ["cut off", file(header(2)).subarray(0, 20)],
    ["that is none", Buffer.concat([Buffer.alloc(8), header(2)])],
    ["of nothing", Buffer.alloc(0)],
  ])("rejects a PNG that is %s", (_, bytes) => {
    expect(readPng(bytes)).toBeUndefined();
  });
});
