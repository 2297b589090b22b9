import type { PageFormat } from "./format.ts";

/** The body as text, untouched but for its character encoding. */
export const rawHtml: PageFormat = {
  derive: (view) => ({ rawHtml: view.text }),
};
