// A new embedded database as one compressed file, so that a first start copies instead of creating
// it: creation takes seconds and 650 MB. Packages contain it (scripts/build-package.ts); a clone
// creates its database.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** The file in a package, beside this module. */
const TEMPLATE = new URL("./template.br", import.meta.url);

/** Paths relative to the database folder; a folder has no `bytes`. */
type Entry = { readonly path: string; readonly bytes?: number };

const LENGTH_BYTES = 4;
/** The best quality takes a minute instead of a second or two, and saves a tenth. */
const QUALITY = 6;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Packs a closed database folder: the length of a JSON list of entries, the list, all contents. */
export function packTemplate(folder: string): Buffer {
  const entries: Entry[] = [];
  const contents: Buffer[] = [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  for (const name of names) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) entries.push({ path: name });
    else {
      const content = readFileSync(file);
      entries.push({ path: name, bytes: content.length });
      contents.push(content);
    }
  }
  const list = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(list.length);
  const whole = Buffer.concat([length, list, ...contents]);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
  };
  return brotliCompressSync(whole, { params });
}

/** True in a package, false in a clone. */
export function hasTemplate(): boolean {
  return existsSync(TEMPLATE);
}

/** Unpacks a new database into `folder`, which must not exist. The default is the package's template. */
export function unpackTemplate(folder: string, packed: Buffer = readFileSync(TEMPLATE)): void {
  const whole = brotliDecompressSync(packed);
  let at = LENGTH_BYTES + whole.readUInt32LE();
  const entries = JSON.parse(whole.toString("utf8", LENGTH_BYTES, at)) as readonly Entry[];
  mkdirSync(folder, { mode: FOLDER_MODE });
  for (const entry of entries) {
    const file = path.join(folder, entry.path);
    if (entry.bytes === undefined) mkdirSync(file, { mode: FOLDER_MODE });
    else writeFileSync(file, whole.subarray(at, (at += entry.bytes)), { mode: FILE_MODE });
  }
}
