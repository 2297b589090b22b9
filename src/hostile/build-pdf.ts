// Builds PDF files from their objects, valid or not.

/** Returns a PDF with these objects, numbered from 1; the first is the catalog. */
export const buildPdf = (objects: readonly (string | Buffer)[]): Buffer => {
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

/** Returns a stream object; `extra` is added to its dictionary. */
export const buildStream = (data: Buffer, extra = ""): Buffer =>
  Buffer.concat([
    Buffer.from(`<</Length ${data.length}${extra}>>\nstream\n`),
    data,
    Buffer.from("\nendstream"),
  ]);
