// Determines the type of a body from label and bytes (after WHATWG MIME Sniffing, but a PDF is a
// PDF whatever the label). Vague labels (none, octet-stream, text/plain) yield to the bytes;
// specific ones stay.
import { hasPart } from "../documents/office/archive-parts.ts";

/**
 * Returns the MIME type of a Content-Type in lower case, or "" without one: "Text/HTML; charset=x"
 * -> "text/html".
 */
export function readMimeEssence(contentType: string): string {
  const essence = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  return /^[!#$%&'*+\-.^_`|~0-9a-z]+\/[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(essence) ? essence : "";
}

const GUESSES = new Set([
  "",
  "application/octet-stream",
  "binary/octet-stream",
  "application/unknown",
  "unknown/unknown",
  "application/x-unknown-content-type",
  "application/force-download",
  "application/download",
  "application/x-download",
  "text/plain",
  "*/*",
]);

/** Determines the MIME type. `nosniff` is X-Content-Type-Options: text/plain then stays text. */
export async function decideMime(
  contentType: string,
  body: Uint8Array,
  options: { nosniff: boolean },
): Promise<string> {
  const said = readMimeEssence(contentType);
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1_445));
  const start = skipBlank(head);
  if (head.toString("latin1", start, start + 5) === "%PDF-") return "application/pdf";
  const isText = said === "text/html" || said === "application/xhtml+xml";
  if (isText && !isBinary(head)) return said;
  if (said === "application/pdf") {
    if (body.length === 0 || head.toString("latin1").includes("%PDF-")) return said;
    const found = sniffMarkup(head, start) ?? (await detectFile(body, said));
    return found === said && !isBinary(head) ? "text/plain" : found;
  }
  if (!GUESSES.has(said) && !isText) {
    return said.startsWith("image/") || said === "application/zip"
      ? await detectFile(body, said)
      : said;
  }
  if (body.length === 0) return said === "" ? "text/plain" : said;
  if (isBinary(head)) return detectFile(body, isText ? said : "application/octet-stream");
  if (
    said === "text/plain" &&
    (options.nosniff ||
      !/^<(?:!doctype html|html)[\s>]/i.test(head.toString("latin1", start, start + 20)))
  )
    return said;
  return sniffMarkup(head, start) ?? "text/plain";
}

/**
 * Returns a warning for a file that is a PDF by its label or name, but not by its bytes; else
 * undefined.
 */
export function warnFalsePdf(file: {
  readonly name: string;
  readonly contentType: string;
  readonly mimeType: string;
}): string | undefined {
  const { name, contentType, mimeType } = file;
  if (mimeType === "application/pdf") return undefined;
  const isLabelled = readMimeEssence(contentType) === "application/pdf";
  // Pages about PDFs have such names, too, and are labelled as pages.
  const isNamed = mimeType !== "text/html" && /\.pdf$/i.test(name);
  if (!isLabelled && !isNamed) return undefined;
  return buildFalsePdfWarning(name, mimeType);
}

export const buildFalsePdfWarning = (name: string, mimeType: string): string =>
  `${name} is not a PDF: its bytes are ${mimeType} and were read as that.`;

/** Skips the byte order mark and white space. */
function skipBlank(head: Buffer): number {
  let index = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (index < head.length && [9, 10, 12, 13, 32].includes(head[index] ?? 0)) index++;
  return index;
}

/**
 * True if it contains bytes that text does not (MIME Sniffing section 3, "binary data byte");
 * UTF-16 with a mark is text.
 */
function isBinary(head: Buffer): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
    return false;
  for (let index = 0; index < head.length; index++) {
    const byte = head[index] as number;
    if (byte < 9 || byte === 11 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32))
      return true;
  }
  return false;
}

/** The tags that an HTML page starts with (MIME Sniffing section 7.1). */
const HTML_START =
  /^<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link|section|article|main|nav|header|!--)(?=[\s>/]|$)/i;

function sniffMarkup(head: Buffer, start: number): string | undefined {
  const text = head.toString("latin1", start);
  if (HTML_START.test(text) || text.startsWith("<!--")) return "text/html";
  if (!text.startsWith("<?xml")) return undefined;
  return /<html[\s>]|<!doctype html/i.test(text) ? "application/xhtml+xml" : "application/xml";
}

const XLSB = "application/vnd.ms-excel.sheet.binary.macroenabled.12";

/** Detects a file by its bytes, looking into zip containers (docx, xlsx, epub …). */
async function detectFile(body: Uint8Array, otherwise: string): Promise<string> {
  const { fileTypeFromBuffer } = await import("file-type");
  try {
    const mimeType = (await fileTypeFromBuffer(body))?.mime.toLowerCase() ?? otherwise;
    // The library does not detect binary workbooks.
    return mimeType === "application/zip" && hasPart(body, "xl/workbook.bin") ? XLSB : mimeType;
  } catch (error) {
    if (error instanceof Error) return otherwise; // a damaged container is not an error here
    throw error;
  }
}
