// The shape of a format: one output of the API and the code that makes it from a capture.
import type { Document } from "../contract/document.ts";
import type { Format } from "../contract/formats.ts";
import type { PageView } from "./view.ts";

export type FormatType = Format["type"];

export type FormatDefinition =
  /** Made from the page alone. */
  | {
      readonly kind: "page";
      readonly derive: (view: PageView, format: Format) => Partial<Document>;
    }
  /** Known to the contract, not yet to this server: `reason` is what the caller is told. */
  | { readonly kind: "unavailable"; readonly reason: string };
