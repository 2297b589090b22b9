import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestError } from "../../errors.ts";
import { parseStorableJson, toStorable } from "./storable-text.ts";

/**
 * How request bodies are read: JSON and urlencoded. A body on GET or DELETE is ignored, as clients send one there
 * (wire contract, request bodies); an empty body counts as none.
 */
export function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    ["application/json", "text/json"],
    { parseAs: "string" },
    (request, body, done) => {
      if (request.method === "DELETE" || request.method === "GET" || body.length === 0) {
        done(null, undefined);
        return;
      }
      try {
        done(null, parseStorableJson(body as string));
      } catch (cause) {
        done(toBodyError(cause));
      }
    },
  );
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => {
      try {
        const fields = Object.fromEntries(new URLSearchParams(body as string));
        done(null, toStorable(fields, "the request body"));
      } catch (cause) {
        done(toBodyError(cause));
      }
    },
  );
}

const MAX_GET_BODY_BYTES = 64 * 1024;

/**
 * The JSON object in the body of a GET, for the one route where a client puts there what it asks for; empty when there is
 * none. Throws when it is longer than 64 KB or no JSON.
 */
export async function readBodyOfGet(request: FastifyRequest): Promise<object> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.raw as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_GET_BODY_BYTES)
      throw new RequestError("PAYLOAD_TOO_LARGE", "The body of a GET may have 64 KB at most.");
    chunks.push(chunk);
  }
  if (sizeBytes === 0) return {};
  try {
    const body = parseStorableJson(Buffer.concat(chunks).toString("utf8"));
    return typeof body === "object" && body !== null ? body : {};
  } catch (cause) {
    throw toBodyError(cause);
  }
}

const toBodyError = (cause: unknown): RequestError =>
  cause instanceof RequestError
    ? cause
    : new RequestError("BAD_REQUEST_INVALID_JSON", "Bad request, malformed JSON", { cause });
