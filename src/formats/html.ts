import type { FormatDeclaration } from "./format.ts";
import { wrapPreformatted } from "./preformatted.ts";

/** The content as HTML without scripts. */
export const html: FormatDeclaration<"html"> = {
  name: "html",
  needs: [],
  isWithoutText: true,
  blank: { html: "" },
  derive: async () => {
    const { toHtml } = await import("../html/parse/serialize.ts");
    return (view) => ({
      html: view.hasTree()
        ? toHtml(view.getContent().root, { safe: true })
        : wrapPreformatted(view.text),
    });
  },
};
