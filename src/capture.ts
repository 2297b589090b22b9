// Result of an engine for one URL. Every format is derived only from this, so a stored capture
// yields any later format without a new fetch.

export type EngineName = "cache" | "http" | "browser" | "document";

export type ResponseHeader = readonly [name: string, value: string];

/** A file created from a page. */
export type CapturedFile = {
  readonly mimeType: "image/png" | "image/jpeg" | "application/pdf" | "audio/mpeg";
  readonly bytes: Uint8Array;
};

/** Results of a request's actions, each list in order. */
export type CapturedActions = {
  readonly screenshots: readonly CapturedFile[];
  readonly scrapes: readonly { readonly url: string; readonly html: string }[];
  /** `type` is JavaScript's typeof; `value` is JSON. */
  readonly javascriptReturns: readonly { readonly type: string; readonly value: unknown }[];
  readonly pdfs: readonly CapturedFile[];
};

/** Length to which appeared texts are cut. */
export const APPEARED_CHARACTERS = 200;

/** Evidence that only a live page has, if requested. */
export type CaptureEvidence = {
  readonly screenshot?: CapturedFile;
  readonly actions?: CapturedActions;
  /** Values that scripts read from the page, by the name of the probe; checked when they were read. */
  readonly probes?: Readonly<Record<string, unknown>>;
  /** Texts that the page showed only after its actions, cut to `APPEARED_CHARACTERS`. */
  readonly appeared?: readonly string[];
};

/** Kinds of requests that a page made and that were blocked. */
export type BlockedKind = "image" | "media" | "font" | "beacon" | "tracker";

export type BlockedRequest = {
  readonly kind: BlockedKind;
  readonly count: number;
  /** Some of the addresses; hosts of trackers that were refused as a whole. */
  readonly addresses: readonly string[];
};

/** How a page was loaded in the browser, for --explain. */
export type Rendering = {
  /** Reason why the wait for the page ended. */
  readonly ready: string;
  /** Milliseconds of waiting for the page. */
  readonly waitedMs: number;
  readonly blocked: readonly BlockedRequest[];
};

export type Capture = {
  /** The engine that fetched it, also when read from the cache. */
  readonly engine: Exclude<EngineName, "cache">;
  /** The browser that rendered the page, such as "Chromium 153.0.8010.0". */
  readonly renderedBy?: string;
  /** Not stored. */
  readonly rendering?: Rendering;
  /** Exactly as the caller wrote it, without user name and password. */
  readonly requestedUrl: string;
  /** After redirects. */
  readonly finalUrl: string;
  /** Every redirecting URL in order; empty without redirects. */
  readonly redirects: readonly string[];
  readonly statusCode: number;
  /** Headers of the final response; lowercase names, repeats kept. */
  readonly headers: readonly ResponseHeader[];
  /** The Content-Type header as sent, or "" when missing. */
  readonly contentType: string;
  /** MIME type determined from header and bytes, lower case, such as "text/html". */
  readonly mimeType: string;
  /** The body after content decoding (gzip, br …), before character decoding. */
  readonly body: Uint8Array;
  /** Encoding label used when the body was read as text; undefined for binary types. */
  readonly charset: string | undefined;
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
  readonly proxyUsed: "basic" | "stealth";
  /** The parsed document; its bytes stay the body. */
  readonly parsed?: ParsedFile;
  /** Notes about the fetch (an invalid certificate, a truncated body …). */
  readonly warnings: readonly string[];
  readonly evidence?: CaptureEvidence;
};

const INCOMPLETE = "the page may be incomplete.";

/** Builds the warning of an incomplete capture. */
export const warnIncomplete = (what: string): string => `${what}; ${INCOMPLETE}`;

/** Returns that warning of the capture; undefined when it is complete. */
export const findIncomplete = ({ warnings }: Pick<Capture, "warnings">): string | undefined =>
  warnings.find((warning) => warning.endsWith(INCOMPLETE));

/** A part of a parsed file in reading order. */
export type ParsedBlock = {
  readonly type: "heading" | "paragraph" | "list" | "table" | "code" | "quote" | "footnote";
  readonly markdown: string;
  /** x0, y0, x1, y1 as fractions of the page. */
  readonly box: readonly [number, number, number, number];
  readonly source: "text" | "ocr";
  /** Confidence of text recognition, 0 to 1; null for embedded text. */
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

/**
 * The parsed form of a file (PDF, office, picture), stored beside its bytes, so that it is parsed
 * once.
 */
export type ParsedFile = {
  /** Markdown of a file without pages; otherwise of its pages' blocks. */
  readonly markdown: string;
  readonly html: string;
  /** Empty for a file without pages. */
  readonly pages: readonly ParsedPage[];
  /** Pages of the file, parsed or not; undefined for a file without pages. */
  readonly totalPages: number | undefined;
  readonly warnings: readonly string[];
};
