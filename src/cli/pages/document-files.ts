// Writes the formats of a document as files: text as text, pictures and audio as bytes.
import { mkdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Document } from "../../contract/page/document.ts";
import { FILE_FORMATS } from "../../contract/page/file-formats.ts";
import { RequestError, TargetError } from "../../errors.ts";

/** File names of the formats in a folder. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  markdown: "page.md",
  html: "page.html",
  rawHtml: "raw.html",
  rawBase64: "raw.bin",
  links: "links.txt",
  images: "images.txt",
  summary: "summary.txt",
  answer: "answer.txt",
  highlights: "highlights.txt",
  screenshot: "screenshot.png",
  audio: "audio.mp3",
  video: "video.mp4",
};

/** Formats whose value is the address of a file, or its bytes in base64. */
const ADDRESSES: ReadonlySet<string> = new Set(FILE_FORMATS);

export type OutputTarget = "whole" | "one" | "folder";

/** Resolves `--out`: the whole document, the single format, or a folder with a file per format. */
export async function resolveOutput(
  out: string | undefined,
  formats: readonly string[],
  json: boolean,
): Promise<OutputTarget> {
  if (out === undefined || json) return "whole";
  const isFolder =
    /[/\\]$/.test(out) || ((await stat(out).catch(() => undefined))?.isDirectory() ?? false);
  if (isFolder) return "folder";
  if (formats.length <= 1) return "one";
  if (path.extname(out) === "") return "folder";
  if (path.extname(out).toLowerCase() === ".json") return "whole";
  throw new RequestError(
    "BAD_REQUEST",
    `--out: ${formats.length} formats do not fit into ${out}. Name a folder (${path.parse(out).name}/), or a .json file for the whole document.`,
  );
}

/** Writes each format of the document to its file; returns the names. */
export async function writeFolder(folder: string, document: Document): Promise<string[]> {
  const { warning: _warning, metadata, ...formats } = document;
  await reportWriteFailure(folder, mkdir(folder, { recursive: true }));
  const names: string[] = [];
  for (const [format, value] of Object.entries({ ...formats, metadata })) {
    if (value === undefined || value === null) continue;
    const name = FILE_NAMES[format] ?? `${format}.json`;
    const file = path.join(folder, name);
    await reportWriteFailure(file, writeFile(file, await toBytes(format, value)));
    names.push(name);
  }
  return names;
}

/** Writes the bytes or text of the document's single format. */
export async function writeFormat(file: string, format: string, value: unknown): Promise<void> {
  await reportWriteFailure(file, writeFile(file, await toBytes(format, value)));
}

/** True if the value is a file rather than text. */
export const isBinary = (format: string): boolean =>
  ADDRESSES.has(format) || format === "rawBase64";

async function toBytes(format: string, value: unknown): Promise<string | Uint8Array> {
  if (typeof value === "string") {
    if (ADDRESSES.has(format)) return await readAddress(format, value);
    if (format === "rawBase64") return Buffer.from(value, "base64");
    return value.endsWith("\n") ? value : `${value}\n`;
  }
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return value.map((item) => `${String(item)}\n`).join("");
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Reads the bytes of a data: URL or a signed link of the server. */
async function readAddress(format: string, address: string): Promise<Uint8Array> {
  const response = await fetch(address).catch((error: unknown) => {
    throw new TargetError("SCRAPE_SITE_ERROR", `The ${format} at ${address} cannot be fetched.`, {
      cause: error,
    });
  });
  if (!response.ok)
    throw new TargetError(
      "SCRAPE_SITE_ERROR",
      `The ${format} at ${address} cannot be fetched: status ${response.status}.`,
    );
  return new Uint8Array(await response.arrayBuffer());
}

async function reportWriteFailure<T>(file: string, work: Promise<T>): Promise<T> {
  return await work.catch((error: NodeJS.ErrnoException) => {
    throw new RequestError("BAD_REQUEST", `--out: ${file} cannot be written (${error.code}).`, {
      cause: error,
    });
  });
}
