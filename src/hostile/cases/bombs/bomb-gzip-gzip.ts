// A bomb in a bomb: two codings in a row square the ratio, so a limit is needed behind each of
// them.
import zlib from "node:zlib";
import { buildDecompressionBomb } from "../../families/decompression-bomb.ts";

export const bombGzipGzip = buildDecompressionBomb("bomb-gzip-gzip", "gzip, gzip", (input) =>
  input.pipe(zlib.createGzip({ level: 1 })).pipe(zlib.createGzip({ level: 1 })),
);
