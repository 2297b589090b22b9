import { describe, expect, it } from "vitest";
import { computeBlobRef } from "../store/blobs/blobs.ts";
import { createBlobLinks } from "../store/blobs/blob-url.ts";
import { createPageFiles, type PageFilesParts } from "./page-files.ts";

const DAY = 86_400_000;
const bytes = Buffer.from("picture");
const file = { mimeType: "image/png", bytes } as const;
const blobLinks = createBlobLinks("secret");

function build(parts: Partial<PageFilesParts> = {}) {
  const kept: number[] = [];
  const files = {
    keep: async (content: Uint8Array, until: number) => {
      kept.push(until);
      return computeBlobRef(content);
    },
    load: async () => undefined,
  };
  const keeping = async () => ({ files, blobLinks });
  return {
    kept,
    files: createPageFiles({ keeping, answer: "url", publicUrl: undefined, ...parts }),
  };
}

const made = { files: { screenshot: file }, actions: undefined, madeAt: 1_000 };

describe("files of a page", () => {
  it("signs the same 24-hour link for the same file each time", async () => {
    const { files, kept } = build();
    const { screenshot } = await files.describe(made, "https://api.example/quarry/");
    expect(await files.describe(made, "https://api.example/quarry")).toEqual({ screenshot });
    const url = new URL(screenshot ?? "");
    expect(url.href).toMatch(/^https:\/\/api\.example\/quarry\/blobs\//);
    const link = blobLinks.verify(
      computeBlobRef(bytes),
      Object.fromEntries(url.searchParams),
      DAY + 999,
    );
    expect(link).toEqual({
      ref: computeBlobRef(bytes),
      mimeType: "image/png",
      expiresAt: DAY + 1_000,
    });
    expect(kept).toEqual([DAY + 1_000, DAY + 1_000]);
  });

  it.each([
    ["by setting", { answer: "data" } as const],
    ["where nothing is kept", { keeping: undefined }],
  ])("returns data: URLs %s", async (_name, parts) => {
    const { screenshot } = await build(parts).files.describe(made, "https://api.example");
    expect(screenshot).toBe(`data:image/png;base64,${bytes.toString("base64")}`);
  });

  it("uses the configured public URL when the request names none", async () => {
    const { files } = build({ publicUrl: "https://public.example" });
    const { screenshot } = await files.describe(made, undefined);
    expect(screenshot).toMatch(/^https:\/\/public\.example\/blobs\//);
  });

  it("lists the results of actions in four lists, each in order", async () => {
    const actions = {
      screenshots: [file, { ...file, bytes: Buffer.from("other") }],
      scrapes: [{ url: "https://a.example/", html: "<p>a</p>" }],
      javascriptReturns: [{ type: "number", value: 1 }],
      pdfs: [{ mimeType: "application/pdf" as const, bytes }],
    };
    const result = await build({ answer: "data" }).files.describe(
      { files: {}, actions, madeAt: 0 },
      undefined,
    );
    expect(result).toEqual({
      actions: {
        screenshots: ["cGljdHVyZQ==", "b3RoZXI="].map((text) => `data:image/png;base64,${text}`),
        scrapes: actions.scrapes,
        javascriptReturns: actions.javascriptReturns,
        pdfs: ["data:application/pdf;base64,cGljdHVyZQ=="],
      },
    });
  });
});
