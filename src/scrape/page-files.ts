// The files of a page in the document: signed links to this server, or data: URLs.
import type { CapturedActions, CapturedFile } from "../capture.ts";
import type { Document } from "../contract/page/document.ts";
import { LIMITS } from "../contract/request/limits.ts";
import type { BlobLinks } from "../store/blobs/blob-url.ts";
import type { StoredFiles } from "../store/blobs/stored-files.ts";

export type PageFiles = {
  /**
   * Returns the fields of the document that link to files. Links start with `base`, the
   * server's URL as the caller reaches it, and expire 24 hours after `madeAt`, so the same picture
   * keeps its link. Audio links expire after one hour.
   */
  describe(made: MadeFiles, base: string | undefined): Promise<Partial<Document>>;
};

export type MadeFiles = {
  /** By field of the document. */
  readonly files: Readonly<Record<string, CapturedFile>>;
  readonly actions: CapturedActions | undefined;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
};

export type FileStorage = { readonly files: StoredFiles; readonly blobLinks: BlobLinks };

export type PageFilesParts = {
  /** Undefined when nothing is stored: every file is then a data: URL. */
  readonly keeping: (() => Promise<FileStorage>) | undefined;
  readonly answer: "url" | "data";
  /** Used when the request does not say how this server is reached. */
  readonly publicUrl: string | undefined;
};

export function createPageFiles({ keeping, answer, publicUrl }: PageFilesParts): PageFiles {
  async function storeFile(
    { bytes, mimeType }: CapturedFile,
    madeAt: number,
    base: string | undefined,
  ): Promise<string> {
    const from = base ?? publicUrl;
    if (keeping === undefined || answer === "data" || from === undefined)
      return `data:${mimeType};base64,${Buffer.from(bytes).toString("base64")}`;
    const { files, blobLinks } = await keeping();
    const expiresAt =
      mimeType === "audio/mpeg"
        ? Date.now() + LIMITS.audio.urlLifeMs
        : madeAt + LIMITS.screenshot.urlLifeMs;
    const ref = await files.keep(bytes, expiresAt);
    return `${from.replace(/\/+$/, "")}${blobLinks.sign({ ref, mimeType, expiresAt })}`;
  }

  return {
    async describe({ files, actions, madeAt }, base) {
      const address = (file: CapturedFile): Promise<string> => storeFile(file, madeAt, base);
      const fields: Partial<Document> = {};
      for (const [name, file] of Object.entries(files)) fields[name] = await address(file);
      if (actions !== undefined)
        fields.actions = {
          screenshots: await Promise.all(actions.screenshots.map(address)),
          scrapes: actions.scrapes.map((scrape) => ({ ...scrape })),
          javascriptReturns: actions.javascriptReturns.map((result) => ({ ...result })),
          pdfs: await Promise.all(actions.pdfs.map(address)),
        };
      return fields;
    },
  };
}
