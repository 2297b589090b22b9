// Entry of a thread that converts web fonts to system fonts. A separate thread, because a font of a
// thousand kilobytes takes a second, and the decoder keeps its memory while its module is loaded.
import { readFile, writeFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";

export type FontFile = { readonly from: string; readonly to: string };

type Decoder = (woff2: Uint8Array) => Promise<Uint8Array>;

/** Its types name an export that is the default export in its ESM build. */
async function loadDecoder(): Promise<Decoder> {
  const loaded: object = await import("woff2-encoder/decompress");
  return (loaded as { readonly default: Decoder }).default;
}

async function unpack(files: readonly FontFile[]): Promise<void> {
  const decompress = await loadDecoder();
  for (const { from, to } of files)
    await writeFile(to, await decompress(await readFile(from)), { mode: 0o600 });
}

parentPort?.on("message", (files: readonly FontFile[]) => {
  void unpack(files).then(
    () => parentPort?.postMessage(""),
    (error: unknown) => parentPort?.postMessage(String(error)),
  );
});
