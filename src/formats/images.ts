import { imagesOf } from "../html/images/images.ts";
import type { PageFormat } from "./format.ts";

/** Every image of the original page, absolute, in document order, once each. */
export const images: PageFormat = {
  derive: (view) => ({
    images: view.hasTree() ? imagesOf(view.document(), view.base()) : [],
  }),
};
