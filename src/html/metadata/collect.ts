import { type ChildNode, type Document, type Element, isTag, isText } from "domhandler";
import { type Candidate, CONTENT_LANGUAGE, type PageFacts } from "./facts.ts";
import {
  classify,
  type Identity,
  type MarkMemory,
  mutedPlace,
  type Place,
  readIdentity,
} from "./marks.ts";
import { isBlank, nextNode } from "../tree.ts";
import { findNear, shortText, squash } from "./short-text.ts";

const MOST = {
  metas: 2_000,
  links: 500,
  jsonLdCharacters: 2_000_000,
  candidates: 60,
  metaCharacters: 20_000,
};
const SAMPLE_CHARACTERS = 1_500;
const SKIPPED: ReadonlySet<string> = new Set([
  "style", "template", "svg", "math", "iframe", "select", "textarea",
]); // prettier-ignore

const BYLINE_WORD =
  "(?:(?:written|posted|published|article|story|words|created|submitted|geschrieben|verfasst|escrito|publié|rédigé|scritto)\\s+)?(?:by|von|par|por|di|door|av)|author|autor|autorin|auteur|verfasser";
const BYLINE = new RegExp(`^\\s*(?:${BYLINE_WORD})\\s*:?\\s+\\p{L}`, "iu");
const BYLINE_LEAD = new RegExp(`(?:^|[\\s|•·])(?:${BYLINE_WORD})\\s*:?\\s*$`, "iu");
/** "Sort by" and its like, and a "by" in the middle of prose: "inspired by", "and by". */
const NO_BYLINE_LEAD =
  /(?:^|\s)(?:sort|filter|shop|group|order|search|browse|refine|view|list)(?:ed)?\s+by\s*:?\s*$/i;
const PROSE_LEAD =
  /(?:^|\s)(?!(?:written|posted|published|article|story|words|created|submitted|geschrieben|verfasst|escrito|publié|rédigé|scritto|ago|am|pm|uhr|updated)\s)\p{Ll}{2,}[)\]]?\s+(?:by|von|par|por|di|door|av)\s*:?\s*$/u;
