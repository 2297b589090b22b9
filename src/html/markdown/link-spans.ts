// Links in a run of text: which become links, which only their text, and which nothing.
import { type Element } from "domhandler";
import { findElement, foldSpace, readText, type Visit } from "../parse/tree.ts";
import * as footnotes from "./footnotes.ts";
import type { ConversionState } from "./conversion-state.ts";
import type { RedundantLinks } from "./redundant-links.ts";
import { isBackToTop } from "./redundant-links.ts";
import * as labels from "./labels.ts";
import type { InlineRun } from "./inline.ts";
import { linkMark, type Mark, type MarkPath, withLink, removeMark } from "./marks.ts";
import { readImageText } from "./media.ts";
import type { LinkReferences } from "./link-references.ts";
import { type TreeFacts } from "./tree-facts.ts";
import { linkTarget } from "./target.ts";
import { isVisuallySeparate, isLabelled } from "./adjacent-elements.ts";
import type { MarkdownOptions } from "./markdown-options.ts";

type LinkSpansParts = {
  readonly options: MarkdownOptions;
  readonly state: ConversionState;
  readonly treeFacts: TreeFacts;
  readonly footnotes: footnotes.Footnotes;
  /** Collects the targets if they are written at the end. */
  readonly references: LinkReferences | undefined;
  readonly redundant: RedundantLinks;
};

export class LinkSpans {
  readonly #options: MarkdownOptions;
  readonly #state: ConversionState;
  readonly #treeFacts: TreeFacts;
  readonly #footnotes: footnotes.Footnotes;
  readonly #references: LinkReferences | undefined;
  readonly #redundant: RedundantLinks;

  constructor(parts: LinkSpansParts) {
    this.#options = parts.options;
    this.#state = parts.state;
    this.#treeFacts = parts.treeFacts;
    this.#footnotes = parts.footnotes;
    this.#references = parts.references;
    this.#redundant = parts.redundant;
  }

  link(element: Element): Visit {
    if (isVisuallySeparate(element)) this.#state.wordBoundary(isLabelled(element));
    const label = this.#footnotes.references.get(element);
    if (label !== undefined) {
      this.#state.run.raw(`[^${label}]`, removeMark(removeMark(this.#state.marks, "sup"), "link"));
      return "skip";
    }
    if (this.#state.notes > 0 && footnotes.isBackReference(element, this.#footnotes.places))
      return "skip";
    if (this.#state.headings > 0 && labels.isPermalink(element, true)) return "skip";
    const href = element.attribs["href"];
    if (href === undefined) return this.#state.into();
    const target = linkTarget(href, this.#options.base);
    if (isBackToTop(element, href)) return "skip";
    const inHeading = this.#state.headings > 0;
    if (target === undefined || this.#redundant.has(element, { href, target, inHeading }))
      return this.#state.into();
    if (labels.isOwnPicture(element, target)) return this.#state.into();
    const { links } = this.#options;
    // A heading would be left without its words, and a link around blocks is a part of the page.
    if (links === "none" && !inHeading && !this.#treeFacts.withBlocks.has(element)) return "skip";
    const outer = this.#state.marks;
    const outerHeading = this.#state.headingLink;
    const around =
      this.#state.allowsBlocks &&
      this.#treeFacts.withBlocks.has(element) &&
      foldSpace(readText(element, 1_000)) !== "";
    const tip = element.attribs["title"];
    const title = tip === undefined ? "" : foldSpace(tip);
    const isRepeat =
      this.#options.linkTitles === false ||
      (title !== "" && (target.endsWith(title) || title === foldSpace(readText(element, 500))));
    const { run } = this.#state;
    const open = { element, around, run, size: run.size, outer, outerHeading };
    const mark = linkMark(target, isRepeat ? "" : title, around, this.#references);
    if (links === "text" || links === "none")
      return this.#hasWords(element) ? this.#state.into() : this.#state.into(endLink, open);
    if (around && this.#treeFacts.withHeading.has(element)) this.#state.headingLink = mark;
    else this.#state.marks = withLink(outer, mark);
    return this.#state.into(endLink, open);
  }

  /** True if the text of a link is more than the label that it gives itself. */
  #hasWords(link: Element): boolean {
    if (foldSpace(readText(link, 1_000)) !== "") return true;
    if (this.#options.images !== "alt") return false;
    return findElement(link, (inner) => readImageText(inner) !== "") !== undefined;
  }
}

type OpenLink = {
  readonly element: Element;
  /** The link is around blocks. */
  readonly around: boolean;
  /** The run that it started in, and the size of that run then. */
  readonly run: InlineRun;
  readonly size: number;
  readonly outer: MarkPath;
  readonly outerHeading: Mark | undefined;
};

function endLink(state: ConversionState, link: OpenLink): void {
  if (!link.around && state.run === link.run && !link.run.hasContentSince(link.size)) {
    const text = labels.linkLabel(link.element);
    if (text !== "") link.run.text(text, state.marks);
  }
  state.marks = link.outer;
  state.headingLink = link.outerHeading;
}
