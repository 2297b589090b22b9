// The shape of a format: one output of the API and the code that makes it from the page.
import type { Document } from "../contract/page/document.ts";
import type { Format } from "../contract/page/formats.ts";
import type { PageView } from "./view.ts";

export type PageFormat = {
  /** The part of the document this format fills; nothing when the page has none of it. */
  readonly derive: (view: PageView, format: Format) => Partial<Document>;
};
