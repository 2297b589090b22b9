// Text that a database can store. PostgreSQL stores neither U+0000 nor lone surrogates, in text or
// in JSON.
import type { FastifyInstance } from "fastify";
import { RequestError } from "../../errors.ts";

/**
 * Only texts with one of these escapes can contain such characters: UTF-8 has no surrogates, and
 * JSON no bare U+0000.
 */
const SUSPECT_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses JSON. Lone surrogates become U+FFFD. Throws BAD_REQUEST for U+0000, SyntaxError for
 * invalid JSON.
 */
export function parseStorableJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return SUSPECT_ESCAPE.test(text) ? toStorable(value, "the request body") : value;
}

/** Rejects U+0000 in the path and query of every request. */
export function checkAddresses(server: FastifyInstance): void {
  server.addHook("preValidation", async ({ params, query }) => {
    toStorable(params, "the path");
    toStorable(query, "the query");
  });
}

/**
 * Replaces lone surrogates in place and returns the value. `where` names it in the error. Throws
 * BAD_REQUEST for U+0000.
 */
export function toStorable(value: unknown, where: string): unknown {
  const root = { value };
  // A list instead of recursion: the caller chooses the depth.
  const pending: Record<string, unknown>[] = [root];
  for (let owner = pending.pop(); owner !== undefined; owner = pending.pop()) {
    for (const [key, inner] of Object.entries(owner)) {
      if (owner !== root) checkNul(key, `a field name in ${where}`);
      if (typeof inner === "string") {
        checkNul(inner, owner === root ? where : `${key} in ${where}`);
        if (!inner.isWellFormed()) owner[key] = inner.toWellFormed();
      } else if (typeof inner === "object" && inner !== null)
        pending.push(inner as Record<string, unknown>);
      if (key.isWellFormed()) continue;
      delete owner[key];
      owner[key.toWellFormed()] = inner;
    }
  }
  return root.value;
}

function checkNul(text: string, where: string): void {
  if (text.includes("\0"))
    throw new RequestError(
      "BAD_REQUEST",
      `${where.replaceAll("\0", "\\0")} contains a NUL character (U+0000), which cannot be stored; remove it.`,
    );
}
