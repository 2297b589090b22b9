// Who is calling: the bearer key of the request, checked before anything else is read.
import { createHash, timingSafeEqual } from "node:crypto";
import { RequestError } from "../../errors.ts";

/** The key of the header `Authorization: Bearer KEY`. Throws UNAUTHORIZED with the contract's texts. */
export function bearerKey(header: string | undefined): string {
  if (header === undefined) throw new RequestError("UNAUTHORIZED", "Unauthorized");
  const [scheme, key, ...rest] = header.trim().split(/\s+/);
  if (scheme?.toLowerCase() !== "bearer" || key === undefined || rest.length > 0) {
    throw new RequestError("UNAUTHORIZED", "Unauthorized: Token missing");
  }
  return key;
}

/** Compares two secrets without telling by the time how much of them agrees. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
