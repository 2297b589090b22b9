import type { FastifyRequest } from "fastify";

/**
 * Base of the absolute URLs handed to this caller, without a trailing slash: the configured public URL, else the
 * scheme and host the caller used (X-Forwarded-* only when the operator trusts the proxy in front).
 */
export function callerBaseUrl(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, "");
  return `${request.protocol}://${request.host}`;
}
