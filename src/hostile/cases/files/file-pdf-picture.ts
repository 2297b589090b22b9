// A picture of 10 gigapixels with a few bytes of data: rendering it for text recognition takes 30
// GB.
import { deflateSync } from "node:zlib";
import { buildPdf, buildStream } from "../../build-pdf.ts";
import { buildFileBomb } from "../../families/file-bomb.ts";

export const filePdfPicture = buildFileBomb({
  name: "file-pdf-picture",
  attack: "a PDF with a picture of 100,000 by 100,000 pixels",
  type: "application/pdf",
  build: () =>
    buildPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>",
      buildStream(Buffer.from("600 0 0 800 0 0 cm /I Do")),
      buildStream(
        deflateSync(Buffer.alloc(1_000)),
        "/Type/XObject/Subtype/Image/Width 100000/Height 100000/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode",
      ),
    ]),
});
