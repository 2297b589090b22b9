import type { FormatDeclaration } from "./format.ts";

/** The body as text, unchanged except for its character encoding. */
export const rawHtml: FormatDeclaration<"rawHtml"> = {
  name: "rawHtml",
  needs: [],
  isWithoutText: true,
  blank: { rawHtml: "" },
  derive: async () => (view) => ({ rawHtml: view.text }),
};
