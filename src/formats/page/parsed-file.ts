// Document parts of a parsed file: Markdown of all pages, Markdown per page, and blocks per page.
import type { ParsedFile, ParsedPage } from "../../capture.ts";
import type { Document, PdfPageBlocks } from "../../contract/page/document.ts";

export type FileInput = {
  readonly parsed: Pick<ParsedFile, "markdown" | "pages">;
  /** Mark page breaks in the combined Markdown. */
  readonly pageMarkers: boolean;
  /** Also return the Markdown of each page. */
  readonly pages: boolean;
  /** Also return the blocks of each page. */
  readonly blocks: boolean;
};

const BETWEEN = "\n\n";

export function buildFileMarkdown({ parsed, pageMarkers }: FileInput): string {
  if (parsed.pages.length === 0) return parsed.markdown;
  const pages = parsed.pages.map((page) => ({ page, markdown: joinPageMarkdown(page) }));
  if (!pageMarkers)
    return pages.flatMap(({ markdown }) => (markdown === "" ? [] : [markdown])).join(BETWEEN);
  return pages
    .map(({ page, markdown }, at) =>
      at === 0 ? markdown : `---\n\n<!-- Page ${page.pageNumber} -->\n\n${markdown}`.trimEnd(),
    )
    .join(BETWEEN);
}

const joinPageMarkdown = ({ blocks }: ParsedPage): string =>
  blocks.map(({ markdown }) => markdown).join(BETWEEN);

/** Returns the additional parts of the document that the parser options request. */
export function buildFileParts({ parsed, pages, blocks }: FileInput): Partial<Document> {
  const document: Partial<Document> = {};
  if (pages)
    document.pages = parsed.pages.map((page) => ({
      pageNumber: page.pageNumber,
      markdown: joinPageMarkdown(page),
    }));
  if (blocks) document.blocks = parsed.pages.map(toPageBlocks);
  return document;
}

/** Spans are offsets in the page's Markdown. */
function toPageBlocks(page: ParsedPage): PdfPageBlocks {
  let start = 0;
  const items = page.blocks.map((block, at): PdfPageBlocks["items"][number] => {
    const from = start;
    start += block.markdown.length + BETWEEN.length;
    return {
      id: `p${page.pageNumber}.b${at}`,
      type: block.type,
      label: null,
      bbox: [...block.box],
      content: block.markdown,
      markdownSpan: [from, from + block.markdown.length],
      readingOrder: at,
      source: block.source,
      confidence: { layout: null, ocr: block.confidence },
    };
  });
  return {
    pageNumber: page.pageNumber,
    width: page.width,
    height: page.height,
    status: page.status,
    items,
  };
}
