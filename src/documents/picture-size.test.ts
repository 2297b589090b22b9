import { describe, expect, it } from "vitest";
import { readPictureSize } from "./picture-size.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
const rest = "\0".repeat(40);

describe("readPictureSize", () => {
  it.each([
    ["PNG", `\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x01\x2C\0\0\0\x64${rest}`],
    ["GIF", `GIF89a\x2C\x01\x64\0${rest}`],
    ["BMP", `BM${"\0".repeat(16)}\x2C\x01\0\0\x9C\xFF\xFF\xFF${rest}`],
    ["WebP, lossy", `RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9D\x01\x2A\x2C\x01\x64\0${rest}`],
    ["WebP, lossless", `RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2F\x2B\xC1\x18\0${rest}`],
    ["WebP, extended", `RIFF\0\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0\x2B\x01\0\x63\0\0${rest}`],
    ["JPEG", `\xFF\xD8\xFF\xE0\0\x04\0\0\xFF\xFF\xC2\0\x11\x08\0\x64\x01\x2C${rest}`],
    [
      "TIFF",
      `II*\0\x08\0\0\0\x02\0\0\x01\x03\0\x01\0\0\0\x2C\x01\0\0\x01\x01\x04\0\x01\0\0\0\x64\0\0\0\0\0\0\0${rest}`,
    ],
    [
      "TIFF, big-endian",
      `MM\0*\0\0\0\x08\0\x02\x01\0\0\x03\0\0\0\x01\x01\x2C\0\0\x01\x01\0\x04\0\0\0\x01\0\0\0\x64\0\0\0\0${rest}`,
    ],
  ])("reads the size from the header: %s", (_, file) => {
    expect(readPictureSize(bytes(file))).toEqual({ width: 300, height: 100 });
  });

  it("returns undefined for other files and for one that is cut off", () => {
    expect(readPictureSize(bytes(`%PDF-1.7${rest}`))).toBeUndefined();
    expect(readPictureSize(bytes("\x89PNG\r\n"))).toBeUndefined();
    expect(readPictureSize(bytes(`\xFF\xD8\xFF\xE0\xFF\xFF${rest}`))).toBeUndefined();
  });

  it("reads the size from a circular chain of pictures", () => {
    const circle = `II*\0\x08\0\0\0\x01\0\0\x01\x03\0\x01\0\0\0\x2C\x01\0\0\x08\0\0\0${rest}`;
    expect(readPictureSize(bytes(circle))).toEqual({ width: 300, height: 0 });
  });
});
