import type { PageFormat } from "./format.ts";

/** All links of the page, as far as includeTags and excludeTags leave them; absolute, in order of appearance, once each. */
export const links: PageFormat = {
  derive: (view) => ({
    links: view.hasTree() ? view.links() : [],
  }),
};
