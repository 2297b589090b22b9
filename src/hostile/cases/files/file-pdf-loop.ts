// A page tree that is its own child, and claims two billion pages.
import { buildPdf } from "../../build-pdf.ts";
import { buildFileBomb } from "../../families/file-bomb.ts";

export const filePdfLoop = buildFileBomb({
  name: "file-pdf-loop",
  attack: "a PDF whose pages hold themselves",
  type: "application/pdf",
  build: () =>
    buildPdf([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[2 0 R 2 0 R 2 0 R]/Parent 2 0 R/Count 2000000000>>",
    ]),
});
