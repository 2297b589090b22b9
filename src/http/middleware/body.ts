import type { FastifyInstance } from "fastify";
import { RequestError } from "../../errors.ts";

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
        done(null, JSON.parse(body as string));
      } catch (cause) {
        done(
          new RequestError("BAD_REQUEST_INVALID_JSON", "Bad request, malformed JSON", { cause }),
        );
      }
    },
  );
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body as string)));
    },
  );
}
