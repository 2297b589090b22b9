import type { PageFormat } from "./format.ts";

/**
 * All links of the page that includeTags and excludeTags leave; absolute, in order of appearance,
 * once each.
 */
export const links: PageFormat = {
  derive: (view) => ({
    links: view.hasTree() ? view.links() : [],
  }),
};
