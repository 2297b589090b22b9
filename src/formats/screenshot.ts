import type { FormatDeclaration } from "./format.ts";

/** A picture of the page, taken by the browser. */
export const screenshot: FormatDeclaration<"screenshot"> = {
  name: "screenshot",
  needs: ["browser"],
  isWithoutText: true,
  evidence: (format) => ({ screenshot: format }),
  cache: {
    key: ({ fullPage, quality, viewport }) =>
      `${fullPage ? "page" : "window"} ${quality ?? "png"} ${viewport?.width ?? ""}x${viewport?.height ?? ""}`,
    isFresh: ({ viewport, quality }) => viewport !== undefined || quality !== undefined,
  },
  file: {
    source: "capture",
    read: ({ evidence }) => evidence?.screenshot,
    missing:
      "There is no screenshot: the URL is a PDF or another file, and only pages are rendered.",
  },
};
