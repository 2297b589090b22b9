// The declaration of a format: one output of the API, its needs, its price, and its derivation from
// a capture. Declarations are read in every thread, so they import nothing heavy: `derive` loads
// the converter.
import type { EvidenceOptions } from "../browser/page/visit.ts";
import type { Capture, CapturedFile } from "../capture.ts";
import type { PRICES } from "../contract/account/prices.ts";
import type { Document } from "../contract/page/document.ts";
import type { FormatOf, FormatType } from "../contract/page/formats.ts";
import type { ErrorCode } from "../contract/request/error-codes.ts";
import type { PageKind } from "./page/page-kind.ts";
import type { Understanding } from "./model/understanding.ts";
import type { PageView } from "./page/view.ts";

/**
 * Derives the part of the document that the format fills; nothing when the page has no such
 * content.
 */
export type Derive<T extends FormatType = FormatType> = (
  view: PageView,
  format: FormatOf<T>,
) => Partial<Document>;

/** Without a browser, or a store with earlier versions of the page, the request answers 501. */
export type FormatNeed = "browser" | "history";

export type FormatDeclaration<T extends FormatType = FormatType> = {
  readonly name: T;
  readonly needs: readonly FormatNeed[];
  /** Reason why this server cannot make the format: it answers 501 with this text. */
  readonly unavailable?: string;
  /** Row of the price list, undefined for no extra credits. Formats of one row are charged once. */
  price?(format: FormatOf<T>): keyof typeof PRICES | undefined;
  /** Evidence that a browser adds to the capture. With probes, the cache does not answer. */
  evidence?(format: FormatOf<T>): EvidenceOptions;
  readonly cache?: {
    /**
     * Captures with different keys are different cache entries; a plain capture is kept beside one
     * with a key.
     */
    key?(format: FormatOf<T>): string;
    /** True when the cache must not answer. */
    isFresh?(format: FormatOf<T>): boolean;
  };
  readonly bodies?: {
    /** Kind of body that only this format supports. */
    readonly takes?: PageKind;
    /** Code of the error for any body that is not HTML. */
    readonly htmlOnly?: ErrorCode;
  };
  /**
   * The document field links to a file: of the capture, or fetched after all formats are derived.
   */
  readonly file?: { readonly source: "audio" } | CaptureFileSource;
  /** True when a page without text can have it. */
  readonly isWithoutText?: true;
  /**
   * The field without content, for a block page whose text is withheld; otherwise it is omitted.
   */
  readonly blank?: Partial<Document>;
  /**
   * Loads the derivation. Runs once in each thread that converts pages. Missing for formats made
   * elsewhere.
   */
  derive?(): Promise<Derive<T>>;
  /** Missing for formats that rules make completely. */
  readonly understand?: Understanding<T>;
};

type CaptureFileSource = {
  readonly source: "capture";
  read(capture: Pick<Capture, "evidence">): CapturedFile | undefined;
  /** Warning for a page without the file. */
  readonly missing: string;
};
