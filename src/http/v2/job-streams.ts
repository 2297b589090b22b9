// The ledger and results of a job as streams: JSON lines, or CSV (RFC 4180) with a header.
import type { Document } from "../../contract/page/document.ts";
import type { LedgerEntry } from "../../contract/jobs/ledger.ts";
import type { DocumentJson } from "../../crawl/job.ts";

export async function* toLedgerLines(
  groups: AsyncIterable<readonly LedgerEntry[]>,
): AsyncGenerator<string> {
  for await (const group of groups) for (const entry of group) yield `${JSON.stringify(entry)}\n`;
}

export async function* toDocumentLines(
  groups: AsyncIterable<readonly DocumentJson[]>,
): AsyncGenerator<Uint8Array> {
  for await (const group of groups) for (const json of group) yield Buffer.concat([json, LINE_END]);
}

const LINE_END = Buffer.from("\n");

export async function* toLedgerTable(
  groups: AsyncIterable<readonly LedgerEntry[]>,
): AsyncGenerator<string> {
  yield toRow(["url", "fate", "reason", "parent", "depth", "verdict"]);
  for await (const group of groups)
    yield group
      .map(({ url, fate, reason, parent, depth, verdict }) =>
        toRow([url, fate, reason, parent, depth, verdict]),
      )
      .join("");
}

/** One row per document: its URL as in the ledger, and its text fields. */
export async function* toDocumentTable(
  groups: AsyncIterable<readonly DocumentJson[]>,
): AsyncGenerator<string> {
  yield toRow(["url", "title", "statusCode", "markdown", "verdict"]);
  for await (const group of groups)
    for (const json of group) {
      const { metadata, markdown } = JSON.parse(new TextDecoder().decode(json)) as Document;
      const { sourceURL, url, title, statusCode, verdict } = metadata;
      yield toRow([sourceURL ?? url, title, statusCode, markdown, verdict]);
    }
}

const toRow = (fields: readonly unknown[]): string => `${fields.map(toField).join(",")}\r\n`;

/**
 * Empty for values that are neither text nor number. Text that a spreadsheet would run as a formula
 * gets a leading apostrophe.
 */
function toField(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return "";
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
