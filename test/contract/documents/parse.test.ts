// Uploaded files through our client, the published one and the command line; pictures and
// languages.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Firecrawl } from "@mendable/firecrawl-js";
import { LiteParse } from "@llamaindex/liteparse";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pdfFile } from "../../documents/pdf-file.ts";
import { buildDocx } from "../../documents/zip.ts";
import { convertPicture } from "../../ffmpeg.ts";
import { startService, type Service } from "../../service.ts";

const PDF = pdfFile(
  ["one", "two", "three"].map((name) => ({
    lines: [{ x: 72, y: 120, text: `This is page ${name}.` }],
  })),
);
const DOCX = buildDocx("<w:p><w:r><w:t>A letter.</w:t></w:r></w:p>");
let service: Service;
let published: Firecrawl;
let picture: Buffer;
beforeAll(async () => {
  service = await startService(undefined);
  published = new Firecrawl({ apiUrl: service.url, apiKey: service.key });
  // Words that are misread without their language's letters.
  const lines = ["Größe und Gewicht", "Fußgänger überqueren Straßen", "Süßigkeiten für Mädchen"];
  const page = { lines: lines.map((text, at) => ({ x: 72, y: 120 + at * 40, text, size: 24 })) };
  const [shot] = await new LiteParse({ quiet: true, ocrEnabled: false, dpi: 130 }).screenshot(
    pdfFile([page]),
    [1],
  );
  picture = shot?.imageBuffer ?? Buffer.alloc(0);
});
afterAll(() => service.close());

describe("file uploads by clients", () => {
  const options = {
    formats: ["markdown" as const],
    parsers: [{ type: "pdf" as const, mode: "fast" as const, maxPages: 2, pages: true }],
  };

  it("uploads a file with our client", async () => {
    const pdf = await service.client.parse({ filename: "a.pdf", data: PDF }, options);
    expect(pdf).toMatchObject({
      markdown: "This is page one.\n\nThis is page two.",
      pages: [{ pageNumber: 1 }, { pageNumber: 2 }],
      metadata: { sourceURL: "a.pdf", numPages: 2, totalPages: 3, creditsUsed: 2 },
    });
    const odd = await service.client.parse({ filename: 'a "b"\r\n.html', data: "<p>Words.</p>" });
    expect(odd.markdown).toBe("Words.");
    await expect(service.client.parse({ filename: "a.exe", data: PDF })).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE_TYPE",
    });
  });

  it("reports a PDF without text as empty", async () => {
    const blank = await service.client.parse({ filename: "a.pdf", data: pdfFile([{ lines: [] }]) });
    expect(blank).toMatchObject({
      markdown: "",
      warning: "No text was found in the file.",
      metadata: { verdict: "empty", numPages: 1 },
    });
  });

  it("uploads a file with the published client", async () => {
    const pdf = await published.parse({ data: PDF, filename: "a.pdf" }, options as never);
    expect(pdf).toMatchObject({
      markdown: "This is page one.\n\nThis is page two.",
      metadata: { numPages: 2, totalPages: 3 },
    });
    const docx = await published.parse({ data: DOCX, filename: "letter.docx" });
    expect(docx.markdown).toBe("A letter.");
    const screenshot = { formats: ["screenshot"] } as never;
    await expect(published.parse({ data: PDF, filename: "a.pdf" }, screenshot)).rejects.toThrow(
      /screenshot/i,
    );
    await expect(published.parse({ data: "", filename: "a.pdf" })).rejects.toThrow(/empty/i);
  });

  it("uploads a PDF with all options of the published client and returns its errors", async () => {
    const parse = async (data: Buffer | string, parsers: readonly unknown[]) =>
      await published.parse({ data, filename: "a.pdf" }, { parsers } as never);
    const all = { mode: "auto", maxPages: 2, pages: true, blocks: true, pageMarkers: true };
    const document = (await parse(PDF, [{ type: "pdf", ...all }])) as Record<string, unknown>;
    expect(document).toMatchObject({
      pages: [{ pageNumber: 1, markdown: "This is page one." }, { pageNumber: 2 }],
      blocks: [{ pageNumber: 1, items: [{ content: "This is page one." }] }, { pageNumber: 2 }],
      metadata: { numPages: 2, totalPages: 3 },
    });
    expect(document["markdown"]).toMatch(/one\.\s+---\s+<!--.*2.*-->\s+This is page two/);
    const asBase64 = await parse(PDF, []);
    expect(Buffer.from(asBase64.markdown ?? "", "base64")).toEqual(PDF);
    const scan = pdfFile([{ picture: "grey" }]);
    await expect(parse(scan, [{ type: "pdf", mode: "fast" }])).rejects.toMatchObject({
      code: "SCRAPE_PDF_OCR_REQUIRED",
    });
    await expect(parse("%PDF-1.7 nothing more", ["pdf"])).rejects.toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
    });
    await expect(parse(PDF, [{ type: "pdf", maxPages: 0 }])).rejects.toMatchObject({ status: 400 });
  });

  it("parses a local file from the command line without a server", async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-parse-"));
    try {
      const file = path.join(folder, "three.pdf");
      await writeFile(file, PDF);
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["src/cli/main.ts", "parse", file, "--max-pages", "1"],
        { env: { PATH: process.env["PATH"] ?? "", QUARRY_DATA_DIR: folder } },
      );
      expect(stdout).toBe("This is page one.\n");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("files with a misleading name", () => {
  const send = async (filename: string, data: Buffer | string, parsers?: object[]) =>
    await service.client.parse(
      { filename, data },
      parsers === undefined ? {} : ({ parsers } as never),
    );

  it.each(["x.png", "x.jpg", "x.webp"])(
    "rejects %s without a picture as unsupported",
    async (name) => {
      for (const parsers of [undefined, [{ type: "image" }]])
        await expect(send(name, "image-data", parsers)).rejects.toMatchObject({
          code: "UNSUPPORTED_FILE_TYPE",
          status: 400,
          message: `Unsupported upload type: ${name} is named as a picture, but its bytes are text/plain.`,
        });
    },
  );

  it("rejects a picture without the image parser and names the parser", async () => {
    await expect(send("x.png", picture)).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE_TYPE",
      status: 400,
      message: expect.stringContaining("image") as string,
    });
  });

  it("reads a .pdf that is text as text with a warning", async () => {
    const document = await send("notes.pdf", "Only some words.");
    expect(document.markdown).toBe("Only some words.");
    expect(document.warning).toContain("notes.pdf is not a PDF: its bytes are text/plain");
    const real = await send("a.pdf", PDF);
    expect(real.warning ?? "").not.toContain("is not a PDF");
  });
});

