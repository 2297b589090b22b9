import { type Behaviour, pathRest } from "../behaviour.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A one-page PDF with the given line of text and a right cross-reference table (ISO 32000-1 §7.5). */
export function pdfBytes(line: string): Buffer {
  const stream = `BT /F1 18 Tf 72 720 Td (${line.replace(/[\\()]/g, "\\$&")}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
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

export const PDF_LINE = "Notice to mariners: the north pier is closed until October.";

/** Bodies that are not HTML, and bodies that say they are something else. */
export const files: readonly Behaviour[] = [
  {
    path: "/data.json",
    about: "a JSON document",
    answer: ({ respond }) =>
      respond({
        type: "application/json",
        body: JSON.stringify({
          port: "Fenwick",
          vessels: 7,
          tides: [{ at: "06:14", metres: 3.2 }],
          note: "“rough” – 5 €",
        }),
      }),
  },
  {
    path: "/broken.json",
    about: "JSON that stops in the middle",
    answer: ({ respond }) =>
      respond({ type: "application/json", body: '{"port":"Fenwick","vessels":' }),
  },
  {
    path: "/notes.txt",
    about: "plain text with <angle> brackets",
    answer: ({ respond }) =>
      respond({
        type: "text/plain; charset=utf-8",
        body: "Log of the pilot boat\n\n06:14  high water, 3.2 m\n09:40  towed <Ostwind> to berth 4\n",
      }),
  },
  {
    path: "/table.csv",
    about: "comma-separated values",
    answer: ({ respond }) =>
      respond({
        type: "text/csv; charset=utf-8",
        body: 'vessel,berth,note\nMarta,2,"bound for home, Friday"\nOstwind,4,repair\n',
      }),
  },
  {
    path: "/feed.xml",
    about: "an RSS feed",
    answer: ({ origin, respond }) =>
      respond({
        type: "application/rss+xml; charset=utf-8",
        body: `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Harbour Gazette</title><link>${origin}/</link><description>News of the quay</description><item><title>Fenwick gets a wall</title><link>${origin}/article</link><pubDate>Tue, 14 May 2024 05:30:00 GMT</pubDate></item></channel></rss>`,
      }),
  },
  {
    path: "/file.pdf",
    about: "a PDF with its right type",
    answer: ({ respond }) => respond({ type: "application/pdf", body: pdfBytes(PDF_LINE) }),
  },
  {
    path: "/wrong-type/*",
    about:
      "pdf-as-html, pdf-as-png, html-as-pdf, html-as-text, html-as-octets, html-untyped, png-as-html",
    answer: (exchange) => {
      const html =
        "<!doctype html><title>Plain</title><h1>Plain</h1><p>This is a page, whatever its label says.</p>";
      const answers = new Map<string, readonly [type: string, body: string | Buffer]>([
        ["pdf-as-html", ["text/html", pdfBytes(PDF_LINE)]],
        ["pdf-as-png", ["image/png", pdfBytes(PDF_LINE)]],
        ["pdf-as-octets", ["application/octet-stream", pdfBytes(PDF_LINE)]],
        ["html-as-pdf", ["application/pdf", html]],
        ["html-as-text", ["text/plain", html]],
        ["html-as-octets", ["application/octet-stream", html]],
        ["html-untyped", ["", html]],
        ["png-as-html", ["text/html", PNG]],
      ]);
      const [type, body] = answers.get(pathRest(exchange, "/wrong-type/*")) ?? [
        "text/plain",
        "No such mistake",
      ];
      exchange.respond({ type, body });
    },
  },
  {
    path: "/images/*",
    about: "one pixel, whatever the name",
    answer: ({ respond }) =>
      respond({ type: "image/png", headers: { "cache-control": "max-age=3600" }, body: PNG }),
  },
  {
    path: "/download",
    about: "bytes sent as an attachment",
    answer: ({ respond }) =>
      respond({
        type: "application/octet-stream",
        headers: { "content-disposition": 'attachment; filename="log.bin"' },
        body: Buffer.from([0, 1, 2, 3, 254, 255]),
      }),
  },
];
