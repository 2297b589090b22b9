import { toHtml } from "../html/serialize.ts";
import { preformatted } from "./preformatted.ts";
import type { FormatDefinition } from "./format.ts";

export const html: FormatDefinition = {
  kind: "page",
  derive: (view) => ({
    html: view.kind === "html" ? toHtml(view.content().root) : preformatted(view.text),
  }),
};
