// The ledger and results of a job as streams: JSON lines, CSV (RFC 4180) with a header, or a ZIP
// archive of files.
import type { Document } from "../../contract/page/document.ts";
import type { LedgerEntry } from "../../contract/jobs/ledger.ts";
import { markPagePath, toPagePath, toPathKey } from "../../crawl/files/page-path.ts";
import { toPageFiles } from "../../crawl/files/page-file.ts";
import type { DocumentJson } from "../../crawl/job.ts";
import type { ZipFile } from "../../runtime/zip.ts";

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

/** The files of each page, under the paths that `--out FOLDER` of the command line gives them. */
export async function* toDocumentFiles(
  groups: AsyncIterable<readonly DocumentJson[]>,
): AsyncGenerator<ZipFile> {
  const taken = new Set<string>();
  for await (const group of groups)
    for (const json of group) {
      const document = JSON.parse(new TextDecoder().decode(json)) as Document;
      const url = document.metadata.sourceURL ?? document.metadata.url ?? "";
      const place = findFreePath(url, taken);
      for (const { ending, text } of toPageFiles(document, url))
        yield { name: place + ending, bytes: Buffer.from(text) };
    }
}

/** A batch may hold a URL several times, so the marked path may be taken, too. */
function findFreePath(url: string, taken: Set<string>): string {
  const readable = toPagePath(url);
  const marked = markPagePath(readable, url);
  let place = readable;
  for (let count = 2; taken.has(toPathKey(place)); count += 1)
    place = place === readable ? marked : `${marked}-${count}`;
  taken.add(toPathKey(place));
  return place;
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
