// A plain tar file (POSIX ustar) of many small parts, written once and read by part.
import { open, type FileHandle } from "node:fs/promises";
import { RequestError } from "../../errors.ts";

const BLOCK = 512;
const SIZE_AT = 124;
const CHECKSUM_AT = 148;

export type TarWriter = {
  add(name: string, bytes: Uint8Array): Promise<void>;
  /** Ends the file. Without this call it is incomplete and not readable. */
  finish(): Promise<void>;
  close(): Promise<void>;
};

function buildHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write("0000600\0", 100);
  header.write("0000000\0".repeat(2), 108);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, SIZE_AT);
  const seconds = Math.floor(Date.now() / 1_000);
  header.write(`${seconds.toString(8).padStart(11, "0")}\0`, 136);
  header.write("        0", CHECKSUM_AT);
  header.write("ustar\u000000", 257);
  let sum = 0;
  for (const byte of header) sum += byte;
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, CHECKSUM_AT);
  return header;
}

const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** Creates a new file that only this user may read. Rejects with BAD_REQUEST if it exists. */
export async function createTar(file: string): Promise<TarWriter> {
  const handle = await open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST"
      ? new RequestError("BAD_REQUEST", `${file} exists already: choose another name.`)
      : error;
  });
  return {
    async add(name, bytes) {
      await handle.writev([buildHeader(name, bytes.byteLength), bytes, padding(bytes.byteLength)]);
    },
    async finish() {
      await handle.write(Buffer.alloc(2 * BLOCK));
      await handle.sync();
    },
    close: () => handle.close(),
  };
}

export type TarReader = {
  /** Names of the parts, in the order in which they were added. */
  readonly names: readonly string[];
  /** Rejects with BAD_REQUEST for a name that is not there. */
  read(name: string): Promise<Buffer>;
  close(): Promise<void>;
};

/** Opens a file of `createTar`. Rejects with BAD_REQUEST for a missing, foreign or incomplete file. */
export async function openTar(file: string): Promise<TarReader> {
  const handle = await open(file, "r").catch((error: NodeJS.ErrnoException) => {
    throw new RequestError(
      "BAD_REQUEST",
      `${file} cannot be read (${error.code ?? error.message}).`,
    );
  });
  try {
    const places = await readPlaces(handle, file);
    return {
      names: [...places.keys()],
      async read(name) {
        const place = places.get(name);
        if (place === undefined)
          throw new RequestError("BAD_REQUEST", `${file} contains no ${name}.`);
        const bytes = Buffer.alloc(place.size);
        await handle.read(bytes, 0, place.size, place.at);
        return bytes;
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

type Place = { readonly at: number; readonly size: number };

async function readPlaces(handle: FileHandle, file: string): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  const header = Buffer.alloc(BLOCK);
  for (let at = 0; ;) {
    const { bytesRead } = await handle.read(header, 0, BLOCK, at);
    if (bytesRead < BLOCK)
      throw new RequestError("BAD_REQUEST", `${file} is incomplete, or no backup of this program.`);
    if (header[0] === 0) return places;
    if (header.toString("latin1", 257, 262) !== "ustar")
      throw new RequestError("BAD_REQUEST", `${file} is no backup of this program.`);
    const name = header.toString("utf8", 0, 100).replace(/\0.*$/s, "");
    const size = Number.parseInt(header.toString("latin1", SIZE_AT, SIZE_AT + 11), 8);
    places.set(name, { at: at + BLOCK, size });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}
