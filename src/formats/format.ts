// A format: one output of the API and the code that derives it from the page.
import type { Document } from "../contract/page/document.ts";
import type { Format } from "../contract/page/formats.ts";
import type { PageView } from "./view.ts";

export type PageFormat = {
  /**
   * Returns the part of the document that this format fills, or nothing if the page has none of it.
   */
  readonly derive: (view: PageView, format: Format) => Partial<Document>;
};
