// Builds PDF files (ISO 32000-1, 7.5): pages of lines in Helvetica, or pages with one grey picture.

export type PdfFilePage =
  | {
      readonly lines: readonly {
        readonly x: number;
        readonly y: number;
        readonly text: string;
        readonly size?: number;
      }[];
    }
  | { readonly picture: "grey" };

const WIDTH = 612;
const HEIGHT = 792;

/** `y` is measured from the top of the page. */
export function pdfFile(pages: readonly PdfFilePage[]): Buffer {
  const first = 5;
  const objects: string[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, at) => `${first + at * 2} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    stream(
      "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8",
      "\x80",
    ),
  ];
  for (const [at, page] of pages.entries()) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Resources << /Font << /F1 3 0 R >> /XObject << /I 4 0 R >> >> /Contents ${first + at * 2 + 1} 0 R >>`,
      stream(
        "<<",
        "picture" in page
          ? `q ${WIDTH} 0 0 ${HEIGHT} 0 0 cm /I Do Q`
          : page.lines.map(drawLine).join("\n"),
      ),
    );
  }
  return assemble(objects);
}

const stream = (head: string, content: string): string =>
  `${head} /Length ${content.length} >>\nstream\n${content}\nendstream`;

const drawLine = ({
  x,
  y,
  text,
  size = 11,
}: {
  x: number;
  y: number;
  text: string;
  size?: number;
}): string => `BT /F1 ${size} Tf ${x} ${HEIGHT - y} Td (${text.replace(/[\\()]/g, "\\$&")}) Tj ET`;

function assemble(objects: readonly string[]): Buffer {
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}
