import { fastify } from "fastify";
import { describe, expect, it } from "vitest";
import { computeBlobRef } from "../store/blobs/blobs.ts";
import { createBlobLinks } from "../store/blobs/blob-url.ts";
import { serveFiles } from "./files.ts";
import { onError } from "./middleware/on-error.ts";

const blobLinks = createBlobLinks("secret");
const bytes = Buffer.from("\x89PNG picture");
const ref = computeBlobRef(bytes);

function build() {
  const server = fastify();
  server.setErrorHandler(onError);
  const files = {
    keep: async () => ref,
    load: async (name: string) => (name === ref ? bytes : undefined),
  };
  serveFiles(server, { store: async () => ({ files, blobLinks }) });
  return server;
}

const link = (overrides: Partial<Parameters<typeof blobLinks.sign>[0]> = {}): string =>
  blobLinks.sign({ ref, mimeType: "image/png", expiresAt: Date.now() + 60_000, ...overrides });

describe("GET /blobs/:ref", () => {
  it("GET /blobs/:ref serves the file to holders of the link without running anything in it", async () => {
    const answer = await build().inject(link());
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload).toEqual(bytes);
    expect(answer.headers).toMatchObject({
      "content-type": "image/png",
      "content-disposition": `inline; filename="${ref.slice(0, 16)}.png"`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
  });

  it("GET /blobs/:ref serves anything but a picture as a download", async () => {
    const answer = await build().inject(link({ mimeType: "application/pdf" }));
    expect(answer.headers["content-disposition"]).toMatch(/^attachment; .*\.pdf"$/);
  });

  it.each([
    ["a forged link", () => link().replace(/signature=.*/, "signature=AAAA")],
    ["another type", () => link().replace("image%2Fpng", "text%2Fhtml")],
    ["an expired link", () => link({ expiresAt: Date.now() - 1 })],
    ["no signature", () => `/blobs/${ref}`],
    ["a path", () => `/blobs/..%2f..%2fetc%2fpasswd${link().slice(link().indexOf("?"))}`],
  ])("GET /blobs/:ref rejects %s", async (_name, address) => {
    const answer = await build().inject(address());
    expect(answer.statusCode).toBe(403);
  });

  it("GET /blobs/:ref returns 404 when the file is gone", async () => {
    const answer = await build().inject(link({ ref: "0".repeat(64) }));
    expect(answer.statusCode).toBe(404);
  });
});
