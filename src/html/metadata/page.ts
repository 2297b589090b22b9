import type { Document } from "domhandler";
import { findPageThread } from "../generators/find-page-thread.ts";
import { decodeLeftovers } from "../parse/decode-leftovers.ts";
import type { Post } from "../threads/find-thread.ts";
import { collectFacts } from "./collect.ts";
import { mayHoldDate, numberOrder } from "./date-text.ts";
import type { Candidate } from "./facts.ts";
import { readLinkedData, readLinkedText } from "./json-ld.ts";
import { findFirstAnswer, selectMainNodes, type Page } from "./rule.ts";
import { siteNameRules } from "./site.ts";
import { findHeadline, createSiteNameTest, shareWord, trimHeadline, stripSite } from "./title.ts";

/**
 * Collects everything for the rules: the walk, the linked data, and the site's and page's titles in
 * both.
 */
export function createPage(document: Document, url: string, fetchedAt?: number): Page {
  const facts = collectFacts(document);
  const metas = new Map<string, string[]>();
  for (const { key, content } of facts.metas) {
    const name = key.toLowerCase();
    const known = metas.get(name);
    if (known === undefined) metas.set(name, [content]);
    else if (!known.includes(content) && known.length < 100) known.push(content);
  }
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  const linked = readLinkedData(facts.jsonLd);
  const found = {
    url,
    host,
    facts,
    dated: {
      times: facts.times.filter(mayBeDate),
      dates: facts.dates.filter(mayBeDate),
      numberTexts: facts.numberTexts.filter(mayBeDate),
    },
    linked,
    main: selectMainNodes(linked),
    isFuture: createFutureTest(fetchedAt),
    order: numberOrder(facts.language, host),
    meta: (key: string) => metas.get(key.toLowerCase())?.[0],
    metaAll: (key: string) => metas.get(key.toLowerCase()) ?? [],
    findFirstPost: createFirstPostReader(document, (metas.get("generator") ?? []).join("\n")),
    siteName: undefined,
    isSiteName: () => false,
    titles: [],
    headline: undefined,
  };
  const siteName = findFirstAnswer(siteNameRules, found)?.value;
  const isSiteName = createSiteNameTest(siteName, host);
  const linkedTitle = found.main
    .map((node) => readLinkedText(node, "headline"))
    .find((text) => text !== undefined);
  const declared = orderTitles(found.meta("og:title"), facts.title)
    .concat([linkedTitle, found.meta("twitter:title")])
    .map((title) => decodeLeftovers((title ?? "").slice(0, 500)))
    .filter((title) => title !== "");
  const mainHeadings = facts.headings
    .filter(({ mark, place }) => mark === "h1" && place === "own")
    .map(({ value }) => value);
  const titles = declared
    .map((title) => stripSite(title, isSiteName, mainHeadings))
    .filter((title) => title !== "");
  const heading = findHeadline(facts, titles, isSiteName);
  const headline = heading && {
    ...heading,
    value: trimHeadline(heading.value, declared, titles, isSiteName),
  };
  return { ...found, siteName, isSiteName, titles, headline };
}

/** A shared title without a word of the page's title is the slogan of the site. */
function orderTitles(shared: string | undefined, own: string | undefined): (string | undefined)[] {
  const isSlogan = shared !== undefined && own !== undefined && !shareWord(shared, own);
  return isSlogan ? [own, shared] : [shared, own];
}

/** Finds the first post once per page, because two rules ask for it. */
function createFirstPostReader(document: Document, declared: string): Page["findFirstPost"] {
  let found: { readonly post: Post | undefined } | undefined;
  return () => (found ??= { post: findPageThread(document, declared)?.posts[0] }).post;
}

const DAY_MS = 86_400_000;

/** Returns a test for dates after a time. East of here it may already be the next day. */
function createFutureTest(fetchedAt: number | undefined): (date: string) => boolean {
  if (fetchedAt === undefined) return () => false;
  const last = new Date(fetchedAt + DAY_MS).toISOString().slice(0, 10);
  return (date) => date.slice(0, 10) > last;
}

const mayBeDate = ({ value }: Candidate): boolean => mayHoldDate(value);
