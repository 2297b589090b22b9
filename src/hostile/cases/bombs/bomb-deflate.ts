// The same bomb as deflate, which decoders often handle by another path than gzip.
import zlib from "node:zlib";
import { buildDecompressionBomb } from "../../families/decompression-bomb.ts";

export const bombDeflate = buildDecompressionBomb("bomb-deflate", "deflate", (input) =>
  input.pipe(zlib.createDeflate({ level: 1 })),
);
