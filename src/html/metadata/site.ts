import { listNames, readLinkedText } from "./json-ld.ts";
import { createMetaRule, type Page, type Rule } from "./rule.ts";

function findLinkedSite(page: Page): string | undefined {
  for (const node of page.linked) {
    if (node.types.includes("WebSite")) {
      const name = readLinkedText(node, "name");
      if (name !== undefined) return name;
    }
  }
  for (const node of page.main) {
    const [name] = listNames(node, "publisher");
    if (name !== undefined) return name;
  }
  return undefined;
}

const acceptShort = (value: string): string | undefined =>
  value.length <= 100 ? value : undefined;

/** Sources of the site's name. */
export const siteNameRules: readonly Rule[] = [
  createMetaRule(["og:site_name"], acceptShort),
  ["json-ld WebSite", findLinkedSite],
  createMetaRule(
    ["application-name", "apple-mobile-web-app-title", "dc.publisher", "cre"],
    acceptShort,
  ),
];
