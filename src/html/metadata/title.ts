// The article's own title: the headline a reader sees, without the name of the site that the document title carries.

import { textOf } from "./json-ld.ts";
import { mainNodes, type Page, type Rule } from "./rule.ts";

const SEPARATOR = /\s+[|\-–—·•»:~›»]\s+|\s*[|│｜»]\s*|\s+::\s+|:\s+/;

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Share of the first text's words that the second has, 0–1. */
function covered(text: string, by: string): number {
  const all = words(text);
  if (all.length === 0) return 0;
  const known = new Set(words(by));
  return all.filter((word) => known.has(word)).length / all.length;
}

/** A document title without its site: cut at separators where one side names the site, else the longest side is kept. */
export function withoutSite(title: string, siteName: string | undefined, host: string): string {
  const cuts = [...title.matchAll(new RegExp(SEPARATOR, "g"))].slice(0, 20);
  if (cuts.length === 0) return title;
  const isSite = (part: string): boolean => {
    const letters = words(part).join("");
    const site = siteName === undefined ? "" : words(siteName).join("");
    const domain = words(host.replace(/^www\.|\.[a-z]+$/g, "")).join("");
    return (
      letters !== "" &&
      (letters === site ||
        (letters.length > 2 && domain.includes(letters)) ||
        (domain.length > 3 && letters.includes(domain)))
    );
  };
  const last = cuts.at(-1);
  const first = cuts[0];
  if (last !== undefined) {
    const head = title.slice(0, last.index);
    if (isSite(title.slice(last.index + last[0].length))) return withoutSite(head, siteName, host);
  }
  if (first !== undefined && isSite(title.slice(0, first.index)))
    return title.slice(first.index + first[0].length);
  const bar = cuts.findLast((cut) => !/^:/.test(cut[0].trim()));
  if (bar === undefined) return title;
  const [left, right] = [title.slice(0, bar.index), title.slice(bar.index + bar[0].length)];
  return words(left).length >= words(right).length ? left : right.length > 40 ? right : title;
}

function visibleHeadline(page: Page): string | undefined {
  const declared = [page.meta("og:title"), page.facts.title, linkedHeadline(page)].filter(
    (title) => title !== undefined,
  );
  const shown = page.facts.headings.filter((heading) => !heading.muted);
  const candidates = shown.length === 0 ? page.facts.headings : shown;
  let best: { value: string; score: number } | undefined;
  for (const { value } of candidates.slice(0, 20)) {
    if (words(value).length === 0 || value.length > 300) continue;
    const score = Math.max(
      0,
      ...declared.map((title) => covered(value, title) * Math.min(1, words(value).length / 3)),
    );
    if (best === undefined || score > best.score + 0.01) best = { value, score };
  }
  if (best === undefined) return undefined;
  if (best.score >= 0.5) return best.value;
  return candidates.length === 1 && words(best.value).length >= 2 ? best.value : undefined;
}

function linkedHeadline(page: Page): string | undefined {
  for (const node of mainNodes(page)) {
    const headline = textOf(node, "headline");
    if (headline !== undefined) return headline;
  }
  return undefined;
}

const cut = (title: string | undefined, page: Page): string | undefined =>
  title === undefined ? undefined : withoutSite(title, page.siteName, page.host);

export const articleTitleRules: readonly Rule[] = [
  ["headline", visibleHeadline],
  ["json-ld headline", linkedHeadline],
  ["meta og:title", (page) => cut(page.meta("og:title"), page)],
  ["title element", (page) => cut(page.facts.title, page)],
  ["meta twitter:title", (page) => cut(page.meta("twitter:title"), page)],
];
