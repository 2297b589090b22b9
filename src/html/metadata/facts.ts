// One walk over the page gathers everything the rules look at. Every list is bounded, so hostile pages stay cheap.

import { type Document, type Element, isTag, isText } from "domhandler";
import { classify, isMuting } from "./marks.ts";
import { findNear, nextNode, shortText, squash } from "./short-text.ts";

export type MetaTag = { readonly key: string; readonly content: string };

/** Something on the page that could be an author or a date. `position` counts elements from the start. */
export type Candidate = {
  readonly value: string;
  /** What marked it: an itemprop, a rel, a class, the tag. */
  readonly mark: string;
  readonly position: number;
  /** Inside comments, related items, navigation, sidebar or footer. */
  readonly muted: boolean;
};

export type PageFacts = {
  language: string | undefined;
  title: string | undefined;
  readonly metas: MetaTag[];
  readonly links: { readonly rel: string; readonly href: string }[];
  readonly jsonLd: string[];
  base: string | undefined;
  readonly headings: Candidate[];
  readonly authors: Candidate[];
  readonly times: Candidate[];
  readonly dates: Candidate[];
  /** Text with a digit that may hold a date, for the last resort. */
  readonly numberTexts: Candidate[];
  /** Short texts that begin like a byline ("By …"). */
  readonly bylineTexts: Candidate[];
  /** The first few thousand characters of running text, for guessing the language. */
  sample: string;
};

const MOST = {
  metas: 2_000,
  links: 500,
  jsonLdCharacters: 2_000_000,
  candidates: 60,
  metaCharacters: 20_000,
};
const SAMPLE_CHARACTERS = 1_500;
const SKIPPED: ReadonlySet<string> = new Set([
  "style",
  "template",
  "svg",
  "math",
  "iframe",
  "select",
  "textarea",
]);
const BYLINE = /^\s*(?:by|von|par|por)\s+\p{L}/iu;
const COULD_BE_DATE = /\d\d/;

/** Walks the document once, iteratively, in document order. */
export function collectFacts(document: Document): PageFacts {
  const facts: PageFacts = {
    language: undefined,
    title: undefined,
    metas: [],
    links: [],
    jsonLd: [],
    base: undefined,
    headings: [],
    authors: [],
    times: [],
    dates: [],
    numberTexts: [],
    bylineTexts: [],
    sample: "",
  };
  const sample: string[] = [];
  let sampled = 0;
  let jsonLdLeft = MOST.jsonLdCharacters;
  let position = 0;
  let mutedUntil: Element | undefined;
  let mutedEnd: unknown;
  let node = nextNode(document, document, false);
  while (node !== undefined) {
    if (mutedUntil !== undefined && node === mutedEnd) mutedUntil = undefined;
    let skip = false;
    if (isText(node)) {
      const text = node.data;
      if (
        text.length > 5 &&
        text.length < 300 &&
        facts.numberTexts.length < MOST.candidates &&
        COULD_BE_DATE.test(text)
      ) {
        push(facts.numberTexts, {
          value: squash(text),
          mark: "text",
          position,
          muted: mutedUntil !== undefined,
        });
      }
      if (text.length < 120 && BYLINE.test(text)) {
        push(facts.bylineTexts, {
          value: squash(text),
          mark: "text",
          position,
          muted: mutedUntil !== undefined,
        });
      }
      if (sampled < SAMPLE_CHARACTERS && text.length > 40 && mutedUntil === undefined) {
        sample.push(text.slice(0, SAMPLE_CHARACTERS));
        sampled += text.length;
      }
    } else if (isTag(node)) {
      position++;
      if (node.name === "script") {
        if (/ld\+json/i.test(node.attribs["type"] ?? "")) {
          const text = rawText(node);
          jsonLdLeft -= text.length;
          if (jsonLdLeft >= 0) facts.jsonLd.push(text);
        }
        skip = true;
      } else if (SKIPPED.has(node.name)) {
        skip = true;
      } else {
        readElement(facts, node, position, mutedUntil !== undefined);
        if (mutedUntil === undefined && isMuting(node)) {
          mutedUntil = node;
          mutedEnd = nextNode(node, document, true);
        }
      }
    }
    node = nextNode(node, document, skip);
  }
  facts.sample = squash(sample.join(" ")).slice(0, SAMPLE_CHARACTERS);
  return facts;
}

function readElement(facts: PageFacts, element: Element, position: number, muted: boolean): void {
  const { attribs, name } = element;
  switch (name) {
    case "html":
      facts.language ??= attribs["lang"] ?? attribs["xml:lang"];
      return;
    case "title":
      if (facts.title === undefined || facts.title === "") facts.title = squash(rawText(element));
      return;
    case "base":
      facts.base ??= attribs["href"];
      return;
    case "meta":
      readMeta(facts, attribs);
      return;
    case "link":
      if (
        attribs["rel"] !== undefined &&
        attribs["href"] !== undefined &&
        facts.links.length < MOST.links
      ) {
        facts.links.push({
          rel: attribs["rel"].toLowerCase().trim(),
          href: attribs["href"].trim(),
        });
      }
      return;
    case "h1":
      push(facts.headings, {
        value: shortText(element, 500),
        mark: attribs["class"] ?? "",
        position,
        muted,
      });
      break;
    case "time":
      push(facts.times, {
        value: attribs["datetime"] ?? shortText(element, 100),
        mark: `${attribs["itemprop"] ?? ""} ${attribs["class"] ?? ""}${attribs["pubdate"] === undefined ? "" : " pubdate"}`,
        position,
        muted,
      });
      return;
    default:
  }
  readMarked(facts, element, position, muted);
}

function readMarked(facts: PageFacts, element: Element, position: number, muted: boolean): void {
  const marked = classify(element);
  if (marked === undefined) return;
  const { attribs } = element;
  if (marked.kind === "author") {
    const named =
      marked.mark === "itemprop"
        ? findNear(element, (child) => child.attribs["itemprop"] === "name")
        : undefined;
    const value =
      attribs["content"] ?? named?.attribs["content"] ?? shortText(named ?? element, 200);
    push(facts.authors, { value, mark: marked.mark, position, muted });
    return;
  }
  const value = attribs["content"] ?? attribs["datetime"] ?? shortText(element, 150);
  push(facts.dates, { value, mark: marked.mark, position, muted });
}

function readMeta(facts: PageFacts, attribs: Element["attribs"]): void {
  if (facts.metas.length >= MOST.metas) return;
  const content = attribs["content"]?.slice(0, MOST.metaCharacters);
  if (content === undefined) return;
  for (const key of new Set([attribs["name"], attribs["property"], attribs["itemprop"]])) {
    if (key !== undefined && key !== "")
      facts.metas.push({ key: key.trim().slice(0, 300), content });
  }
  const pragma = attribs["http-equiv"]?.toLowerCase();
  if (pragma === "content-language") facts.metas.push({ key: "\0content-language", content });
}

function push(list: Candidate[], candidate: Candidate): void {
  if (candidate.value !== "" && list.length < MOST.candidates) list.push(candidate);
}

function rawText(element: Element): string {
  return element.children.map((child) => ("data" in child ? child.data : "")).join("");
}
