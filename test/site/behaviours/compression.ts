import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  brotliCompressSync, constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress, deflateRawSync, deflateSync,
  gzipSync, zstdCompressSync,
} from "node:zlib"; // prettier-ignore
import { type Behaviour, pathRest, queryNumber } from "../behaviour.ts";
import { ARTICLE, htmlPage } from "../html-page.ts";
import { PDF_LINE, pdfBytes } from "./files.ts";

const html = Buffer.from(htmlPage({ title: "Packed", body: ARTICLE }));
const MEGABYTE = 1_048_576;

const packers = new Map<string, { encoding: string; pack: (bytes: Buffer) => Buffer }>([
  ["gzip", { encoding: "gzip", pack: (bytes) => gzipSync(bytes) }],
  ["x-gzip", { encoding: "x-gzip", pack: (bytes) => gzipSync(bytes) }],
  ["br", { encoding: "br", pack: (bytes) => brotliCompressSync(bytes) }],
  ["zstd", { encoding: "zstd", pack: (bytes) => zstdCompressSync(bytes) }],
  ["deflate", { encoding: "deflate", pack: (bytes) => deflateSync(bytes) }],
  ["deflate-raw", { encoding: "deflate", pack: (bytes) => deflateRawSync(bytes) }],
  ["twice", { encoding: "gzip, br", pack: (bytes) => brotliCompressSync(gzipSync(bytes)) }],
  ["two-members", { encoding: "gzip", pack: (bytes) => Buffer.concat([gzipSync(bytes.subarray(0, 500)), gzipSync(bytes.subarray(500))]) }],
  ["truncated-gzip", { encoding: "gzip", pack: (bytes) => halved(gzipSync(bytes)) }],
  ["truncated-br", { encoding: "br", pack: (bytes) => halved(brotliCompressSync(bytes)) }],
  ["truncated-zstd", { encoding: "zstd", pack: (bytes) => halved(zstdCompressSync(bytes)) }],
  ["false-gzip", { encoding: "gzip", pack: (bytes) => bytes }],
  ["unknown", { encoding: "rot13", pack: (bytes) => bytes }],
  ["identity", { encoding: "identity", pack: (bytes) => bytes }],
]); // prettier-ignore

const halved = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1);

const bombs = new Map([
  ["gzip", () => createGzip({ level: 1 })],
  ["deflate", () => createDeflate({ level: 1 })],
  ["br", () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ["zstd", () => createZstdCompress()],
]);

/** Content codings: correct, truncated, mislabelled, and bombs. */
export const compression: readonly Behaviour[] = [
  {
    path: "/compressed/*",
    about:
      "gzip, br, zstd, deflate, deflate-raw, twice, two-members, truncated-…, false-gzip, unknown",
    answer: (exchange) => {
      const packer = packers.get(pathRest(exchange, "/compressed/*"));
      if (packer === undefined) return exchange.respond({ status: 404, body: "No such coding" });
      return exchange.respond({
        headers: { "content-encoding": packer.encoding, vary: "accept-encoding" },
        body: packer.pack(html),
      });
    },
  },
  {
    path: "/bomb/*",
    about: "gzip, deflate, br or zstd of ?megabytes= (1024) of the same letter",
    answer: async (exchange) => {
      const packer = bombs.get(pathRest(exchange, "/bomb/*"));
      if (packer === undefined) return exchange.respond({ status: 404, body: "No such bomb" });
      const encoding = pathRest(exchange, "/bomb/*");
      exchange.response.writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-encoding": encoding,
      });
      const chunk = Buffer.alloc(MEGABYTE, "a");
      const megabytes = queryNumber(exchange, "megabytes", 1_024, 20_000);
      const letters = Readable.from(
        (function* () {
          yield Buffer.from("<!doctype html><title>Letters</title><p>");
          for (let count = 0; count < megabytes; count++) yield chunk;
        })(),
      );
      // The client is expected to disconnect.
      await pipeline(letters, packer(), exchange.response).catch(() => undefined);
    },
  },
  {
    path: "/short-body",
    about: "promises more bytes than it sends, then hangs up",
    answer: ({ response }) => {
      response.writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-length": String(html.length * 2),
      });
      response.write(html, () => response.destroy());
    },
  },
  {
    path: "/short-file",
    about: "a PDF behind which more bytes are announced than are sent",
    answer: ({ response }) => {
      const file = pdfBytes(PDF_LINE);
      response.writeHead(200, {
        "content-type": "application/pdf",
        "content-length": String(file.length + 1_000),
      });
      response.write(file, () => response.destroy());
    },
  },
];
