// Authentication by the bearer key, checked before anything else is read.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Identity } from "../../account/identity.ts";
import { DEFAULT_SCOPES, type Scope } from "../../contract/account/scopes.ts";
import { RequestError } from "../../errors.ts";

/**
 * Returns the key of the header `Authorization: Bearer KEY`. Throws UNAUTHORIZED with the
 * contract's texts.
 */
export function readBearerKey(header: string | undefined): string {
  if (header === undefined) throw createUnauthorizedError("Unauthorized");
  const [scheme, key, ...rest] = header.trim().split(/\s+/);
  if (scheme?.toLowerCase() !== "bearer" || key === undefined || rest.length > 0) {
    throw createUnauthorizedError("Unauthorized: Token missing");
  }
  return key;
}

/** A 401: `text` is the one clients know, followed by how to get a key. */
export const createUnauthorizedError = (text: string): RequestError =>
  new RequestError(
    "UNAUTHORIZED",
    `${text}. Send the header "Authorization: Bearer KEY". The operator creates keys with "quarry keys create NAME"; the first key is in the file "key" of the server's data folder.`,
  );

/** Compares two secrets in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Throws FORBIDDEN, naming the scope, when the key lacks it. */
export function assertScope(
  { scopes = DEFAULT_SCOPES, keyName }: Identity,
  scope: Scope | "any",
): void {
  if (scope === "any" || scopes.includes(scope)) return;
  throw new RequestError(
    "FORBIDDEN",
    `Forbidden: the key "${keyName}" lacks the scope "${scope}"; it has ${scopes.join(", ")}.`,
    { details: { missingScope: scope, scopes: [...scopes] } },
  );
}
