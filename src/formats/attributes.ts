import { selectAttributes } from "../html/select/attributes.ts";
import type { PageFormat } from "./format.ts";

/** Attribute values of the original page, one entry per selector, in request order. */
export const attributes: PageFormat = {
  derive: (view, format) => {
    if (format.type !== "attributes") return {};
    if (!view.hasTree()) {
      return { attributes: format.selectors.map((selector) => ({ ...selector, values: [] })) };
    }
    return { attributes: selectAttributes(view.document(), format.selectors) };
  },
};
