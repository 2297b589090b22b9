import type { FormatDefinition } from "./format.ts";

/** The body as text, untouched but for its character encoding. */
export const rawHtml: FormatDefinition = {
  kind: "page",
  derive: (view) => ({ rawHtml: view.text }),
};
