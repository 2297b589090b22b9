// Compressed bodies of documents that the console loads. Answers of the API stay as they are: a
// proxy in front compresses them.
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const compress = promisify(gzip);

/** Sends text, compressed for clients that accept it. The caller sets the content type. */
export async function sendCompressed(
  { headers }: Pick<FastifyRequest, "headers">,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  reply.header("vary", "accept-encoding");
  if (!/\bgzip\b/.test(headers["accept-encoding"] ?? "")) return reply.send(text);
  return reply.header("content-encoding", "gzip").send(await compress(text));
}
