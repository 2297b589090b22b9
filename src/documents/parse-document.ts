// Parses one file to blocks, their Markdown and the HTML of the whole. Runs in its own process.
import type { ParsedBlock, ParsedFile, ParsedPage } from "../capture.ts";
import { toMarkdown } from "../html/markdown/markdown.ts";
import { parseHtml } from "../html/parse/parse.ts";
import { TargetError } from "../errors.ts";
import { type Block, type Content, mapInlines, joinInlineText } from "./pdf/layout/block.ts";
import { buildBlocks } from "./pdf/layout/build-blocks.ts";
import type { PdfPage } from "./pdf/page-text.ts";
import { readPictureSize } from "./picture-size.ts";
import { escapeHtml, toHtml } from "./pdf/to-html.ts";
import type { ParseProgress, ParseWork } from "./protocol.ts";

type ParseContext = {
  /** Memory limit of the process. */
  readonly memoryMiB: number;
  readonly onProgress?: (progress: ParseProgress) => void;
  /** Called when abandoned work continues. */
  readonly onAbandoned?: () => void;
};

/** Parses one file. Throws TargetError if it cannot be read; see read-pdf.ts and read-office.ts. */
export async function parseDocument(
  work: ParseWork,
  { memoryMiB, ...listener }: ParseContext,
): Promise<ParsedFile> {
  if (work.kind === "office") {
    if (work.format === "csv" && !hasSign(work.bytes)) {
      const { readCsv } = await import("./csv/read-csv.ts");
      return readCsv(work.bytes, work.contentType);
    }
    const { readOffice } = await load(() => import("./office/read-office.ts"), "office");
    const { html, warnings } = await readOffice(work.bytes, work.format, memoryMiB);
    return {
      markdown: renderMarkdown(html, work.url),
      html,
      pages: [],
      totalPages: undefined,
      warnings,
    };
  }
  if (work.kind === "image") return await parseImage(work);
  const { readPdf } = await load(() => import("./pdf/read-pdf.ts"), "PDF");
  const layOut = (pages: readonly PdfPage[]): void =>
    void build(pages, { wanting: new Map(), totalPages: 0, warnings: [] }, work.url);
  const reading = await readPdf(work.bytes, { ...work, ...listener, layOut });
  return build(reading.pages, reading, work.url);
}

/** In hexadecimal: zip archive, OLE container, RTF. */
const SIGNS = ["504b0304", "d0cf11e0", "7b5c727466"];

/** True if the bytes identify the format, regardless of the file name. */
function hasSign(bytes: Uint8Array): boolean {
  const opening = Buffer.from(bytes.subarray(0, 8)).toString("hex");
  return SIGNS.some((sign) => opening.startsWith(sign));
}

/**
 * The libraries are native. On a platform without a build, only that kind of file cannot be read.
 */
async function load<Module>(importing: () => Promise<Module>, kind: string): Promise<Module> {
  try {
    return await importing();
  } catch (cause) {
    throw new TargetError(
      "SCRAPE_UNSUPPORTED_FILE_ERROR",
      `This server cannot read ${kind} files: the library for them is not installed. Install the package again without ` +
        `--omit=optional. It has builds for Linux on x64 and arm64, macOS and Windows; this is ${process.platform} on ${process.arch}.`,
      { cause },
    );
  }
}

async function parseImage(work: ParseWork & { kind: "image" }): Promise<ParsedFile> {
  refuseHuge(work.bytes);
  const { createRecognizer } = await load(() => import("./pdf/ocr/recognizer.ts"), "image");
  const scan = await createRecognizer(work.ocr).readPicture(Buffer.from(work.bytes));
  const page: PdfPage = { number: 1, ...scan, links: [], tags: [] };
  const warnings = scan.words.length === 0 ? ["No text was recognized in the image."] : [];
  return build([page], { wanting: new Map(), totalPages: 1, warnings }, work.url);
}

/** Maximum pixels of a picture. Each takes four bytes, and again for recognition. */
const MAX_PIXELS = 50_000_000;

function refuseHuge(bytes: Uint8Array): void {
  const size = readPictureSize(bytes);
  if (size !== undefined && size.width * size.height > MAX_PIXELS)
    throw new TargetError(
      "SCRAPE_UNSUPPORTED_FILE_ERROR",
      `The image has ${size.width} by ${size.height} pixels; the limit for text recognition is ${MAX_PIXELS / 1e6} million pixels.`,
    );
}

type Facts = {
  readonly wanting: ReadonlyMap<number, "partial" | "failed">;
  readonly totalPages: number;
  readonly warnings: readonly string[];
};

function build(pages: readonly PdfPage[], facts: Facts, url: string): ParsedFile {
  const blocks = buildBlocks(pages);
  const title = blocks.find((block) => block.kind === "heading");
  const parts = blocks.map((block) => ({ block, html: toHtml(block) }));
  const partsOf = Map.groupBy(parts, ({ block }) => block.page);
  const parsed = pages.map((page): ParsedPage => {
    const own = partsOf.get(page.number) ?? [];
    return {
      pageNumber: page.number,
      width: page.width,
      height: page.height,
      status: facts.wanting.get(page.number) ?? "ok",
      blocks: own.map(({ block }) => toParsedBlock(block, renderBlockMarkdown(block, url), page)),
    };
  });
  const head =
    title === undefined ? "" : `<title>${escapeHtml(joinInlineText(title.content))}</title>`;
  const body = parts.map(({ html }) => html).join("\n");
  return {
    markdown: "",
    html: `<!doctype html><html><head><meta charset="utf-8">${head}</head><body>\n${body}\n</body></html>`,
    pages: parsed,
    totalPages: facts.totalPages,
    warnings: facts.warnings,
  };
}

/**
 * Footnotes and references are in different blocks, so their labels are marked with characters that
 * no text contains.
 */
const NOTE = { open: "\uE0F0", close: "\uE0F1" } as const;

/**
 * Returns the Markdown of one block. `[^label]` refers to the block that starts with `[^label]:`.
 */
export function renderBlockMarkdown(block: Content, base: string): string {
  const held = mapInlines(block, (inline) =>
    inline.note === undefined
      ? inline
      : {
          text: `${NOTE.open}${inline.note}${NOTE.close}${inline.text.slice(inline.text.trimEnd().length)}`,
        },
  );
  const isNote = held.kind === "footnote" && held.label !== undefined;
  const html = toHtml(isNote ? { kind: "paragraph", content: held.content } : held);
  const markdown = renderMarkdown(html, base).replaceAll(
    /\uE0F0([\w-]{1,20})\uE0F1/g,
    (_, label: string) => `[^${label}]`,
  );
  return isNote ? `[^${held.label}]: ${markdown}` : markdown;
}

const renderMarkdown = (html: string, base: string): string =>
  toMarkdown(parseHtml(html), { base, removeBase64Images: true });

function toParsedBlock(block: Block, markdown: string, page: PdfPage): ParsedBlock {
  const share = (value: number, whole: number): number =>
    Math.round(Math.min(1, Math.max(0, value / whole)) * 1e4) / 1e4;
  const { x0, y0, x1, y1 } = block.box;
  return {
    type: block.kind,
    markdown,
    box: [
      share(x0, page.width),
      share(y0, page.height),
      share(x1, page.width),
      share(y1, page.height),
    ],
    source: block.confidence === undefined ? "text" : "ocr",
    confidence: block.confidence ?? null,
  };
}
