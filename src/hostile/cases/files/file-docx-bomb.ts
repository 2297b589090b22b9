// An office file is a zip archive; its parts inflate to gigabytes of XML.
import { buildFileBomb } from "../../families/file-bomb.ts";
import { DOCX, DOCX_PARTS } from "../../office-parts.ts";
import { buildZip } from "../../zip.ts";

export const fileDocxBomb = buildFileBomb({
  name: "file-docx-bomb",
  attack: "a text document whose XML inflates to gigabytes",
  type: DOCX,
  build: (megabytes) =>
    buildZip([
      ...DOCX_PARTS,
      { name: "word/document.xml", data: Buffer.alloc(megabytes * 1_048_576, "<w:p> ") },
    ]),
});
