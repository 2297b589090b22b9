// The addresses this server hands out, such as `next`: on the scheme and host the caller really used (wire contract 1.1).
import type { FastifyRequest } from "fastify";

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const PREFIX = /^(?:\/[\w.~-]+)+$/;

/** The absolute address of a path of this server; of "" the server itself, without a trailing slash. */
export type PublicAddress = (request: FastifyRequest, path: string) => string;

/**
 * Makes absolute addresses. `publicUrl` of the settings wins. Forwarded headers are believed whoever sent them: only the
 * caller itself gets to see the address.
 */
export function createPublicAddress(publicUrl: string | undefined): PublicAddress {
  const fixed = publicUrl?.replace(/\/+$/, "");
  return (request, path) => `${fixed ?? baseOf(request)}${path}`;
}

function baseOf(request: FastifyRequest): string {
  const proto = forwarded(request, "x-forwarded-proto", /^https?$/i) ?? request.protocol;
  const host = forwarded(request, "x-forwarded-host", HOST) ?? request.host;
  const prefix = forwarded(request, "x-forwarded-prefix", PREFIX) ?? "";
  return `${proto.toLowerCase()}://${host}${prefix}`;
}

/** The first value of a list, which is what the outermost proxy was asked; undefined when it is not of the form. */
function forwarded(request: FastifyRequest, name: string, form: RegExp): string | undefined {
  const header = request.headers[name];
  const first = (Array.isArray(header) ? header[0] : header)?.split(",", 1)[0]?.trim();
  return first !== undefined && form.test(first) ? first : undefined;
}
