// Converts files to Markdown over JSON lines: {id, pdf} in (the path of a PDF, office file or
// picture), {id, markdown, ms} out, for the PDF scorer. `--layout` ignores the tags of tagged PDFs.
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createOcrData } from "../../src/documents/ocr-data.ts";
import { findOfficeKindByName } from "../../src/documents/office/kinds.ts";
import { readOffice } from "../../src/documents/office/read-office.ts";
import { renderBlockMarkdown } from "../../src/documents/parse-document.ts";
import { buildBlocks } from "../../src/documents/pdf/layout/build-blocks.ts";
import { readPdf } from "../../src/documents/pdf/read-pdf.ts";
import { toMarkdown } from "../../src/html/markdown/markdown.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";

const useTags = !process.argv.includes("--layout");
const { ocr } = await createOcrData(join(tmpdir(), "quarry-ocr"), ["en"]).prepare([]);

async function read(path: string): Promise<string> {
  const bytes = await readFile(path);
  const kind = findOfficeKindByName(path);
  if (kind !== undefined) return toMarkdown(parseHtml((await readOffice(bytes, kind, 1_024)).html));
  const options = { mode: "auto", maxPages: 10_000, ocr, budgetMs: 600_000 } as const;
  const { pages } = await readPdf(bytes, options);
  return buildBlocks(pages, { useTags })
    .map((block) => renderBlockMarkdown(block, "http://localhost/"))
    .join("\n\n");
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "") continue;
  const { id, pdf } = JSON.parse(line) as { id: string; pdf: string };
  const started = performance.now();
  const result = await read(pdf).then(
    (markdown) => ({ markdown }),
    (error: unknown) => ({ error: String(error) }),
  );
  process.stdout.write(`${JSON.stringify({ id, ...result, ms: performance.now() - started })}\n`);
}
