import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestError } from "../../errors.ts";
import { parseStorableJson, toStorable } from "./storable-text.ts";

/**
 * How request bodies are read: JSON and urlencoded. A body that is a JSON object is read as one whatever its Content-Type
 * says: `curl -d` says urlencoded, and `fetch` says text/plain or nothing. A body on GET or DELETE is ignored, as clients
 * send one there (wire contract, request bodies); an empty body counts as none.
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
        done(
          null,
          isObjectText(body as string)
            ? parseStorableJson(body as string)
            : readForm(body as string),
        );
      } catch (cause) {
        done(toBodyError(cause));
      }
    },
  );
  server.addContentTypeParser("*", { parseAs: "string" }, (request, body, done) => {
    if (request.method === "DELETE" || request.method === "GET" || body.length === 0) {
      done(null, undefined);
      return;
    }
    try {
      if (!isObjectText(body as string)) throw notJson(request.headers["content-type"]);
      done(null, parseStorableJson(body as string));
    } catch (cause) {
      done(toBodyError(cause));
    }
  });
}

const isObjectText = (text: string): boolean => /^\s*\{/.test(text);

const readForm = (text: string): unknown =>
  toStorable(Object.fromEntries(new URLSearchParams(text)), "the request body");

const notJson = (type: string | undefined): RequestError =>
  new RequestError(
    "UNSUPPORTED_MEDIA_TYPE",
    `The request body must be JSON: send Content-Type: application/json${type === undefined ? "" : `, not ${type.slice(0, 100)}`}.`,
  );

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

function toBodyError(cause: unknown): RequestError {
  if (cause instanceof RequestError) return cause;
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  return new RequestError("BAD_REQUEST_INVALID_JSON", `Bad request, malformed JSON${reason}`, {
    cause,
  });
}
