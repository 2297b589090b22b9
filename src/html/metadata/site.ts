import { namesOf, textOf } from "./json-ld.ts";
import { metaRule, type Page, type Rule } from "./rule.ts";

function linkedSite(page: Page): string | undefined {
  for (const node of page.linked) {
    if (node.types.includes("WebSite")) {
      const name = textOf(node, "name");
      if (name !== undefined) return name;
    }
  }
  for (const node of page.main) {
    const [name] = namesOf(node, "publisher");
    if (name !== undefined) return name;
  }
  return undefined;
}

const short = (value: string): string | undefined => (value.length <= 100 ? value : undefined);

/** Sources of the site's name. */
export const siteNameRules: readonly Rule[] = [
  metaRule(["og:site_name"], short),
  ["json-ld WebSite", linkedSite],
  metaRule(["application-name", "apple-mobile-web-app-title", "dc.publisher", "cre"], short),
];
