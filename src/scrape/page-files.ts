// The files a browser made of a page, as the document gives them: signed links to this server, or data: URLs.
import type { Capture, CapturedActions, CapturedFile } from "../capture.ts";
import type { Document } from "../contract/page/document.ts";
import { findFormat } from "../contract/page/formats.ts";
import { LIMITS } from "../contract/request/limits.ts";
import type { BlobLinks } from "../store/blobs/blob-url.ts";
import type { KeptFiles } from "../store/blobs/kept-files.ts";

export type PageFiles = {
  /**
   * `screenshot`, `audio` and `actions` of the document. Links are put behind `base`, the address by which the caller reaches
   * this server, and live for 24 hours from `madeAt` on: the same picture has the same link each time it is given. Those of
   * audio live for an hour from now on.
   */
  describe(
    made: MadeFiles,
    base: string | undefined,
  ): Promise<Pick<Document, "screenshot" | "actions" | "audio">>;
};

export type MadeFiles = {
  readonly screenshot: CapturedFile | undefined;
  readonly actions: CapturedActions | undefined;
  readonly audio?: CapturedFile | undefined;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
};

export type FileKeeping = { readonly files: KeptFiles; readonly blobLinks: BlobLinks };

export type PageFilesParts = {
  /** Undefined where nothing is kept: then every file is a data: URL. */
  readonly keeping: (() => Promise<FileKeeping>) | undefined;
  readonly answer: "url" | "data";
  /** Where the request does not say how this server is reached. */
  readonly publicUrl: string | undefined;
};

export function createPageFiles({ keeping, answer, publicUrl }: PageFilesParts): PageFiles {
  async function addressOf(
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
    async describe({ screenshot, actions, audio, madeAt }, base) {
      const address = (file: CapturedFile): Promise<string> => addressOf(file, madeAt, base);
      const fields: Pick<Document, "screenshot" | "actions" | "audio"> = {};
      if (screenshot !== undefined) fields.screenshot = await address(screenshot);
      if (audio !== undefined) fields.audio = await address(audio);
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

/** A file is not drawn: whoever asked for a picture of it is told. */
export const warnNoPicture = (
  formats: Parameters<typeof findFormat>[0],
  { evidence }: Pick<Capture, "evidence">,
): string[] =>
  findFormat(formats, "screenshot") === undefined || evidence?.screenshot !== undefined
    ? []
    : ["There is no screenshot: the URL leads to a PDF or another file, and only pages are drawn."];
