// Signed links to blobs that work without a key until they expire. The signature covers everything
// in the link.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { isBlobRef, type BlobRef } from "./blobs.ts";

export type BlobLink = {
  readonly ref: BlobRef;
  /** Sent as Content-Type. */
  readonly mimeType: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
};

export type BlobLinks = {
  /** Returns `/blobs/<ref>?…`, relative to the public URL of the service. */
  sign(link: BlobLink): string;
  /** Returns the contents of a signed link; undefined when it is forged, altered or expired. */
  verify(ref: string, query: Readonly<Record<string, unknown>>, now?: number): BlobLink | undefined;
};

/** The setting that holds the secret, and how to create it. */
export const BLOB_SECRET = {
  name: "blob-link-secret",
  create: () => randomBytes(32).toString("hex"),
};

export function createBlobLinks(secret: string): BlobLinks {
  const computeSignature = ({ ref, mimeType, expiresAt }: BlobLink): string =>
    createHmac("sha256", secret).update(`${ref}\n${mimeType}\n${expiresAt}`).digest("base64url");
  return {
    sign(link) {
      const query = new URLSearchParams({
        type: link.mimeType,
        expires: String(link.expiresAt),
        signature: computeSignature(link),
      });
      return `/blobs/${link.ref}?${query.toString()}`;
    },
    verify(ref, query, now = Date.now()) {
      const { type, expires, signature } = query;
      if (typeof type !== "string" || typeof expires !== "string" || typeof signature !== "string")
        return undefined;
      if (!isBlobRef(ref) || !/^\d{1,15}$/.test(expires)) return undefined;
      const link: BlobLink = { ref, mimeType: type, expiresAt: Number(expires) };
      const right = Buffer.from(computeSignature(link));
      const given = Buffer.from(signature);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      return link.expiresAt > now ? link : undefined;
    },
  };
}
