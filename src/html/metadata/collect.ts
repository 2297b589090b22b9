import { type ChildNode, type Document, type Element, isTag, isText } from "domhandler";
import { isDigit } from "./date-text.ts";
import { type Candidate, CONTENT_LANGUAGE, type PageFacts } from "./facts.ts";
import {
  classify,
  type Identity,
  NameCache,
  findLowTrustPlace,
  type Place,
  isAsideTag,
  readIdentity,
} from "./marks.ts";
import { readCharCode, measureLength } from "../parse/char-code-at.ts";
import { decodeLeftovers } from "../parse/decode-leftovers.ts";
import { getElementTagNumber } from "../parse/nodes.ts";
import { tagSet } from "../parse/tag-numbers.ts";
import { foldSpace, isBlank } from "../parse/tree.ts";
import { findNear, readShortText } from "./short-text.ts";

const LIMITS = {
  metas: 2_000,
  links: 500,
  jsonLdCharacters: 2_000_000,
  candidates: 60,
  metaCharacters: 20_000,
};
const SAMPLE_CHARACTERS = 1_500;
/** Elements that matter beyond their attributes. */
const SPECIAL_TAGS = tagSet(
  "html title base meta link script h1 h2 h3 time style template svg math iframe select textarea",
);
/** Minimum name length of custom elements that show a time. */
const MIN_WIDGET_NAME = "date-".length;

const WRITTEN =
  "written|posted|published|article|story|words|created|submitted|geschrieben|verfasst|escrito|publié|rédigé|scritto";
const BY = "by|von|par|por|di|door|av";
const AUTHOR = "author|authors|autor|autorin|autorin/autor|auteur|verfasser";
const BYLINE_WORD = `(?:(?:${WRITTEN})\\s+)?(?:${BY})|${AUTHOR}`;
const BYLINE = new RegExp(`^\\s*(?:${BYLINE_WORD})\\s*:?\\s+\\p{L}`, "iu");
const BYLINE_LEAD = new RegExp(`(?:^|[\\s|•·])(?:${BYLINE_WORD})\\s*:?\\s*$`, "iu");
/** "Sort by" and similar, and a "by" in the middle of prose: "inspired by", "and by". */
const NO_BYLINE_LEAD =
  /(?:^|\s)(?:sort|filter|shop|group|order|search|browse|refine|view|list)(?:ed)?\s+by\s*:?\s*$/i;
const PROSE_LEAD = new RegExp(
  `(?:^|\\s)(?!(?:${WRITTEN}|ago|am|pm|uhr|updated)\\s)\\p{Ll}{2,}[)\\]]?\\s+(?:${BY})\\s*:?\\s*$`,
  "u",
);
/** Encodes two letters as one number, ignoring case. */
const encodePair = (first: number, second: number): number => (first | 32) * 128 + (second | 32);
// Cheap tests before the expensive ones: starts and ends of the words above.
const BYLINE_STARTS = new Set(
  `${WRITTEN}|${BY}|${AUTHOR}`
    .split("|")
    .map((word) => encodePair(word.charCodeAt(0), word.charCodeAt(1))),
);
const BYLINE_ENDS = new Set(
  `${BY}|${AUTHOR}`
    .split("|")
    .map((word) => encodePair(word.charCodeAt(word.length - 2), word.charCodeAt(word.length - 1))),
);
/** A year, or numbers with a separator. Otherwise prices and model names would fill the list. */
const MAY_HOLD_DATE =
  /(?:19|20)\d\d|\d\s?[./|-]\s?\d|[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u0e50-\u0e59]{4}|\p{Script=Thai}\s?25\d\d|\p{Script=Arabic}\s?1[34]\d\d/u;
