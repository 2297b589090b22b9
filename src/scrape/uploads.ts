// A file that a caller uploads instead of a URL: processed like a page without the fetch.
import type { Capture } from "../capture.ts";
import type { ParseOptions } from "../contract/page/parse.ts";
import { UPLOAD_HOST } from "../contract/page/upload-host.ts";
import { decideMime, buildFalsePdfWarning } from "../engines/http-mime.ts";
import { QuarryError, RequestError } from "../errors.ts";
import { findOfficeMimeByName } from "../documents/office/kinds.ts";
import type { Scrape, ScrapeContext, ScrapeResult } from "./scrape.ts";

export type Upload = {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
};

/** Converts an uploaded file into the requested formats. Throws like a scrape. */
export type ParseUpload = (
  file: Upload,
  options: ParseOptions,
  context: ScrapeContext,
) => Promise<ScrapeResult>;

export function createParseUpload(scrape: Scrape): ParseUpload {
  return async (file, options, context) => {
    const given = await toCapture(file);
    const isPicture = checkPicture(file, given.mimeType);
    // A placeholder for code that needs a URL; it is never fetched.
    const url = `http://${UPLOAD_HOST}/${encodeURIComponent(file.name)}`;
    try {
      return await scrape({ ...options, url }, { ...context, given });
    } catch (error) {
      // The upload and its parsers are the caller's choice, so the error is a request error.
      if (
        isPicture &&
        error instanceof QuarryError &&
        error.code === "SCRAPE_UNSUPPORTED_FILE_ERROR"
      )
        throw new RequestError("UNSUPPORTED_FILE_TYPE", error.message, { cause: error });
      throw error;
    }
  };
}

const PICTURE = /\.(?:png|jpe?g|webp|tiff?|gif|bmp)$/i;
const PDF = /\.pdf$/i;

/**
 * True if the file is a picture. Throws UNSUPPORTED_FILE_TYPE if it is one by name but not by its
 * bytes.
 */
function checkPicture({ name }: Upload, mimeType: string): boolean {
  const isPicture = mimeType.startsWith("image/");
  if (PICTURE.test(name) && !isPicture)
    throw new RequestError(
      "UNSUPPORTED_FILE_TYPE",
      `Unsupported upload type: ${name} is named as a picture, but its bytes are ${mimeType}.`,
    );
  return isPicture;
}

const MARKUP = /\.(?:html?|xhtml)$/i;

async function toCapture(file: Upload): Promise<Capture> {
  const said = MARKUP.test(file.name) ? "text/html" : (findOfficeMimeByName(file.name) ?? "");
  const sniffed = await decideMime("application/octet-stream", file.bytes, { nosniff: false });
  const isKnown =
    sniffed !== "application/octet-stream" &&
    sniffed !== "text/plain" &&
    sniffed !== "application/zip";
  const mimeType = isKnown && said !== "text/html" ? sniffed : said === "" ? sniffed : said;
  return {
    engine: "document",
    requestedUrl: file.name,
    finalUrl: file.name,
    redirects: [],
    statusCode: 200,
    headers: [],
    contentType: mimeType === "text/html" ? file.contentType : mimeType,
    mimeType,
    body: file.bytes,
    charset: undefined,
    fetchedAt: Date.now(),
    proxyUsed: "basic",
    warnings:
      PDF.test(file.name) && mimeType !== "application/pdf"
        ? [buildFalsePdfWarning(file.name, mimeType)]
        : [],
  };
}
