// Use of a language model by a format: the part of its declaration that runs in the main thread
// after the rules.
import type { Document } from "../../contract/page/document.ts";
import type { Format, FormatOf, FormatType } from "../../contract/page/formats.ts";
import type { Deadline } from "../../deadline.ts";
import type { LanguageModel, ModelUsage } from "../../models/model.ts";
import type { DerivedDocument } from "../derivation.ts";

export type UnderstoodFields = {
  /** Fields of the document; `undefined` removes a field. */
  readonly fields?: { readonly [Field in keyof Document]?: Document[Field] | undefined };
  readonly warnings?: readonly string[];
  /** Missing when no model was called. */
  readonly usage?: ModelUsage;
};

export type ModelContext = {
  readonly model: LanguageModel;
  readonly inputTokens: number;
  /** With `reading`, except for bodies without text. */
  readonly derived: DerivedDocument;
  /** All formats of the request. */
  readonly formats: readonly Format[];
  readonly deadline: Deadline;
};

export type Understanding<T extends FormatType = FormatType> = {
  /** Field of the document that the format fills. The format is free if the field is missing. */
  readonly makes?: keyof Document;
  /** Throws for a page that no model may read. */
  check?(derived: DerivedDocument, format: FormatOf<T>): void;
  withoutModel(derived: DerivedDocument, format: FormatOf<T>): UnderstoodFields;
  /** Rethrows errors of the model. Missing for formats that rules create. */
  withModel?(context: ModelContext, format: FormatOf<T>): Promise<UnderstoodFields>;
  /** Second sentence of the warning when the model fails. */
  readonly fallback?: string;
  afterFailure?(derived: DerivedDocument, format: FormatOf<T>): UnderstoodFields;
};

/** Opening of the warnings of a server without a model. */
export const NO_MODEL = "No language model is configured (QUARRY_MODEL)";