const STARTS_WITH_DATE = /^\s*[(|•·–-]?\s*(?:\p{L}{2,12}\.?,?\s+)?(?:\d{1,2}[.\s/]|\d{4}[-/.年])/u;

/**
 * Walks the document once, iteratively, in document order, and collects the facts for the rules.
 */
export function collectFacts(document: Document): PageFacts {
  return new Collector().walk(document);
}

class Collector {
  readonly #facts = {
    language: undefined as string | undefined,
    title: undefined as string | undefined,
    base: undefined as string | undefined,
    metas: [],
    links: [],
    jsonLd: [],
    headings: [],
    authors: [],
    times: [],
    dates: [],
    numberTexts: [],
    bylineTexts: [],
    sample: "",
  } satisfies PageFacts as PageFacts & { sample: string };
  readonly #sample: string[] = [];
  readonly #marks = new NameCache();
  /** The short text before, such as "Last updated", which names the kind of date that follows. */
  #label = "";
  #sampled = 0;
  #jsonLdLeft = LIMITS.jsonLdCharacters;
  #position = 0;
  #place: Place = "own";
  /** The open side part and comments. */
  #aside: Element | undefined;
  #comments: Element | undefined;
  #asideStart = 0;
  #hasMainHeading = false;
  /** Position of a text that ends in "by"; the name is in the next element. */
  #openByline: number | undefined;

  walk(document: Document): PageFacts {
    let node: ChildNode | null = document.children[0] ?? null;
    while (node !== null) {
      if (isText(node)) this.#readText(node.data);
      else if (isTag(node) && this.#enter(node)) {
        const first: ChildNode | undefined = node.children[0];
        if (first !== undefined) {
          node = first;
          continue;
        }
        this.#leave(node);
      }
      while (node.next === null && node.parent !== null && node.parent !== document) {
        node = node.parent as Element;
        this.#leave(node);
      }
      node = node.next;
    }
    this.#facts.sample = foldSpace(this.#sample.join(" ")).slice(0, SAMPLE_CHARACTERS);
    return this.#facts;
  }

  /** Reads an element. Returns false if its content can be skipped. */
  #enter(element: Element): boolean {
    this.#position++;
    const identity = readIdentity(element, this.#marks);
    if (this.#readElement(element, identity)) return false;
    if (this.#comments !== undefined) return true;
    const place = findLowTrustPlace(element, identity);
    if (place === "comments") {
      this.#place = place;
      this.#comments = element;
    } else if (place === "aside" && this.#aside === undefined) {
      this.#place = place;
      this.#aside = element;
      this.#asideStart = this.#position;
    }
    return true;
  }

  #leave(element: Element): void {
    if (element === this.#comments) {
      this.#comments = undefined;
      this.#place = this.#aside === undefined ? "own" : "aside";
    } else if (element === this.#aside) {
      this.#aside = undefined;
      this.#place = "own";
    }
  }

  /**
   * A part that contains the page's main heading is a layout with a side part (`with-sidebar`), not
   * one itself. Its candidates so far become the page's own.
   */
  #trustPartOfMainHeading(): void {
    if (this.#hasMainHeading) return;
    const aside = this.#aside;
    if (aside === undefined || this.#comments !== undefined) {
      this.#hasMainHeading = this.#place === "own";
      return;
    }
    if (isAsideTag(aside)) return;
    this.#hasMainHeading = true;
    this.#aside = undefined;
    this.#place = "own";
    const { headings, authors, times, dates, numberTexts, bylineTexts } = this.#facts;
    for (const list of [headings, authors, times, dates, numberTexts, bylineTexts])
      for (let at = list.length - 1; at >= 0; at--) {
        const candidate = list[at];
        if (candidate === undefined || candidate.position < this.#asideStart) break;
        list[at] = { ...candidate, place: "own" };
      }
  }

  #readText(text: string): void {
    const length = measureLength(text);
    if (length < 100 && isBlank(text)) return;
    const { bylineTexts, numberTexts } = this.#facts;
    if (this.#openByline !== undefined) {
      if (this.#position - this.#openByline < 8 && length < 100)
        this.#push(bylineTexts, `by ${foldSpace(text)}`, "text");
      this.#openByline = undefined;
    }
    if (length < 160 && !isFull(bylineTexts)) {
      if (mayBeByline(text) && BYLINE.test(text)) this.#push(bylineTexts, foldSpace(text), "text");
      else if (mayEndInByline(text) && endsInBy(text)) this.#openByline = this.#position;
    }
    if (length > 5 && !isFull(numberTexts)) this.#readNumbers(text, length);
    this.#label = length < 30 ? text : "";
    if (length > 40 && this.#sampled < SAMPLE_CHARACTERS && this.#place === "own") {
      this.#sample.push(text.slice(0, SAMPLE_CHARACTERS));
      this.#sampled += length;
    }
  }

  #readNumbers(text: string, length: number): void {
    const isShort = length < 120;
    const end = isShort ? length : 60;
    if (!hasDigit(text, end)) return;
    const opening = isShort ? text : text.slice(0, end);
    if (!MAY_HOLD_DATE.test(opening)) return;
    if (isShort) this.#push(this.#facts.numberTexts, foldSpace(text), `text ${this.#label.trim()}`);
    else if (STARTS_WITH_DATE.test(text))
      this.#push(this.#facts.numberTexts, foldSpace(opening), "text");
  }

  /** Reads an element's own facts. Returns true if its content can be skipped. */
  #readElement(element: Element, identity: Identity): boolean {
    const { name } = element;
    if (SPECIAL_TAGS[getElementTagNumber(element)] === 1)
      return this.#readSpeaking(element, identity);
    if (name.length >= MIN_WIDGET_NAME && name.includes("-") && !isFull(this.#facts.times))
      this.#readTimeWidget(element);
    this.#readMarked(element, identity);
    return false;
  }

  #readSpeaking(element: Element, identity: Identity): boolean {
    const { attribs, name } = element;
    switch (name) {
      case "html":
        this.#facts.language ??= attribs["lang"] ?? attribs["xml:lang"];
        return false;
      case "title":
        this.#facts.title ||= decodeLeftovers(readRawText(element));
        return true;
      case "base":
        this.#facts.base ??= attribs["href"];
        return false;
      case "meta":
        this.#readMeta(attribs);
        if (attribs["itemprop"] === "author") this.#readMarked(element, identity);
        return false;
      case "link":
        this.#readLink(attribs);
        return false;
      case "script":
        this.#readScript(element);
        return true;
      case "h1":
      case "h2":
      case "h3":
        if (name === "h1") this.#trustPartOfMainHeading();
        if (!isFull(this.#facts.headings))
          this.#push(this.#facts.headings, stripPermalink(readShortText(element, 500)), name);
        this.#readMarked(element, identity);
        return false;
      case "time":
        if (!isFull(this.#facts.times)) this.#readTime(element);
        return false;
      default:
        return true;
    }
  }

  #readMarked(element: Element, identity: Identity): void {
    const marked = classify(element, identity);
    if (marked === undefined) return;
    const { authors, dates } = this.#facts;
    if (isFull(marked.kind === "author" ? authors : dates)) return;
    const { attribs } = element;
    if (marked.kind === "author") {
      const named =
        marked.mark === "itemprop"
          ? findNear(element, (child) => child.attribs["itemprop"] === "name")
          : findNear(element, isName);
      const value =
        attribs["content"] ?? named?.attribs["content"] ?? readShortText(named ?? element, 200);
      this.#push(authors, value, marked.mark);
      return;
    }
    const machine =
      attribs["content"] ??
      attribs["datetime"] ??
      (element.name === "abbr" ? attribs["title"] : undefined);
    this.#push(
      dates,
      machine ?? readShortText(element, 150),
      `${marked.mark} ${this.#label.trim()}`,
    );
  }

  #readTime(element: Element): void {
    const { attribs } = element;
    const mark = `${this.#label.trim()} ${attribs["itemprop"] ?? ""} ${attribs["class"] ?? ""}${attribs["pubdate"] === undefined ? "" : " pubdate"}`;
    this.#push(this.#facts.times, attribs["datetime"] || readShortText(element, 100), mark);
  }

  /** Reads the timestamp of custom elements that show a relative time, such as `relative-time`. */
  #readTimeWidget({ name, attribs }: Element): void {
    if (!name.includes("time") && !name.includes("date")) return;
    const time = attribs["datetime"] ?? attribs["ts"];
    if (time !== undefined) this.#push(this.#facts.times, time, this.#label.trim());
  }

  #readMeta(attribs: Element["attribs"]): void {
    const { metas } = this.#facts;
    const content = attribs["content"]?.slice(0, LIMITS.metaCharacters);
    if (content === undefined || metas.length >= LIMITS.metas) return;
    const keys = new Set([attribs["name"], attribs["property"], attribs["itemprop"]]);
    // An author in microdata may belong to a work that the page cites; the rules check its
    // position.
    if (attribs["itemprop"] === "author" && attribs["name"] !== "author") keys.delete("author");
    for (const key of keys) {
      if (key !== undefined && key.trim() !== "")
        metas.push({ key: key.trim().slice(0, 300), content });
    }
    if (attribs["http-equiv"]?.toLowerCase() === "content-language")
      metas.push({ key: CONTENT_LANGUAGE, content });
  }

  #readLink(attribs: Element["attribs"]): void {
    const { rel, href } = attribs;
    if (rel === undefined || href === undefined || this.#facts.links.length >= LIMITS.links) return;
    this.#facts.links.push({ rel: rel.toLowerCase().trim(), href: href.trim() });
  }

  #readScript(element: Element): void {
    if (!/ld\+json/i.test(element.attribs["type"] ?? "")) return;
    const text = readRawText(element);
    this.#jsonLdLeft -= text.length;
    if (this.#jsonLdLeft >= 0) this.#facts.jsonLd.push(text);
  }

  #push(candidates: Candidate[], value: string, mark: string): void {
    if (value === "" || isFull(candidates)) return;
    candidates.push({ value, mark, position: this.#position, place: this.#place });
  }
}

const isFull = (candidates: readonly Candidate[]): boolean =>
  candidates.length >= LIMITS.candidates;

/** True if a text ends in a "by" whose name follows in the next element. */
function endsInBy(text: string): boolean {
  return BYLINE_LEAD.test(text) && !NO_BYLINE_LEAD.test(text) && !PROSE_LEAD.test(text);
}

/**
 * True if an element inside a byline contains only the name. A byline may also contain a role, a
 * picture or a biography.
 */
function isName({ attribs }: Element): boolean {
  const classes = attribs["class"];
  if (classes === undefined) return false;
  return /(?:^|[\s_-])(?:author|byline|writer)[_-]{1,2}(?:full-?)?name(?:$|\s)|(?:^|\s)(?:fn|p-name)(?:$|\s)/i.test(
    classes,
  );
}

/** Removes the permalink sign that documentation tools append to a heading. */
function stripPermalink(heading: string): string {
  return heading.replace(/(?:\s*[¶§⚓🔗⌗]\ufe0f?|\s#)$/u, "").trimEnd();
}

function mayBeByline(text: string): boolean {
  const length = measureLength(text);
  let at = 0;
  while (at < length && readCharCode(text, at) <= 32) at++;
  return mayBePair(text, at, BYLINE_STARTS);
}

function mayEndInByline(text: string): boolean {
  let at = measureLength(text) - 1;
  for (; at > 0; at--) {
    const code = readCharCode(text, at);
    if (code > 32 && code !== 58) break;
  }
  return mayBePair(text, at - 1, BYLINE_ENDS);
}

/** True if the two letters at a position are one of the pairs, or not ASCII and may fold to one. */
function mayBePair(text: string, at: number, pairs: ReadonlySet<number>): boolean {
  if (at < 0 || at + 1 >= measureLength(text)) return false;
  const first = readCharCode(text, at);
  const second = readCharCode(text, at + 1);
  return first >= 128 || second >= 128 || pairs.has(encodePair(first, second));
}

function hasDigit(text: string, end: number): boolean {
  for (let at = 0; at < end; at++) {
    if (isDigit(readCharCode(text, at))) return true;
  }
  return false;
}

function readRawText(element: Element): string {
  return element.children.map((child) => ("data" in child ? child.data : "")).join("");
}
