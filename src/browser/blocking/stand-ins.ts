// Substitutes for pictures and fonts that are not fetched. A failed request would be
// visible to scripts, which may then show an error text or stop; these load like real ones.
import { crc32, deflateSync } from "node:zlib";

export type StandIn = { readonly contentType: string; readonly base64: string };

/** Pictures of this size keep the page about as long as it is, so that no more entries are loaded. */
const WIDTH_PX = 320;
const HEIGHT_PX = 240;

function buildChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const bytes = Buffer.alloc(named.length + 8);
  bytes.writeUInt32BE(content.length);
  named.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(named), named.length + 4);
  return bytes;
}

/** A transparent PNG with one bit per pixel (ISO/IEC 15948). */
function buildPicture(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH_PX, 0);
  header.writeUInt32BE(HEIGHT_PX, 4);
  header.writeUInt8(1, 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    buildChunk("IHDR", header),
    buildChunk("tRNS", Buffer.alloc(2)),
    buildChunk("IDAT", deflateSync(Buffer.alloc(HEIGHT_PX * (1 + WIDTH_PX / 8)), { level: 9 })),
    buildChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A TrueType font without characters: text is shown in the next font of its list. */
const FONT =
  "AAEAAAAKAIAAAwAgT1MvMnuAeQ0AAACsAAAAYGNtYXAADAAmAAABDAAAACRnbHlmAAAAAAAAATAAAAAEaGVhZF8TQOUAAAE0AAAANmhoZWEDIgEuAAABbAAAACRobXR4AfQAAAAAAZAAAAAEbG9jYQAAAAAAAAGUAAAABG1heHAAAgABAAABmAAAACBuYW1lASgRqgAAAbgAAABAcG9zdAADAAAAAAH4AAAAIAAEAfQBkAAFAAAB9AH0AAAAAAH0AfQAAAAAADIA+gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABub25lAED/////AyD/OAAAAyAAyAAAAAAAAAAAAfQCvAAAAAAAAAAAAAEAAwABAAAADAAEABgAAAACAAIAAAAA//8AAP//AAEAAAAAAAAAAQAAAAEAAAAAAABfDzz1AAAD6AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAAgAAAAAAAAABAAADIP84AAAB9AAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQH0AAAAAAAAAAEAAAABAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAEADYAAwABBAkAAQAKAAAAAwABBAkAAgAKAAAAAwABBAkABAAKAAAAAwABBAkABgAKAAAAZQBtAHAAdAB5AAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

export const PICTURE: StandIn = {
  contentType: "image/png",
  base64: buildPicture().toString("base64"),
};
export const EMPTY_FONT: StandIn = { contentType: "font/ttf", base64: FONT };
