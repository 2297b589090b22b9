import { crc32, deflateSync, inflateSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { joinPngs } from "./png.ts";

type Band = { readonly rows: readonly Uint8Array[]; readonly filters: readonly number[] };

const PIXEL_BYTES = 3;

/**
 * Returns the prediction of a filter (RFC 2083, section 6): `left`, `up` and `corner` are
 * neighboring bytes.
 */
function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function encode({ rows, filters }: Band): Buffer {
  const filtered = rows.map((row, index) => {
    const above = rows[index - 1];
    const filter = filters[index] ?? 0;
    const bytes = row.map((value, at) => {
      const left = row[at - PIXEL_BYTES] ?? 0;
      return value - predict(filter, left, above?.[at] ?? 0, above?.[at - PIXEL_BYTES] ?? 0);
    });
    return Buffer.concat([Buffer.from([filter]), bytes]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE((rows[0]?.length ?? 0) / PIXEL_BYTES, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(filtered))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function decode(png: Buffer): Uint8Array[] {
  const width = png.readUInt32BE(16) * PIXEL_BYTES;
  const start = png.indexOf("IDAT") + 4;
  const data = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
  const rows: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += width + 1) {
    const row = Uint8Array.from(data.subarray(at + 1, at + 1 + width));
    const above = rows.at(-1);
    for (let index = 0; index < width; index++) {
      const left = row[index - PIXEL_BYTES] ?? 0;
      const corner = above?.[index - PIXEL_BYTES] ?? 0;
      row[index] = (row[index] ?? 0) + predict(data[at] ?? 0, left, above?.[index] ?? 0, corner);
    }
    rows.push(row);
  }
  expect(png.readUInt32BE(20)).toBe(rows.length);
  return rows;
}

const bandOf = (width: number): fc.Arbitrary<Band> =>
  fc.integer({ min: 1, max: 5 }).chain((height) =>
    fc.record({
      rows: fc.array(
        fc.uint8Array({ minLength: width * PIXEL_BYTES, maxLength: width * PIXEL_BYTES }),
        { minLength: height, maxLength: height },
      ),
      filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: height, maxLength: height }),
    }),
  );

it("joins PNGs with every row of every band, with any filters", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .integer({ min: 1, max: 9 })
        .chain((width) => fc.array(bandOf(width), { minLength: 1, maxLength: 4 })),
      async (bands) => {
        const joined = Buffer.from(await joinPngs(bands.map(encode)));
        expect(decode(joined)).toEqual(bands.flatMap(({ rows }) => rows));
      },
    ),
    { numRuns: 300 },
  );
});

it.each([
  ["nothing", Buffer.alloc(0)],
  ["text", Buffer.from("not a picture, but long enough to be one")],
])("refuses to join %s", async (_name, bytes) => {
  await expect(joinPngs([bytes])).rejects.toThrow(/not a PNG that can be joined/);
});

it("refuses to join pictures of different widths", async () => {
  const narrow = encode({ rows: [new Uint8Array(3)], filters: [0] });
  const wide = encode({ rows: [new Uint8Array(6)], filters: [0] });
  await expect(joinPngs([narrow, wide])).rejects.toThrow(/different kinds/);
});