describe("pictures", () => {
  const read = async (name: string, data: Buffer): Promise<string> => {
    const parsers = [{ type: "image" as const }];
    const { markdown = "" } = await service.client.parse({ filename: name, data }, { parsers });
    return markdown;
  };

  it.each(["png", "jpg", "webp", "tiff", "gif", "bmp"])(
    "reads text in a %s picture",
    async (ending) => {
      const name = `picture.${ending}`;
      const file = ending === "png" ? picture : await convertPicture(picture, name);
      expect(await read(name, file)).toMatch(/und Gewicht/);
    },
    30_000,
  );

  it("reads another language with its data and reports missing data", async () => {
    const { createServer } = await import("node:http");
    const server = createServer((_request, response) =>
      response.writeHead(200, { "content-type": "image/png" }).end(picture),
    );
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    const { port } = server.address() as { port: number };
    const german = await startService(undefined, { egressAllow: [`127.0.0.1:${port}`] });
    try {
      const ask = (languages: string[]) =>
        german.page({
          url: `http://127.0.0.1:${port}/${languages.join()}`,
          parsers: ["image"],
          location: { languages },
        });
      const known = await ask(["de-AT"]);
      expect(known.markdown).toContain("Fußgänger überqueren Straßen");
      expect(known.warning).toBeUndefined();
      const unknown = await ask(["xx", "th"]);
      expect(unknown.markdown).toMatch(/und Gewicht/);
      expect(unknown.warning).toContain("No text recognition data for xx, th is installed.");
    } finally {
      await german.close();
      server.close();
    }
  }, 30_000);
});
