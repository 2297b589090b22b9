import { createHmac } from "node:crypto";

/** Existing receivers read the first; both have the same value. */
const SIGNATURE_HEADERS = ["x-firecrawl-signature", "x-quarry-signature"] as const;

/**
 * Returns `sha256=` and the HMAC-SHA256 of the raw body in hex (RFC 2104), keyed with the secret's
 * UTF-8 bytes.
 */
export function signBody(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** Returns the signature under both names. */
export function buildSignatureHeaders(body: Uint8Array, secret: string): Record<string, string> {
  const signature = signBody(body, secret);
  return Object.fromEntries(SIGNATURE_HEADERS.map((name) => [name, signature]));
}
