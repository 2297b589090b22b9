// A Brotli bomb. Its ratio is higher than that of gzip, so limits on compressed bytes do not stop
// it.
import zlib from "node:zlib";
import { buildDecompressionBomb } from "../../families/decompression-bomb.ts";

export const bombBr = buildDecompressionBomb("bomb-br", "br", (input) =>
  input.pipe(zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })),
);
