// Converts comma-separated values. Reads them twice, once for the table's shape and once to write
// it, so that no cell is stored: memory is the file plus the output.
import type { ParsedFile } from "../../capture.ts";
import { toUtf8Bytes } from "../../html/parse/charset.ts";
import { toMarkdown } from "../../html/markdown/markdown.ts";
import { parseHtml } from "../../html/parse/parse.ts";
import { ByteText } from "./byte-text.ts";
import { findDelimiter } from "./delimiter.ts";
import { HtmlTable } from "./html-table.ts";
import { MarkdownTable } from "./markdown-table.ts";
import { CARRIAGE_RETURN, LINE_FEED, readRecords, type RecordReceiver } from "./records.ts";
import { TableShape } from "./shape.ts";

const HEAD = '<!doctype html><html><head><meta charset="utf-8"></head><body>\n';
const MIN_FOOTNOTE_Y_SHARE = "\n</body></html>";

/**
 * Returns one table. `contentType` is the response header, "" if none. Throws
 * SCRAPE_UNSUPPORTED_FILE_ERROR if the text becomes too large.
 */
export function readCsv(bytes: Uint8Array, contentType = ""): ParsedFile {
  const text = toUtf8Bytes(bytes, contentType, "text/csv");
  const whole = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const { code, start } = findDelimiter(whole);
  const content = whole.subarray(start);
  const shape = new TableShape();
  const { unclosedAt } = readRecords(content, code, shape);
  const file = { pages: [], totalPages: undefined };
  if (shape.cells === 0)
    return { ...file, markdown: "", html: `${HEAD}${MIN_FOOTNOTE_Y_SHARE}`, warnings: [] };
  const warnings: string[] = [];
  if (unclosedAt !== undefined)
    warnings.push(
      `The quote in line ${countLines(whole, start + unclosedAt)} is never closed and was read as a character.`,
    );
  const write = (receiver: RecordReceiver): void => void readRecords(content, code, receiver);
  const html = new ByteText(2 * Math.min(content.length, 1024 * 1024));
  html.appendAscii(HEAD);
  const table = new HtmlTable(shape, html);
  write(table);
  if (table.records < shape.records)
    warnings.push(
      `The HTML contains only the first ${table.records} of ${shape.records} table rows; the Markdown contains all of them.`,
    );
  html.appendAscii(`</table>${MIN_FOOTNOTE_Y_SHARE}`);
  const page = html.take();
  if (shape.cells === 1) {
    const markdown = toMarkdown(parseHtml(page));
    return { ...file, markdown, html: page, warnings };
  }
  const markdown = new ByteText(content.length + 3 * shape.cells + 4 * shape.records);
  write(new MarkdownTable(shape, markdown));
  markdown.size--;
  return { ...file, markdown: markdown.take(), html: page, warnings };
}

/** Returns the line number of an offset, from 1. */
function countLines(bytes: Buffer, place: number): number {
  const end = bytes.includes(LINE_FEED) ? LINE_FEED : CARRIAGE_RETURN;
  let line = 1;
  for (let at = bytes.indexOf(end); at !== -1 && at < place; line++)
    at = bytes.indexOf(end, at + 1);
  return line;
}
