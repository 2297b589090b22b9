// Files in place of pages: behind viewers and redirects, in crawls, in the cache, in --explain.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ScrapeExplanation } from "../../../src/scrape/explanation.ts";
import {
  asked,
  base,
  closeCrawls,
  crawl,
  openCrawls,
  page,
  listPaths,
  redirect,
  serve,
  service,
} from "../../crawls.ts";
import { pdfFile } from "../../documents/pdf-file.ts";
import { buildDocx } from "../../documents/zip.ts";

const PDF = pdfFile(
  ["one", "two"].map((name) => ({ lines: [{ x: 72, y: 120, text: `This is page ${name}.` }] })),
);
const PDF_TEXT = "This is page one.\n\nThis is page two.";
const DOCX = buildDocx("<w:p><w:r><w:t>A letter.</w:t></w:r></w:p>");

const file =
  (body: Buffer, type = "application/pdf") =>
  (_request: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(200, { "content-type": type }).end(body);
const html =
  (body: string) =>
  (_request: IncomingMessage, response: ServerResponse): void =>
    void response
      .writeHead(200, { "content-type": "text/html" })
      .end(`<!doctype html><title>Viewer</title>${body}`);

beforeAll(openCrawls);
afterAll(closeCrawls);

describe("page that only shows a PDF", () => {
  it.each([
    ["an embed", '<embed src="report.pdf" type="application/pdf">'],
    ["pdf.js", '<iframe src="web/viewer.html?file=../report.pdf"></iframe>'],
  ])("returns the PDF of a viewer page: %s", async (_, body) => {
    const site = serve({ "/show": html(body), "/report.pdf": file(PDF) });
    const { markdown, metadata } = await service.page({ url: `${site}/show` });
    expect(markdown).toBe(PDF_TEXT);
    expect(metadata).toMatchObject({
      url: `${site}/report.pdf`,
      sourceURL: `${site}/show`,
      numPages: 2,
      creditsUsed: 2,
      contentType: "application/pdf",
    });
  });

  it("follows a viewer page like a redirect with the same restrictions", async () => {
    const inside = serve({ "/show": html('<embed src="http://10.0.0.1/report.pdf">') });
    const refused = await service.scrape({ url: `${inside}/show` });
    expect([refused.status, refused.body.code]).toEqual([403, "UNSUPPORTED_SITE"]);

    const headers: Record<string, unknown>[] = [];
    const other = base.replace("127.0.0.1", "localhost");
    const place = serve({
      "/report.pdf": (request, response) => {
        headers.push(request.headers);
        file(PDF)(request, response);
      },
    });
    const site = serve({
      "/show": html(`<embed src="${place.replace(base, other)}/report.pdf">`),
    });
    const { markdown } = await service.page({
      url: `${site}/show`,
      headers: { "X-Token": "mine" },
    });
    expect(markdown).toBe(PDF_TEXT);
    expect(headers.map((each) => each["x-token"])).toEqual([undefined]);
  });

  it("returns the page when it has text of its own", async () => {
    const words = "These are words that stand beside the report. ".repeat(20);
    const site = serve({
      "/show": html(`<p>${words}</p><embed src="report.pdf" type="application/pdf">`),
      "/report.pdf": file(PDF),
    });
    const { markdown } = await service.page({ url: `${site}/show` });
    expect(markdown).toContain("words that stand beside");
  });
});

describe("files", () => {
  it("recognizes a file by its bytes behind redirects and wrong labels", async () => {
    const site = serve({
      "/go": redirect("report"),
      "/report": file(PDF, "text/html"),
      "/letter.pdf": file(DOCX, "application/pdf"),
      "/page.pdf": html("<h1>No PDF</h1><p>A page, whatever its name says.</p>"),
    });
    expect((await service.page({ url: `${site}/go` })).markdown).toBe(PDF_TEXT);
    expect((await service.page({ url: `${site}/page.pdf` })).markdown).toContain(
      "A page, whatever",
    );
    expect((await service.page({ url: `${site}/letter.pdf` })).markdown).toBe("A letter.");
  });

  it("returns the text of a false PDF with a warning that it is no PDF", async () => {
    const notes = Buffer.from("Only some words of a note.");
    const site = serve({
      "/labelled": file(notes),
      "/named.pdf": file(notes, "text/plain"),
      "/page.pdf": html("<h1>About a PDF</h1><p>A page, and it says so itself.</p>"),
      "/login": file(
        Buffer.from("<!doctype html><h1>Log in</h1><p>A page with the label of a PDF.</p>"),
      ),
      "/real.pdf": file(PDF),
    });
    for (const name of ["labelled", "named.pdf"]) {
      const document = await service.page({ url: `${site}/${name}` });
      expect(document).toMatchObject({
        markdown: "Only some words of a note.",
        warning: expect.stringContaining(
          `${site}/${name} is not a PDF: its bytes are text/plain and were read as that.`,
        ) as string,
        metadata: { verdict: "content" },
      });
    }
    const login = await service.page({ url: `${site}/login` });
    expect(login.markdown).toContain("the label of a PDF");
    expect(login.warning).toContain("is not a PDF: its bytes are text/html");
    for (const name of ["page.pdf", "real.pdf"])
      expect((await service.page({ url: `${site}/${name}` })).warning ?? "").not.toContain(
        "is not a PDF",
      );
  });

  it("crawls a file like a page, charges its pages, and caches it", async () => {
    const site = serve({
      "/": page("start", ["a.pdf", "b.docx", "c.pdf"]),
      "/a.pdf": file(PDF),
      "/b.docx": file(DOCX, "application/octet-stream"),
      "/c.pdf": file(Buffer.from("%PDF-1.4\nnothing")),
    });
    const first = await crawl(`${site}/`);
    expect(listPaths(first)).toEqual(["/", "/a.pdf", "/b.docx"]);
    const pdf = first.documents.find(({ metadata }) => metadata.numPages === 2);
    expect(pdf).toMatchObject({
      markdown: PDF_TEXT,
      metadata: { creditsUsed: 2, engine: "document" },
    });
    expect(first.creditsUsed).toBe(4);
    const errors = await service.ask(`/v2/crawl/${first.id}/errors`);
    expect(errors.text).toContain("SCRAPE_UNSUPPORTED_FILE_ERROR");

    asked.length = 0;
    const second = await crawl(`${site}/`, { scrapeOptions: { maxAge: 3_600_000 } });
    expect(second.documents.map(({ metadata }) => metadata.cacheState)).toEqual([
      "hit",
      "hit",
      "hit",
    ]);
    expect(second.documents.map(({ markdown }) => markdown)).toContain(PDF_TEXT);
    expect(asked.filter((path) => /\.(?:pdf|docx)$/.test(path))).toEqual([
      expect.stringContaining("/c.pdf") as string,
    ]);
  });

  it.each(["/a.pdf", "/go", "/wrong", "/show"])(
    "explains that the document engine parsed the file behind %s",
    async (path) => {
      const site = serve({
        "/a.pdf": file(PDF),
        "/go": redirect("a.pdf"),
        "/wrong": file(PDF, "text/html"),
        "/show": html('<embed src="a.pdf" type="application/pdf">'),
      });
      const { body } = await service.scrape(
        { url: `${site}${path}` },
        { headers: { "x-quarry-explain": "1" } },
      );
      const explanation = body["explanation"] as ScrapeExplanation;
      expect(explanation.attempts.at(-1)).toMatchObject({
        engine: "http, then document",
        outcome: "captured",
        statusCode: 200,
      });
      expect(explanation.timings["parse"]).toBeGreaterThan(0);
    },
  );
});
