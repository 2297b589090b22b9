// Files over HTTP: PDF options, uploads, and errors of unreadable files.
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document } from "../../../src/contract/page/document.ts";
import { pdfFile } from "../../documents/pdf-file.ts";
import { buildDocx } from "../../documents/zip.ts";
import { startService, type Answer, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

const line = (text: string, size = 11) => ({ x: 72, y: 120, text, size });
const THREE = pdfFile(
  ["one", "two", "three"].map((name) => ({ lines: [line(`This is page ${name}.`)] })),
);
const SCAN = pdfFile([{ picture: "grey" }]);
const MIXED = pdfFile([{ lines: [line("Only this page has text.")] }, { picture: "grey" }]);
const DOCX = buildDocx(
  "<w:p><w:r><w:t>A letter with a table.</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
);
const FILES: Readonly<Record<string, readonly [string, Buffer]>> = {
  "/three.pdf": ["application/pdf", THREE],
  "/scan.pdf": ["application/pdf", SCAN],
  "/scans.pdf": [
    "application/pdf",
    pdfFile(Array.from({ length: 60 }, () => ({ picture: "grey" }))),
  ],
  "/mixed.pdf": ["application/pdf", MIXED],
  "/half.pdf": ["application/pdf", THREE.subarray(0, 400)],
  "/letter": ["application/octet-stream", DOCX],
  "/table.csv": ["text/csv", Buffer.from("Town,Ships\nAal,12\n")],
};

let site: Site;
let service: Service;
let server: Server;
let base: string;
beforeAll(async () => {
  site = await startSite();
  service = await startService(site, { egressAllow: ["127.0.0.1"] });
  server = createServer((request, response) => {
    const [type, body] = FILES[(request.url ?? "").split("?")[0] ?? ""] ?? [
      "text/plain",
      Buffer.from("nothing"),
    ];
    response.writeHead(200, { "content-type": type }).end(body);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(async () => {
  await service.close();
  await site.close();
  server.close();
});

const scrape = (path: string, more: object = {}): Promise<Document> =>
  service.page({ url: base + path, maxAge: 0, ...more });
const refuse = async (path: string, more: object = {}): Promise<Answer> =>
  await service.scrape({ url: base + path, maxAge: 0, ...more });

describe("PDFs", () => {
  it("charges one credit per PDF page, limited by maxPages", async () => {
    const whole = await scrape("/three.pdf");
    expect(whole.markdown).toBe("This is page one.\n\nThis is page two.\n\nThis is page three.");
    expect(whole.metadata).toMatchObject({
      numPages: 3,
      totalPages: 3,
      creditsUsed: 3,
      contentType: "application/pdf",
    });
    const one = await scrape("/three.pdf", { parsers: [{ type: "pdf", maxPages: 1 }] });
    expect(one.markdown).toBe("This is page one.");
    expect(one.metadata).toMatchObject({ numPages: 1, totalPages: 3, creditsUsed: 1 });
  });

  it("returns Markdown, blocks and page markers of PDF pages on request", async () => {
    const parser = { type: "pdf", pages: true, blocks: true, pageMarkers: true };
    const { markdown, pages, blocks } = await scrape("/three.pdf", { parsers: [parser] });
    expect(markdown).toContain("This is page one.\n\n---\n\n<!-- Page 2 -->\n\nThis is page two.");
    expect(pages).toEqual(
      ["one", "two", "three"].map((name, at) => ({
        pageNumber: at + 1,
        markdown: `This is page ${name}.`,
      })),
    );
    const [first] = blocks ?? [];
    expect(first).toMatchObject({ pageNumber: 1, width: 612, height: 792, status: "ok" });
    expect(first?.items[0]).toMatchObject({
      id: "p1.b0",
      type: "paragraph",
      content: "This is page one.",
      markdownSpan: [0, 17],
      readingOrder: 0,
      source: "text",
    });
    const [x0, y0, x1, y1] = first?.items[0]?.bbox ?? [];
    expect([x0, y0, x1, y1].every((value) => value !== undefined && value > 0 && value < 0.5)).toBe(
      true,
    );
  });

  it("requires OCR for a scanned PDF and accepts mode fast for one with text", async () => {
    const fast = { parsers: [{ type: "pdf", mode: "fast" }] };
    const refused = await refuse("/scan.pdf", fast);
    expect([refused.status, refused.body.code]).toEqual([500, "SCRAPE_PDF_OCR_REQUIRED"]);
    const mixed = await scrape("/mixed.pdf", fast);
    expect(mixed.markdown).toBe("Only this page has text.");
    expect(mixed.warning).toContain("2");
    expect(mixed.metadata).toMatchObject({ numPages: 1, totalPages: 2, creditsUsed: 1 });
  });

  it("reports a PDF that needs more time than the timeout", async () => {
    const late = await refuse("/scans.pdf", { timeout: 1_000 });
    expect(late.body.code).toBe("SCRAPE_PDF_INSUFFICIENT_TIME_ERROR");
    expect(late.body.error).toContain("Insufficient time to process PDF");
  });

  it("caches the parsed PDF and returns base64 without a parser", async () => {
    const url = `${base}/three.pdf?cached`;
    const first = await service.page({ url, maxAge: 60_000 });
    const second = await service.page({ url, maxAge: 60_000 });
    expect([first.metadata.cacheState, second.metadata.cacheState]).toEqual(["miss", "hit"]);
    expect(second.markdown).toBe(first.markdown);
    expect(second.metadata).toMatchObject({ numPages: 3, creditsUsed: 3 });
  });

  it("reports a damaged PDF and rejects actions on it", async () => {
    const damaged = await refuse("/half.pdf");
    expect(damaged.body).toMatchObject({ code: "SCRAPE_UNSUPPORTED_FILE_ERROR" });
    expect(damaged.body.error).toContain("damaged");
  });
});

describe("office files", () => {
  it("recognizes office files by their bytes", async () => {
    const { markdown, metadata } = await scrape("/letter");
    expect(markdown).toBe("A letter with a table.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |");
    expect(metadata.creditsUsed).toBe(1);
    expect((await scrape("/table.csv")).markdown).toContain("| Aal | 12 |");
  });
});

describe("file uploads", () => {
  const send = async (
    parts: Readonly<Record<string, string | [string, Buffer]>>,
  ): Promise<{ status: number; body: Answer["body"] }> => {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts))
      if (typeof part === "string") form.set(name, part);
      else form.set(name, new Blob([new Uint8Array(part[1])]), part[0]);
    const answer = await fetch(`${service.url}/v2/parse`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}` },
      body: form,
    });
    return { status: answer.status, body: (await answer.json()) as Answer["body"] };
  };

  it("answers an upload like a scrape under the file's name", async () => {
    const pdf = await send({
      file: ["report.pdf", THREE],
      options: '{"formats":["markdown","html"]}',
    });
    expect(pdf.body.data).toMatchObject({
      markdown: "This is page one.\n\nThis is page two.\n\nThis is page three.",
      metadata: { sourceURL: "report.pdf", numPages: 3, creditsUsed: 3, statusCode: 200 },
    });
    expect(pdf.body.data?.html).toContain("<p>This is page two.</p>");
    const docx = await send({ file: ["letter.docx", DOCX] });
    expect(docx.body.data?.markdown).toContain("A letter with a table.");
    expect(docx.body.data?.metadata.creditsUsed).toBe(1);
    const html = await send({
      file: ["page.html", Buffer.from("<h1>Title</h1><p>Some words.")],
      options: '{"onlyMainContent":false}',
    });
    expect(html.body.data?.markdown).toBe("# Title\n\nSome words.");
    const csv = await send({ file: ["numbers.csv", Buffer.from("a,b\n1,2\n")] });
    expect(csv.body.data?.markdown).toContain("| 1 | 2 |");
  });

  it.each([
    ["without a file", { options: "{}" }, 400, "Missing file upload"],
    [
      "with an empty file",
      { file: ["a.pdf", Buffer.alloc(0)] },
      400,
      "Uploaded file must not be empty.",
    ],
    [
      "with options that are no JSON",
      { file: ["a.pdf", THREE], options: "{" },
      400,
      "Invalid JSON",
    ],
    ["of another type", { file: ["a.exe", THREE] }, 400, "Unsupported upload type"],
    [
      "with a format that needs a page",
      { file: ["a.pdf", THREE], options: '{"formats":["screenshot"]}' },
      400,
      "do not support screenshot",
    ],
    [
      "with actions",
      { file: ["a.pdf", THREE], options: '{"actions":[{"type":"wait","milliseconds":1}]}' },
      400,
      "do not support actions",
    ],
    ["of more than 50 MB", { file: ["a.pdf", Buffer.alloc(53_000_000, 32)] }, 400, "50MB"],
  ] as const)("rejects %s as upload", async (_, parts, status, text) => {
    const refused = await send(parts as never);
    expect(refused.status).toBe(status);
    expect(refused.body.error).toContain(text);
  });

  it("accepts files only on upload routes", async () => {
    const form = new FormData();
    form.set("file", new Blob(["x"]), "a.pdf");
    const answer = await fetch(`${service.url}/v2/scrape`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}` },
      body: form,
    });
    expect(answer.status).toBe(415);
  });
});
