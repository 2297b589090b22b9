// Hostile files: each ends in text or a specific error, and the next file is still parsed.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDocx, buildZip } from "../../test/documents/zip.ts";
import { pdfBytes } from "../../test/site/behaviours/files.ts";
import { Deadline } from "../deadline.ts";
import { createDocumentPool, type DocumentPool } from "./pool.ts";
import type { ParseWork } from "./protocol.ts";

let pool: DocumentPool;
beforeAll(() => {
  pool = createDocumentPool({ processes: 1, memoryMiB: 1_024 });
});
afterAll(() => pool.close());

/** Returns the parsed text, or the code and message of the error. */
async function outcomeOf(work: object): Promise<string> {
  using deadline = Deadline.start(30_000);
  const whole = { url: "http://localhost/", budgetMs: 30_000, mode: "auto", maxPages: 10, ...work };
  try {
    const { markdown, pages } = await pool.parse(whole as ParseWork, deadline);
    const blocks = pages.flatMap((page) => page.blocks.map((block) => block.markdown));
    return `read: ${markdown}${blocks.join("\n\n")}`;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
}

const pdf = (text: string) => ({ kind: "pdf", bytes: Buffer.from(text, "latin1") });
const office = (bytes: Uint8Array, format?: string) => ({ kind: "office", bytes, format });
const GOOD = pdf(pdfBytes("All is well.").toString("latin1"));
const TEXT = "<w:p><w:r><w:t>Outside.</w:t></w:r></w:p>";

const wordWith = (parts: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  buildDocx(TEXT, parts);

const pdfOf = (objects: readonly string[], trailer = ""): string =>
  `%PDF-1.4\n${objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join("")}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} ${trailer} >>\n%%EOF`;

/** Falsifies the sizes that the archive's entries declare. */
function lieAboutSizes(archive: Buffer, size: number): Buffer {
  const lying = Buffer.from(archive);
  for (const [mark, place] of [
    ["PK\x03\x04", 22],
    ["PK\x01\x02", 24],
  ] as const)
    for (
      let at = lying.indexOf(mark, 0, "latin1");
      at >= 0;
      at = lying.indexOf(mark, at + 4, "latin1")
    )
      lying.writeUInt32LE(size, at + place);
  return lying;
}

/** Marks the archive's entries as encrypted (APPNOTE.TXT 4.4.4, bit 0). */
function markEncrypted(archive: Buffer): Buffer {
  const marked = Buffer.from(archive);
  for (const [mark, place] of [
    ["PK\x03\x04", 6],
    ["PK\x01\x02", 8],
  ] as const)
    for (
      let at = marked.indexOf(mark, 0, "latin1");
      at >= 0;
      at = marked.indexOf(mark, at + 4, "latin1")
    )
      marked.writeUInt16LE((marked.readUInt16LE(at + place) | 1) & 0xffff, at + place);
  return marked;
}

/** Nests documents inside each other, as attachments do. */
const nested = (depth: number): Buffer =>
  depth === 0
    ? buildDocx("<w:p><w:r><w:t>Innermost.</w:t></w:r></w:p>")
    : wordWith({ "word/embeddings/inner.docx": nested(depth - 1) });

describe("hostile files", () => {
  it.each([
    ["holds archives in archives: none of them is opened", office(nested(20)), /^read: Outside\.$/],
    [
      "is an archive of documents",
      office(buildZip({ "a.docx": buildDocx(TEXT) })),
      /^SCRAPE_UNSUPPORTED_FILE_ERROR: /,
    ],
    [
      "unpacks to a thousand times its size",
      office(wordWith({ "word/styles.xml": Buffer.alloc(400_000_000, 32) })),
      /^(?:read: Outside\.|SCRAPE_UNSUPPORTED_FILE_ERROR: )/,
    ],
    [
      "says that it is small and is not",
      office(
        lieAboutSizes(buildDocx(`<w:p><w:r><w:t>${"x".repeat(300_000_000)}</w:t></w:r></w:p>`), 10),
      ),
      /^SCRAPE_UNSUPPORTED_FILE_ERROR: /,
    ],
    [
      "says that it is huge and is not",
      office(lieAboutSizes(buildDocx(TEXT), 0xff_ff_ff_00)),
      /^(?:read: Outside\.|SCRAPE_UNSUPPORTED_FILE_ERROR: )/,
    ],
    [
      "is an encrypted archive",
      office(markEncrypted(buildDocx(TEXT))),
      /^SCRAPE_UNSUPPORTED_FILE_ERROR: /,
    ],
    [
      "holds tables in tables in tables",
      office(
        buildDocx(
          `${"<w:tbl><w:tr><w:tc>".repeat(20_000)}${TEXT}${"</w:tc></w:tr></w:tbl>".repeat(20_000)}`,
        ),
      ),
      /^(?:read: |SCRAPE_UNSUPPORTED_FILE_ERROR: )/,
    ],
    [
      "has a cyclic page tree",
      pdf(
        pdfOf([
          "<< /Type /Catalog /Pages 2 0 R >>",
          "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>",
        ]),
      ),
      /^SCRAPE_UNSUPPORTED_FILE_ERROR: /,
    ],
    [
      "says it has a billion pages",
      pdf(
        pdfOf([
          "<< /Type /Catalog /Pages 2 0 R >>",
          "<< /Type /Pages /Kids [] /Count 1000000000 >>",
        ]),
      ),
      /^SCRAPE_UNSUPPORTED_FILE_ERROR: /,
    ],
    [
      "is arrays in arrays in arrays",
      pdf(
        pdfOf([
          "<< /Type /Catalog /Pages 2 0 R >>",
          `${"[".repeat(200_000)}${"]".repeat(200_000)}`,
        ]),
      ),
      /^SCRAPE_UNSUPPORTED_FILE_ERROR: /,
    ],
    [
      "is an encrypted PDF",
      pdf(
        pdfOf(
          ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"],
          `/ID [<${"0".repeat(32)}><${"0".repeat(32)}>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${"41".repeat(32)}> /U <${"42".repeat(32)}> >>`,
        ),
      ),
      /^SCRAPE_UNSUPPORTED_FILE_ERROR: .*encrypted/,
    ],
    [
      "is a picture with more pixels than there is memory",
      {
        kind: "image",
        ocr: { folder: "/nowhere", languages: "eng" },
        bytes: Buffer.from(
          `\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\x01\x86\xA0\0\x01\x86\xA0${"\0".repeat(40)}`,
          "latin1",
        ),
      },
      /^SCRAPE_UNSUPPORTED_FILE_ERROR: .*100000 by 100000 pixels/,
    ],
  ])(
    "ends in text or a specific error for a file that %s",
    async (_, work, outcome) => {
      expect((await outcomeOf(work)).slice(0, 300)).toMatch(outcome);
      expect(await outcomeOf(GOOD)).toBe("read: All is well.");
    },
    60_000,
  );
});
