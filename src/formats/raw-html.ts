import type { PageFormat } from "./format.ts";

/** The body as text, unchanged except for its character encoding. */
export const rawHtml: PageFormat = {
  derive: (view) => ({ rawHtml: view.text }),
};
