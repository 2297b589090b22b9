import type { FormatDeclaration } from "./format.ts";

/**
 * All links of the page after includeTags and excludeTags; absolute, in order of appearance, once
 * each.
 */
export const links: FormatDeclaration<"links"> = {
  name: "links",
  needs: [],
  blank: { links: [] },
  derive: async () => (view) => ({ links: view.hasTree() ? view.links() : [] }),
};
