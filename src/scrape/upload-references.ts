// Upload addresses and references for files that are sent before the request that parses them.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { v7 } from "uuid";
import type { Identity } from "../account/identity.ts";
import { LIMITS } from "../contract/request/limits.ts";
import { LimitError, RequestError } from "../errors.ts";
import type { SettingStore } from "../store/database/settings.ts";
import type { UploadStore } from "../store/blobs/uploads.ts";
import type { Upload } from "./uploads.ts";

export type AnnouncedFile = {
  readonly id: string;
  /** References the file in the parse request. */
  readonly uploadRef: string;
  /** Proves that the upload was registered; part of the upload address. */
  readonly signature: string;
  /** Expiry of reference and address, milliseconds since the epoch. */
  readonly expiresAt: number;
};

export type UploadReferences = {
  /**
   * Throws PARSE_UPLOAD_UNPARSED_LIMIT_REACHED when too many files of the account wait to be
   * parsed.
   */
  announce(
    file: { readonly name: string; readonly contentType: string },
    identity: Identity,
  ): Promise<AnnouncedFile>;
  /**
   * Throws FORBIDDEN unless the address was issued and has not expired, and CONFLICT when it was
   * used. Call before reading the bytes.
   */
  admit(id: string, query: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Stores the bytes of an admitted file. Throws NOT_FOUND for an unknown id, CONFLICT when another
   * upload was faster.
   */
  receive(id: string, bytes: Uint8Array): Promise<void>;
  /**
   * Returns the file of a reference. Throws BAD_REQUEST for a forged or expired one, NOT_FOUND for
   * another account's or when no file was sent.
   */
  open(uploadRef: string, identity: Identity): Promise<Upload>;
};

export type UploadStorage = {
  readonly uploads: UploadStore;
  readonly settings: Pick<SettingStore, "loadOrCreate">;
};

const SECRET = "upload-reference-secret";

/** `keeping` resolves once the store is open; `now` is milliseconds since the epoch. */
export function createUploadReferences(
  keeping: () => Promise<UploadStorage>,
  now: () => number = Date.now,
): UploadReferences {
  const open = async (): Promise<UploadStorage & { secret: string }> => {
    const kept = await keeping();
    const create = (): string => randomBytes(32).toString("hex");
    return { ...kept, secret: await kept.settings.loadOrCreate(SECRET, create) };
  };
  return {
    async announce({ name, contentType }, { accountId }) {
      const { uploads, secret } = await open();
      const createdAt = now();
      const { lifeMs, unparsed, unparsedWindowMs } = LIMITS.uploads;
      const expiresAt = createdAt + lifeMs;
      const id = v7({ msecs: createdAt });
      const hasRoom = await uploads.announce(
        { id, accountId, name, contentType, createdAt, expiresAt },
        { max: unparsed, since: createdAt - unparsedWindowMs },
      );
      if (!hasRoom)
        throw new LimitError(
          "PARSE_UPLOAD_UNPARSED_LIMIT_REACHED",
          `${unparsed} files announced within 24 hours are not parsed yet; parse one of them first, or send the file to /v2/parse as multipart/form-data.`,
          { retryAfterMs: lifeMs },
        );
      const claims = `${id}.${accountId}.${expiresAt}`;
      const body = Buffer.from(claims).toString("base64url");
      return {
        id,
        uploadRef: `${body}.${sign(secret, `reference ${claims}`)}`,
        signature: sign(secret, `address ${id} ${expiresAt}`),
        expiresAt,
      };
    },
    async admit(id, { signature, expires }) {
      const { uploads, secret } = await open();
      const isGiven = typeof signature === "string" && typeof expires === "string";
      if (!isGiven || !isSame(signature, sign(secret, `address ${id} ${expires}`)))
        throw new RequestError("FORBIDDEN", "The signature of the upload address is not valid.");
      if (Number(expires) <= now())
        throw new RequestError("FORBIDDEN", "The upload URL has expired; request a new one.");
      if ((await uploads.find(id)) === "received") throw createAlreadyUsedError();
    },
    async receive(id, bytes) {
      const { uploads } = await open();
      const state = await uploads.receive(id, bytes);
      if (state === "unknown")
        throw new RequestError("NOT_FOUND", "No upload of this address is known.");
      if (state === "received") throw createAlreadyUsedError();
    },
    async open(uploadRef, { accountId }) {
      const { uploads, secret } = await open();
      const { id, owner, expiresAt } = readReference(uploadRef, secret);
      if (expiresAt <= now())
        throw new RequestError("BAD_REQUEST", "The uploadRef has expired; upload the file again.");
      const upload = owner === accountId ? await uploads.take(id) : undefined;
      if (upload?.bytes === undefined)
        throw new RequestError(
          "NOT_FOUND",
          "No file was sent to the address of this uploadRef, or it is gone.",
        );
      return { name: upload.name, contentType: upload.contentType, bytes: upload.bytes };
    },
  };
}

const createAlreadyUsedError = (): RequestError =>
  new RequestError(
    "CONFLICT",
    "A file was sent to this upload address already; an address works once. Ask POST /v2/parse/upload-url for another.",
  );

const sign = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(text).digest("base64url");

function isSame(given: string, right: string): boolean {
  const one = Buffer.from(given);
  const other = Buffer.from(right);
  return one.length === other.length && timingSafeEqual(one, other);
}

function readReference(
  uploadRef: string,
  secret: string,
): { id: string; owner: string; expiresAt: number } {
  const [body = "", signature = ""] = uploadRef.split(".");
  const claims = Buffer.from(body, "base64url").toString("utf8");
  if (!isSame(signature, sign(secret, `reference ${claims}`)))
    throw new RequestError("BAD_REQUEST", "The signature of the uploadRef is not valid.");
  const [id = "", owner = "", expiresAt = ""] = claims.split(".");
  return { id, owner, expiresAt: Number(expiresAt) };
}
