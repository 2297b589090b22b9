// File names for pages that are valid on any file system and stay inside the folder.
import { createHash } from "node:crypto";

/** Maximum bytes of one name; file systems allow 255, and an extension and a hash are added. */
const MAX_NAME_BYTES = 150;
/** Maximum bytes of the path below the folder; Windows allows 260 characters in total. */
const MAX_PATH_BYTES = 180;

/** Device names of Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/** Extensions of written files: a folder with such a name could collide with a file. */
const FILE_ENDING = /\.(md|html|json|ndjson)$/i;

const PAGE_ENDING = /\.(html?|xhtml|php|aspx?|jsp|md)$/i;

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

function cut(text: string, maxBytes: number): string {
  let kept = "";
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}

/**
 * Converts any text to one name of letters, digits and a few signs; never empty, hidden, reserved
 * or ending in a dot.
 */
function toName(text: string, maxBytes = MAX_NAME_BYTES): string {
  const name = cut(
    text.normalize("NFC").replaceAll(/[^\p{L}\p{M}\p{N}._~@=+,()-]/gu, "_"),
    maxBytes,
  )
    .replace(/^\./, "_")
    .replace(/\.$/, "_");
  if (name === "") return "_";
  return RESERVED.test(name) ? `_${name}` : name;
}

/**
 * Returns the path of a page's file below the output folder, with `/` and without extension: host,
 * then the names in the URL's path. Different URLs may get the same path, also only on some file
 * systems; see `toPathKey`.
 */
export function toPagePath(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return toName(url);
  const { host, pathname, search, hash } = parsed;
  const segments = pathname.split("/").slice(1).map(decode);
  const last = segments.pop() ?? "";
  const stem = last.replace(PAGE_ENDING, "");
  // A fragment with a slash is a route in single-page applications (wire contract, section 5.4).
  const route = hash.includes("/") ? hash : "";
  const file = `${stem === "" ? "index" : stem}${decode(search)}${decode(route)}`;
  const folders = [host, ...segments.filter((segment) => segment !== "")].map((name) =>
    toName(name).replace(FILE_ENDING, "$&_"),
  );
  const path: string[] = [];
  let left = MAX_PATH_BYTES;
  for (const folder of folders) {
    left -= Buffer.byteLength(folder) + 1;
    if (left < 0) break;
    path.push(folder);
  }
  return [...path, toName(file, Math.max(40, Math.min(MAX_NAME_BYTES, left)))].join("/");
}

/** The path for a page whose readable path another URL has: with a hash of the URL. */
export const markPagePath = (readable: string, url: string): string =>
  `${readable}~${createHash("sha256").update(url).digest("hex").slice(0, 12)}`;

/** Equal for paths that some file system treats as one: different case or normal form. */
export function toPathKey(path: string): string {
  return path.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");
}
