// A Zstandard bomb, for decoders that were added after the limits on the others.
import zlib from "node:zlib";
import { buildDecompressionBomb } from "../../families/decompression-bomb.ts";

export const bombZstd = buildDecompressionBomb("bomb-zstd", "zstd", (input) =>
  input.pipe(zlib.createZstdCompress()),
);
