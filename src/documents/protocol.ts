// Messages to and from a document process.
import type { ParsedFile } from "../capture.ts";
import type { ErrorRecord } from "../errors.ts";
import type { OfficeKind } from "./office/kinds.ts";
import type { OcrOptions } from "./pdf/ocr/recognizer.ts";

export type ParseWork = {
  readonly bytes: Uint8Array;
  /** Base of relative links. */
  readonly url: string;
  /**
   * Milliseconds from the request, including the wait for a process. Pages not read by then are
   * omitted.
   */
  readonly budgetMs: number;
} & (
  | {
      readonly kind: "pdf";
      readonly mode: "fast" | "auto" | "ocr";
      readonly maxPages: number;
      readonly ocr: OcrOptions | undefined;
    }
  | { readonly kind: "image"; readonly ocr: OcrOptions }
  | {
      readonly kind: "office";
      readonly format: OfficeKind | undefined;
      /** Content-Type header, which decides how plain text is read. */
      readonly contentType?: string;
    }
);

export type ToProcess = {
  readonly work: ParseWork;
  /** Time of the request in milliseconds since 1970, from which the budget runs. */
  readonly askedAt: number;
  readonly memoryMiB: number;
};

/** Progress in a long PDF. A recognized page counts when its recognition is done. */
export type ParseProgress = { readonly pagesDone: number; readonly pagesWanted: number };

export type FromProcess =
  | { readonly kind: "ready" }
  | ({ readonly kind: "progress" } & ParseProgress)
  /** A spent process takes no more files. */
  | { readonly kind: "parsed"; readonly file: ParsedFile; readonly isSpent: boolean }
  | { readonly kind: "failed"; readonly error: ErrorRecord };

/** Exit code of a process that exceeded its memory limit. */
export const OUT_OF_MEMORY_EXIT_CODE = 87;
