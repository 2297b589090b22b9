// A Zstandard bomb, for decoders that were added after the limits on the others.
import zlib from "node:zlib";
import { decompressionBomb } from "../families/decompression-bomb.ts";

export const bombZstd = decompressionBomb("bomb-zstd", "zstd", (input) =>
  input.pipe(zlib.createZstdCompress()),
);
