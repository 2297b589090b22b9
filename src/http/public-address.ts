// The URLs this server returns, such as `next`: with the scheme and host the caller used (wire
// contract 1.1).
import type { FastifyRequest } from "fastify";

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const PREFIX = /^(?:\/[\w.~-]+)+$/;

/** Returns the absolute URL of a path; for "" the server's base URL without a trailing slash. */
export type PublicAddress = (request: FastifyRequest, path: string) => string;

/**
 * Builds absolute URLs. The setting `publicUrl` wins. Forwarded headers are trusted from anyone,
 * because only the caller sees the URL.
 */
export function createPublicAddress(publicUrl: string | undefined): PublicAddress {
  const fixed = publicUrl?.replace(/\/+$/, "");
  return (request, path) => `${fixed ?? readBase(request)}${path}`;
}

function readBase(request: FastifyRequest): string {
  const proto = readForwarded(request, "x-forwarded-proto", /^https?$/i) ?? request.protocol;
  const host = readForwarded(request, "x-forwarded-host", HOST) ?? request.host;
  const prefix = readForwarded(request, "x-forwarded-prefix", PREFIX) ?? "";
  return `${proto.toLowerCase()}://${host}${prefix}`;
}

/** The first value of a list, which the outermost proxy saw; undefined if malformed. */
function readForwarded(request: FastifyRequest, name: string, form: RegExp): string | undefined {
  const header = request.headers[name];
  const first = (Array.isArray(header) ? header[0] : header)?.split(",", 1)[0]?.trim();
  return first !== undefined && form.test(first) ? first : undefined;
}
