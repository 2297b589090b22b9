// Converts an office file to HTML. The parser bounds unpacked size, nesting and node count.
import { type Document, type Format, formatFromBytes, toDocument } from "@firecrawl/anydoc";
import { TargetError } from "../../errors.ts";
import { fixDates1904 } from "./dates-1904.ts";
import type { OfficeKind } from "./kinds.ts";
import { readHeadersFooters, readSheetNames } from "./headers-footers.ts";
import { renderOffice } from "./office-html.ts";
import { assertOfficeFits } from "./office-size.ts";
import { addCellColumns } from "./short-cells.ts";

export type OfficeReading = { readonly html: string; readonly warnings: readonly string[] };

/**
 * Throws SCRAPE_UNSUPPORTED_FILE_ERROR for an encrypted, damaged, oversized or unsupported file.
 */
export async function readOffice(
  bytes: Uint8Array,
  kind: OfficeKind | undefined,
  memoryMiB: number,
): Promise<OfficeReading> {
  // The bytes are more reliable than the name.
  const format = formatFromBytes(bytes) ?? (kind as Format | undefined) ?? null;
  await assertOfficeFits(bytes, memoryMiB);
  const document = await read(addCellColumns(bytes), format);
  const html = renderOffice(document, {
    ...(TEXTS.has(String(format)) ? readHeadersFooters(bytes) : { headers: [], footers: [] }),
    sheet: SHEETS.has(String(format)) ? findOnlySheet(document, bytes) : undefined,
  });
  return { html: SHEETS.has(String(format)) ? fixDates1904(html, bytes) : html, warnings: [] };
}

const TEXTS: ReadonlySet<string> = new Set(["docx", "odt"]);
const SHEETS: ReadonlySet<string> = new Set(["xlsx", "ods"]);

/** The parser names sheets only if there are several. */
function findOnlySheet({ blocks }: Document, bytes: Uint8Array): string | undefined {
  if (blocks.some(({ kind }) => String(kind) === "heading")) return undefined;
  const [name, ...others] = readSheetNames(bytes);
  return others.length === 0 ? name : undefined;
}

async function read(bytes: Uint8Array, format: Format | null): Promise<Document> {
  try {
    return await toDocument(bytes, format);
  } catch (error) {
    throw new TargetError("SCRAPE_UNSUPPORTED_FILE_ERROR", describeReason(error), { cause: error });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  encrypted: "The document is encrypted: it cannot be read without its password.",
  resourceLimit: "The document exceeds the size limit when unpacked and was not read.",
  unsupported: "This kind of document is not supported.",
};

function describeReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const detail = error instanceof Error ? error.message.slice(0, 200) : String(error);
  return REASONS[code] ?? `The document is damaged and cannot be read (${detail}).`;
}
