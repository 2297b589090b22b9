// What an engine brings back from one URL. Every format is computed from this and from nothing else, so a capture
// can be stored and any later format derived from it without fetching again.

export type EngineName = "cache" | "http" | "browser" | "document";

export type ResponseHeader = readonly [name: string, value: string];

/** A file that was made of a page. */
export type CapturedFile = {
  readonly mimeType: "image/png" | "image/jpeg" | "application/pdf" | "audio/mpeg";
  readonly bytes: Uint8Array;
};

/** What the steps of a request brought, each list in the order of the steps. */
export type CapturedActions = {
  readonly screenshots: readonly CapturedFile[];
  readonly scrapes: readonly { readonly url: string; readonly html: string }[];
  /** `type` is JavaScript's typeof; `value` is JSON. */
  readonly javascriptReturns: readonly { readonly type: string; readonly value: unknown }[];
  readonly pdfs: readonly CapturedFile[];
};

/** What only a live page shows, where it was asked for. */
export type CaptureEvidence = {
  readonly screenshot?: CapturedFile;
  readonly actions?: CapturedActions;
  /** Values that scripts read from the page, by the name of the probe; checked when they were read. */
  readonly probes?: Readonly<Record<string, unknown>>;
};

export type Capture = {
  /** The engine that fetched it first, also when it is read back from the cache. */
  readonly engine: Exclude<EngineName, "cache">;
  /** The browser that showed the page, such as "Chromium 153.0.8010.0". */
  readonly renderedBy?: string;
  /** Exactly as the caller wrote it, but never with a user name or password. */
  readonly requestedUrl: string;
  /** After redirects. */
  readonly finalUrl: string;
  /** Every URL left on the way, in order; empty without redirects. */
  readonly redirects: readonly string[];
  readonly statusCode: number;
  /** Of the final response; names in lower case, repeats kept. */
  readonly headers: readonly ResponseHeader[];
  /** The Content-Type header as sent, or "" when missing. */
  readonly contentType: string;
  /** MIME essence decided from header and bytes, lower case, such as "text/html". */
  readonly mimeType: string;
  /** The body after content decoding (gzip, br …), before character decoding. */
  readonly body: Uint8Array;
  /** Encoding label used when the body was read as text; undefined for binary types. */
  readonly charset: string | undefined;
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
  readonly proxyUsed: "basic" | "stealth";
  /** Of a document that was parsed; its bytes stay the body. */
  readonly parsed?: ParsedFile;
  /** What a reader should know about how it was fetched (a certificate that was not valid, a cut body …). */
  readonly warnings: readonly string[];
  readonly evidence?: CaptureEvidence;
};

const INCOMPLETE = "the page may be incomplete.";

/** The warning of a capture that does not hold all of the page. */
export const warnIncomplete = (what: string): string => `${what}; ${INCOMPLETE}`;

/** That warning of the capture; undefined when all of the page came. */
export const findIncomplete = ({ warnings }: Pick<Capture, "warnings">): string | undefined =>
  warnings.find((warning) => warning.endsWith(INCOMPLETE));

/** A piece of a parsed file as its reader sees it. */
export type ParsedBlock = {
  readonly type: "heading" | "paragraph" | "list" | "table" | "code" | "quote" | "footnote";
  readonly markdown: string;
  /** x0, y0, x1, y1 as fractions of the page. */
  readonly box: readonly [number, number, number, number];
  readonly source: "text" | "ocr";
  /** Of the characters that were recognised in a picture, 0 to 1; null for embedded text. */
  readonly confidence: number | null;
};

export type ParsedPage = {
  readonly pageNumber: number;
  /** Points, 1/72 inch. */
  readonly width: number;
  readonly height: number;
  readonly status: "ok" | "partial" | "failed";
  readonly blocks: readonly ParsedBlock[];
};

/** What became of a file that is no web page (PDF, office, picture): kept beside its bytes, so that it is read once. */
export type ParsedFile = {
  /** Markdown of a file without pages; of one with pages it is that of their blocks. */
  readonly markdown: string;
  readonly html: string;
  /** Empty for what has no pages. */
  readonly pages: readonly ParsedPage[];
  /** Pages of the file, whether parsed or not; undefined for what has none. */
  readonly totalPages: number | undefined;
  readonly warnings: readonly string[];
};
