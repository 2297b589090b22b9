// The subset of tar (POSIX.1-1988 ustar) used by the bundled browser's archives: regular files in
// folders.

export type TarFile = { readonly name: string; readonly bytes: Uint8Array };

const BLOCK_BYTES = 512;
const REGULAR = new Set(["0", "\0"]);

/**
 * Returns the regular files of an archive in order. Throws on a name that leads out of the target
 * folder.
 */
export function readTar(archive: Uint8Array): TarFile[] {
  const files: TarFile[] = [];
  const text = (from: number, length: number): string =>
    Buffer.from(archive.subarray(from, from + length))
      .toString("latin1")
      .replace(/\0.*$/s, "");
  let at = 0;
  while (at + BLOCK_BYTES <= archive.length) {
    const name = text(at, 100);
    if (name === "") break;
    const size = Number.parseInt(text(at + 124, 12), 8) || 0;
    const kind = String.fromCharCode(archive[at + 156] ?? 0);
    const prefix = text(at + 257, 5) === "ustar" ? text(at + 345, 155) : "";
    const whole = prefix === "" ? name : `${prefix}/${name}`;
    const from = at + BLOCK_BYTES;
    if (from + size > archive.length) throw new Error(`The archive ends inside ${whole}.`);
    if (REGULAR.has(kind)) {
      if (whole.startsWith("/") || whole.split("/").includes(".."))
        throw new Error(`The archive holds ${whole}, which leads out of its folder.`);
      files.push({ name: whole, bytes: archive.subarray(from, from + size) });
    }
    at = from + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return files;
}
