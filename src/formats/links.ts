import { linksOf } from "../html/links.ts";
import type { PageFormat } from "./format.ts";

/** Links of the selected content, absolute, in order of appearance, once each. */
export const links: PageFormat = {
  derive: (view) => ({
    links: view.hasTree() ? linksOf(view.content().root, view.base()) : [],
  }),
};
