// A gzip bomb: about 4 MB on the wire, 4 GiB decoded. A server that inflates before it counts runs
// out of memory.
import zlib from "node:zlib";
import { buildDecompressionBomb } from "../../families/decompression-bomb.ts";

export const bombGzip = buildDecompressionBomb("bomb-gzip", "gzip", (input) =>
  input.pipe(zlib.createGzip({ level: 1 })),
);