// Cheap tests before the dear ones: the first and the last letters of all the words above.
const BYLINE_FIRST = "abcdegprsvw";
const BYLINE_LAST = "ynirv";
/** A year, or numbers with something between them: else a text is a price or the name of a model, and would fill the list. */
const MAY_HOLD_DATE = /(?:19|20)\d\d|\d\s?[./|-]\s?\d/;
const STARTS_WITH_DATE = /^\s*[(|•·–-]?\s*(?:\p{L}{2,12}\.?,?\s+)?(?:\d{1,2}[.\s/]|\d{4}[-/.年])/u;

/** Walks the document once, iteratively, in document order, and gathers what the rules look at. */
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
  readonly #marks: MarkMemory = new Map();
  /** The short text before, such as "Last updated": what stands beside a date says what kind of date it is. */
  #label = "";
  #sampled = 0;
  #jsonLdLeft = MOST.jsonLdCharacters;
  #position = 0;
  #place: Place = "own";
  /** Position of a text that ends in "by": the name is in the next element. */
  #openByline: number | undefined;

  walk(document: Document): PageFacts {
    // The node after a side part and after comments: from there on the page's own part goes on.
    let asideEnd: ChildNode | null | undefined;
    let commentsEnd: ChildNode | null | undefined;
    let node = nextNode(document, document);
    while (node !== null) {
      if (node === commentsEnd) this.#place = asideEnd === undefined ? "own" : "aside";
      if (node === asideEnd) {
        asideEnd = undefined;
        this.#place = "own";
      }
      let skip = false;
      if (isText(node)) this.#readText(node.data);
      else if (isTag(node)) {
        this.#position++;
        const identity = readIdentity(node, this.#marks);
        skip = this.#readElement(node, identity);
        const place = this.#place === "comments" ? "own" : mutedPlace(node, identity);
        if (place === "comments") {
          this.#place = place;
          commentsEnd = nextNode(node, document, true);
        } else if (place === "aside" && this.#place === "own") {
          this.#place = place;
          asideEnd = nextNode(node, document, true);
        }
      }
      node = nextNode(node, document, skip);
    }
    this.#facts.sample = squash(this.#sample.join(" ")).slice(0, SAMPLE_CHARACTERS);
    return this.#facts;
  }

  #readText(text: string): void {
    const { length } = text;
    if (length < 100 && isBlank(text)) return;
    if (this.#openByline !== undefined) {
      if (this.#position - this.#openByline < 8 && length < 100)
        this.#push("bylineTexts", `by ${squash(text)}`, "text");
      this.#openByline = undefined;
    }
    if (length < 160 && !this.#isFull("bylineTexts")) {
      if (mayBeByline(text) && BYLINE.test(text)) this.#push("bylineTexts", squash(text), "text");
      else if (mayEndInByline(text) && opensByline(text)) this.#openByline = this.#position;
    }
    if (
      length > 5 &&
      !this.#isFull("numberTexts") &&
      MAY_HOLD_DATE.test(length < 120 ? text : text.slice(0, 60))
    ) {
      if (length < 120) this.#push("numberTexts", squash(text), `text ${this.#label}`);
      else if (STARTS_WITH_DATE.test(text))
        this.#push("numberTexts", squash(text.slice(0, 60)), "text");
    }
    this.#label = length < 30 ? text.trim() : "";
    if (length > 40 && this.#sampled < SAMPLE_CHARACTERS && this.#place === "own") {
      this.#sample.push(text.slice(0, SAMPLE_CHARACTERS));
      this.#sampled += length;
    }
  }

  /** Takes what an element says; true when nothing inside it needs looking at. */
  #readElement(element: Element, identity: Identity): boolean {
    const { attribs, name } = element;
    switch (name) {
      case "html":
        this.#facts.language ??= attribs["lang"] ?? attribs["xml:lang"];
        return false;
      case "title":
        this.#facts.title ||= squash(rawText(element));
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
        if (!this.#isFull("headings"))
          this.#push("headings", withoutPermalink(shortText(element, 500)), name);
        break;
      case "time":
        if (!this.#isFull("times")) this.#readTime(element);
        return false;
      default:
        if (SKIPPED.has(name)) return true;
        if (name.includes("-") && !this.#isFull("times")) this.#readTimeWidget(element);
    }
    this.#readMarked(element, identity);
    return false;
  }

  #readMarked(element: Element, identity: Identity): void {
    const marked = classify(element, identity);
    if (marked === undefined || this.#isFull(marked.kind === "author" ? "authors" : "dates"))
      return;
    const { attribs } = element;
    if (marked.kind === "author") {
      const named =
        marked.mark === "itemprop"
          ? findNear(element, (child) => child.attribs["itemprop"] === "name")
          : findNear(element, isName);
      const value =
        attribs["content"] ?? named?.attribs["content"] ?? shortText(named ?? element, 200);
      this.#push("authors", value, marked.mark);
      return;
    }
    const machine =
      attribs["content"] ??
      attribs["datetime"] ??
      (element.name === "abbr" ? attribs["title"] : undefined);
    this.#push("dates", machine ?? shortText(element, 150), `${marked.mark} ${this.#label}`);
  }

  #readTime(element: Element): void {
    const { attribs } = element;
    const mark = `${this.#label} ${attribs["itemprop"] ?? ""} ${attribs["class"] ?? ""}${attribs["pubdate"] === undefined ? "" : " pubdate"}`;
    this.#push("times", attribs["datetime"] || shortText(element, 100), mark);
  }

  /** Custom elements that show how long ago something was, such as `relative-time`, carry the time itself. */
  #readTimeWidget({ name, attribs }: Element): void {
    if (!name.includes("time") && !name.includes("date")) return;
    const time = attribs["datetime"] ?? attribs["ts"];
    if (time !== undefined) this.#push("times", time, this.#label);
  }

  #readMeta(attribs: Element["attribs"]): void {
    const { metas } = this.#facts;
    const content = attribs["content"]?.slice(0, MOST.metaCharacters);
    if (content === undefined || metas.length >= MOST.metas) return;
    const keys = new Set([attribs["name"], attribs["property"], attribs["itemprop"]]);
    // As microdata an author may be that of a work the page cites; the rules look at those where they stand.
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
    if (rel === undefined || href === undefined || this.#facts.links.length >= MOST.links) return;
    this.#facts.links.push({ rel: rel.toLowerCase().trim(), href: href.trim() });
  }

  #readScript(element: Element): void {
    if (!/ld\+json/i.test(element.attribs["type"] ?? "")) return;
    const text = rawText(element);
    this.#jsonLdLeft -= text.length;
    if (this.#jsonLdLeft >= 0) this.#facts.jsonLd.push(text);
  }

  #isFull(list: CandidateList): boolean {
    return this.#facts[list].length >= MOST.candidates;
  }

  #push(list: CandidateList, value: string, mark: string): void {
    const candidates: Candidate[] = this.#facts[list];
    if (value === "" || this.#isFull(list)) return;
    candidates.push({ value, mark, position: this.#position, place: this.#place });
  }
}

/** Whether a text ends in the "by" that an author follows in the next element. */
function opensByline(text: string): boolean {
  return BYLINE_LEAD.test(text) && !NO_BYLINE_LEAD.test(text) && !PROSE_LEAD.test(text);
}

/** Whether an element inside a byline holds the name alone: beside it there may be a role, a picture, a biography. */
function isName({ attribs }: Element): boolean {
  const classes = attribs["class"];
  if (classes === undefined) return false;
  return /(?:^|[\s_-])(?:author|byline|writer)[_-]{1,2}(?:full-?)?name(?:$|\s)|(?:^|\s)(?:fn|p-name)(?:$|\s)/i.test(
    classes,
  );
}

/** A heading without the sign of the link to it that documentation tools put at its end. */
function withoutPermalink(heading: string): string {
  return heading.replace(/(?:\s*[¶§⚓🔗⌗]\ufe0f?|\s#)$/u, "").trimEnd();
}

type CandidateList = "headings" | "authors" | "times" | "dates" | "numberTexts" | "bylineTexts";

function mayBeByline(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32) continue;
    return code >= 128 || BYLINE_FIRST.includes(text.charAt(at).toLowerCase());
  }
  return false;
}

function mayEndInByline(text: string): boolean {
  for (let at = text.length - 1; at >= 0; at--) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 58) continue;
    return code >= 128 || BYLINE_LAST.includes(text.charAt(at).toLowerCase());
  }
  return false;
}

function rawText(element: Element): string {
  return element.children.map((child) => ("data" in child ? child.data : "")).join("");
}
