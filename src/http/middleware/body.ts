import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestError } from "../../errors.ts";
import { parseStorableJson, toStorable } from "./storable-text.ts";

/**
 * Reads request bodies: JSON and urlencoded. A JSON object is accepted under any Content-Type,
 * because `curl -d` sends urlencoded and `fetch` text/plain or none. Bodies of GET and DELETE are
 * ignored, because clients send them (wire contract, request bodies); an empty body counts as none.
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
      if (!isObjectText(body as string)) throw createNotJsonError(request.headers["content-type"]);
      done(null, parseStorableJson(body as string));
    } catch (cause) {
      done(toBodyError(cause));
    }
  });
}

const isObjectText = (text: string): boolean => /^\s*\{/.test(text);

const readForm = (text: string): unknown =>
  toStorable(Object.fromEntries(new URLSearchParams(text)), "the request body");

const createNotJsonError = (type: string | undefined): RequestError =>
  new RequestError(
    "UNSUPPORTED_MEDIA_TYPE",
    `The request body must be JSON: send Content-Type: application/json${type === undefined ? "" : `, not ${type.slice(0, 100)}`}.`,
  );

const MAX_GET_BODY_BYTES = 64 * 1024;

/**
 * Reads the JSON object in the body of a GET, for the one route whose client sends its query there;
 * empty without a body. Throws when it is longer than 64 KB or not JSON.
 */
export async function readBodyOfGet(request: FastifyRequest): Promise<object> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.raw as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_GET_BODY_BYTES)
      throw new RequestError("PAYLOAD_TOO_LARGE", "The body of a GET must not exceed 64 KB.");
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
