// What goes to a process that parses documents and what comes back.
import type { ParsedFile } from "../capture.ts";
import type { ErrorRecord } from "../errors.ts";
import type { OfficeKind } from "./office/kinds.ts";
import type { OcrOptions } from "./pdf/recogniser.ts";

export type ParseWork = {
  readonly bytes: Uint8Array;
  /** What relative links are resolved against. */
  readonly url: string;
  /** Milliseconds from when it is asked for, waiting for a process included; what is not read by then is left out. */
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
      /** The header that came with it, which says how a file of plain text is to be read. */
      readonly contentType?: string;
    }
);

export type ToProcess = {
  readonly work: ParseWork;
  /** When it was asked for, milliseconds since 1970: its time runs from there. */
  readonly askedAt: number;
  readonly memoryMiB: number;
};

/** Of a long PDF; a page that is recognised in its picture is done when that is. */
export type ParseProgress = { readonly pagesDone: number; readonly pagesWanted: number };

export type FromProcess =
  | { readonly kind: "ready" }
  | ({ readonly kind: "progress" } & ParseProgress)
  /** One that is spent takes no further file. */
  | { readonly kind: "parsed"; readonly file: ParsedFile; readonly isSpent: boolean }
  | { readonly kind: "failed"; readonly error: ErrorRecord };

/** How a process ends that needs more memory than it may. */
export const OUT_OF_MEMORY = 87;
