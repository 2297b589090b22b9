import { toHtml } from "../html/parse/serialize.ts";
import { preformatted } from "./preformatted.ts";
import type { PageFormat } from "./format.ts";

export const html: PageFormat = {
  derive: (view) => ({
    html: view.hasTree() ? toHtml(view.content().root, { safe: true }) : preformatted(view.text),
  }),
};
