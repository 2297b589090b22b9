// Files that expand in their parser: PDF, office, archives, XML. Passes if each is answered in time
// with a document or a named error, in bounded memory.
import { deflateSync } from "node:zlib";
import { broke, held, type HostileCase } from "../hostile-case.ts";
import { describeReply } from "../target.ts";
import { buildZip } from "../zip.ts";

const MEGABYTE = 1_048_576;
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const buildPdf = (objects: readonly (string | Buffer)[]): Buffer => {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from("\nendobj\n"),
    ]);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
};

const stream = (data: Buffer, extra = ""): Buffer =>
  Buffer.concat([
    Buffer.from(`<</Length ${data.length}${extra}>>\nstream\n`),
    data,
    Buffer.from("\nendstream"),
  ]);

const CONTENT_TYPES = Buffer.from(
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${DOCX}.main+xml"/></Types>`,
);
const RELATIONS = Buffer.from(
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
);
const LAUGHS = `<!DOCTYPE a [<!ENTITY l0 "ha">${Array.from({ length: 12 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join("")}]>`;

type File = readonly [
  name: string,
  attack: string,
  type: string,
  build: (megabytes: number) => Buffer,
];

const FILES: readonly File[] = [
  [
    "pdf-stream",
    "a PDF whose page inflates to gigabytes",
    "application/pdf",
    (megabytes) =>
      buildPdf([
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
        stream(deflateSync(Buffer.alloc(megabytes * MEGABYTE, "q ")), "/Filter/FlateDecode"),
      ]),
  ],
  [
    "pdf-loop",
    "a PDF whose pages hold themselves",
    "application/pdf",
    () =>
      buildPdf([
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[2 0 R 2 0 R 2 0 R]/Parent 2 0 R/Count 2000000000>>",
      ]),
  ],
  [
    "pdf-picture",
    "a PDF with a picture of 100,000 by 100,000 pixels",
    "application/pdf",
    () =>
      buildPdf([
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>",
        stream(Buffer.from("600 0 0 800 0 0 cm /I Do")),
        stream(
          deflateSync(Buffer.alloc(1_000)),
          "/Type/XObject/Subtype/Image/Width 100000/Height 100000/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode",
        ),
      ]),
  ],
  [
    "docx-bomb",
    "a text document whose XML inflates to gigabytes",
    DOCX,
    (megabytes) =>
      buildZip([
        { name: "[Content_Types].xml", data: CONTENT_TYPES },
        { name: "_rels/.rels", data: RELATIONS },
        { name: "word/document.xml", data: Buffer.alloc(megabytes * MEGABYTE, "<w:p> ") },
      ]),
  ],
  [
    "docx-entities",
    "a text document with entities that multiply (billion laughs)",
    DOCX,
    () =>
      buildZip([
        { name: "[Content_Types].xml", data: CONTENT_TYPES },
        { name: "_rels/.rels", data: RELATIONS },
        {
          name: "word/document.xml",
          data: Buffer.from(
            `<?xml version="1.0"?>${LAUGHS}<w:document xmlns:w="x"><w:body><w:p>&l12;</w:p></w:body></w:document>`,
          ),
        },
      ]),
  ],
  [
    "xlsx-entries",
    "a workbook with very many parts",
    XLSX,
    () =>
      buildZip(
        Array.from({ length: 20_000 }, (_, index) => ({
          name: `xl/worksheets/sheet${index}.xml`,
          data: Buffer.from("<x/>"),
        })),
      ),
  ],
  [
    "xml-entities",
    "a feed with entities that multiply",
    "application/rss+xml",
    () =>
      Buffer.from(
        `<?xml version="1.0"?>${LAUGHS}<rss version="2.0"><channel><title>&l12;</title></channel></rss>`,
      ),
  ],
  [
    "xml-external",
    "a feed that includes a file of the server",
    "application/rss+xml",
    () =>
      Buffer.from(
        `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>&f;</title><item><title>&f;</title></item></channel></rss>`,
      ),
  ],
];

export const documentBombs: readonly HostileCase[] = FILES.map(([name, attack, type, build]) => ({
  name: `file-${name}`,
  attack: `A site serves ${attack}.`,
  promise: "The file is a document or a named error, in time and in bounded memory.",
  severity: "high",
  budgetMs: 120_000,
  async run({ target, site, isSmall }) {
    const file = build(isSmall ? 100 : 1_000);
    const page = site.serve(
      name,
      (_request, response) => void response.writeHead(200, { "content-type": type }).end(file),
    );
    const reply = await target.scrape(page.url, {}, 30_000);
    if (page.requests() === 0)
      return broke(`the file was never asked for: ${describeReply(reply)}`);
    if (reply.status === 0) return broke(describeReply(reply));
    if (/root:.?:0:0:/.test(reply.text)) return broke("a file of the server was returned");
    return held(`${file.length} bytes: ${describeReply(reply)}`);
  },
}));
