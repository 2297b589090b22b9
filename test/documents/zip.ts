// Builds zip archives of named entries for tests (APPNOTE.TXT 6.3.10, sections 4.3.7 and 4.3.12).
import { crc32, deflateRawSync } from "node:zlib";

export function buildZip(parts: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(plain), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(plain.length, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([
      Buffer.from("PK\x03\x04", "latin1"),
      head,
      Buffer.from(name),
      packed,
    ]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    entries.push(
      Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), head, place, Buffer.from(name)]),
    );
    bodies.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, directory, end]);
}

/** A Word document with this body content and additional entries. */
export const buildDocx = (
  body: string,
  more: Readonly<Record<string, string | Uint8Array>> = {},
): Buffer =>
  buildZip({
    ...packageOf("word/document.xml", "wordprocessingml.document"),
    "word/document.xml": `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ...more,
  });

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A workbook with these sheet names, each with two cells in two rows. */
export function buildXlsx(names: readonly string[]): Buffer {
  const space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const text = (place: string, words: string): string =>
    `<c r="${place}" t="inlineStr"><is><t>${words}</t></is></c>`;
  const sheet = (name: string): string =>
    `<?xml version="1.0"?><worksheet ${space}><sheetData><row r="1">${text("A1", "Name")}${text("B1", name)}</row><row r="2">${text("A2", "Value")}<c r="B2"><v>1</v></c></row></sheetData></worksheet>`;
  const sheets = names.map(
    (name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const links = names.map(
    (_, at) =>
      `<Relationship Id="rId${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const parts = names.map((name, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheet(name)] as const);
  return buildZip({
    ...packageOf("xl/workbook.xml", "spreadsheetml.sheet"),
    "xl/workbook.xml": `<?xml version="1.0"?><workbook ${space} xmlns:r="${OFFICE}"><sheets>${sheets.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links.join("")}</Relationships>`,
    ...Object.fromEntries(parts),
  });
}

const packageOf = (main: string, kind: string): Record<string, string> => ({
  "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
  "_rels/.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="${main}"/></Relationships>`,
});
