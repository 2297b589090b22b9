import { describe, expect, it } from "vitest";
import { ANONYMOUS_IDENTITY } from "../account/identity.ts";
import { LIMITS } from "../contract/request/limits.ts";
import type { AnnouncedUpload, UploadState } from "../store/blobs/uploads.ts";
import { createUploadReferences } from "./upload-references.ts";

function build() {
  let time = 1_700_000_000_000;
  const known = new Map<string, AnnouncedUpload & { bytes?: Uint8Array }>();
  const stateOf = (id: string): UploadState => {
    const upload = known.get(id);
    if (upload === undefined) return "unknown";
    return upload.bytes === undefined ? "awaited" : "received";
  };
  const references = createUploadReferences(
    async () => ({
      settings: { loadOrCreate: async () => "secret" },
      uploads: {
        announce: async (upload) => known.set(upload.id, upload).size > 0,
        find: async (id) => stateOf(id),
        receive: async (id, bytes) => {
          const upload = known.get(id);
          const state = stateOf(id);
          if (upload !== undefined && state === "awaited") known.set(id, { ...upload, bytes });
          return state;
        },
        take: async (id) => {
          const upload = known.get(id);
          return upload && { ...upload, bytes: upload.bytes };
        },
      },
    }),
    () => time,
  );
  return { references, wait: (ms: number) => (time += ms) };
}

const FILE = { name: "a.csv", contentType: "text/csv" };
const OTHER = { ...ANONYMOUS_IDENTITY, accountId: "0199f0c0-0000-7000-8000-000000000000" };

describe("upload reference", () => {
  it("opens the uploaded file for the account that registered it only", async () => {
    const { references } = build();
    const { id, uploadRef } = await references.announce(FILE, ANONYMOUS_IDENTITY);
    await references.receive(id, Buffer.from("a,b"));
    expect(await references.open(uploadRef, ANONYMOUS_IDENTITY)).toMatchObject(FILE);
    await expect(references.open(uploadRef, OTHER)).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("uploadRef") as string,
    });
  });

  it("rejects a second file sent to an upload address", async () => {
    const { references } = build();
    const { id, uploadRef, signature, expiresAt } = await references.announce(
      FILE,
      ANONYMOUS_IDENTITY,
    );
    await references.receive(id, Buffer.from("first"));
    const query = { signature, expires: String(expiresAt) };
    await expect(references.admit(id, query)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(references.receive(id, Buffer.from("second"))).rejects.toMatchObject({
      code: "CONFLICT",
    });
    const { bytes } = await references.open(uploadRef, ANONYMOUS_IDENTITY);
    expect(Buffer.from(bytes).toString()).toBe("first");
  });

  it("expires upload reference and address after ten minutes", async () => {
    const { references, wait } = build();
    const { id, uploadRef, signature, expiresAt } = await references.announce(
      FILE,
      ANONYMOUS_IDENTITY,
    );
    const query = { signature, expires: String(expiresAt) };
    wait(LIMITS.uploads.lifeMs - 1);
    await references.admit(id, query);
    await references.receive(id, Buffer.from("a,b"));
    await references.open(uploadRef, ANONYMOUS_IDENTITY);
    wait(1);
    await expect(references.admit(id, query)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(references.open(uploadRef, ANONYMOUS_IDENTITY)).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("expired") as string,
    });
  });

  it("does not accept a reference as an address signature or the other way round", async () => {
    const { references } = build();
    const one = await references.announce(FILE, ANONYMOUS_IDENTITY);
    const other = await references.announce(FILE, ANONYMOUS_IDENTITY);
    const query = { signature: other.signature, expires: String(one.expiresAt) };
    await expect(references.admit(one.id, query)).rejects.toMatchObject({ code: "FORBIDDEN" });
    const [claims] = one.uploadRef.split(".");
    await expect(
      references.open(`${claims}.${one.signature}`, ANONYMOUS_IDENTITY),
    ).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});
