import { pdfFile } from "../../documents/pdf-file.ts";
import { silentMp3 } from "../../media.ts";
import { type Behaviour, pathRest } from "../behaviour.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A one-page PDF with the given line of text. */
export const pdfBytes = (text: string): Buffer =>
  pdfFile([{ lines: [{ x: 72, y: 72, text, size: 18 }] }]);

export const PDF_LINE = "Notice to mariners: the north pier is closed until October.";

/** Bodies that are not HTML, and mislabelled bodies. */
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
    path: "/silence.mp3",
    about: "a second of silence",
    answer: ({ respond }) => respond({ type: "audio/mpeg", body: silentMp3(1) }),
  },
  {
    path: "/tides.xml",
    about: "XML that is no feed",
    answer: ({ respond }) =>
      respond({
        type: "application/xml",
        body: '<?xml version="1.0"?><tides><tide at="06:14">3.2</tide></tides>',
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
