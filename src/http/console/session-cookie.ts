// The cookie of a signed-in browser. Its name contains the port, because browsers send cookies of a
// host to all its ports.
import type { FastifyRequest } from "fastify";

export type SessionCookie = {
  readonly read: (request: FastifyRequest) => string | undefined;
  readonly write: (request: FastifyRequest, secret: string, expiresAt: number) => string;
  readonly clear: (request: FastifyRequest) => string;
};

const MAX_COOKIES_CHARACTERS = 16_384;

/** Returns the value of a cookie; undefined when there is none. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > MAX_COOKIES_CHARACTERS) return undefined;
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

export function createSessionCookie(port: number): SessionCookie {
  const name = `quarry_session_${port}`;
  const format = (request: FastifyRequest, value: string, maxAge: number): string => {
    const secure = request.protocol === "https" ? "; Secure" : "";
    return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`;
  };
  return {
    read: (request) => readCookie(request.headers.cookie, name),
    write: (request, secret, expiresAt) =>
      format(request, secret, Math.max(0, Math.floor((expiresAt - Date.now()) / 1000))),
    clear: (request) => format(request, "", 0),
  };
}
