import { linksOf } from "../html/links.ts";
import type { FormatDefinition } from "./format.ts";

/** Links of the selected content, absolute, in order of appearance, once each. */
export const links: FormatDefinition = {
  kind: "page",
  derive: (view) => ({
    links: view.kind === "html" ? linksOf(view.content().root, view.base()) : [],
  }),
};
