// An archive of 20,000 parts, for parsers that search or open all of them.
import { buildFileBomb } from "../../families/file-bomb.ts";
import { XLSX } from "../../office-parts.ts";
import { buildZip } from "../../zip.ts";

export const fileXlsxEntries = buildFileBomb({
  name: "file-xlsx-entries",
  attack: "a workbook with very many parts",
  type: XLSX,
  build: () =>
    buildZip(
      Array.from({ length: 20_000 }, (_, index) => ({
        name: `xl/worksheets/sheet${index}.xml`,
        data: Buffer.from("<x/>"),
      })),
    ),
});
