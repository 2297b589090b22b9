// Converts an HTML tree to GitHub-flavoured Markdown in one walk: text collects in a run until its
// block ends, and blocks go to the writer. Each kind of content has its own file in this folder.
import type { MarkdownOptions } from "./markdown-options.ts";
import { LinkSpans } from "./link-spans.ts";
import {
  type ChildNode,
  type Element,
  isTag,
  isText,
  type ParentNode,
  type Text,
} from "domhandler";
import {
  readAttribute,
  foldSpace,
  isBlank,
  readText,
  type TreeVisitor,
  type Visit,
  visitTree,
} from "../parse/tree.ts";
import { readCode } from "./code-block.ts";
import { isArtifact, NOTABLE } from "./artifacts.ts";
import { type ElementMeaning, getMeaning, resolveName } from "./elements.ts";
import * as footnotes from "./footnotes.ts";
import type { BlockWriter, TopBlock } from "./block-writer.ts";
import { ConversionState } from "./conversion-state.ts";
import { getHeadingLevel, openHeading } from "./headings.ts";
import { RedundantLinks } from "./redundant-links.ts";
import { getClassNumber } from "../parse/nodes.ts";
import * as noteMarks from "../clean/note-marks.ts";
import * as labels from "./labels.ts";
import { linkMark, type MarkPath, withLink, withMark, removeMark } from "./marks.ts";
import { findFormula, isDrawnFormula, mayBeFormula, toMath } from "./math.ts";
import {
  type ImageOptions,
  readImageText,
  isFrame,
  isPicture,
  findMediaLink,
  toImage,
} from "./media.ts";
import { LinkReferences } from "./link-references.ts";
import { hasDrawnBox, ListBlocks } from "./lists.ts";
import { hasOnlyLinks } from "./only-links.ts";
import { type TreeFacts, collectTreeFacts } from "./tree-facts.ts";
import { TableBlocks } from "./table-blocks.ts";
import { hasClass, isVisuallySeparate, isLabelled } from "./adjacent-elements.ts";

/**
 * Converts everything below `root` to Markdown. Deterministic, never throws, linear in the size of
 * the tree.
 */
export function toMarkdown(root: ParentNode, options: MarkdownOptions = {}): string {
  const writer = new MarkdownWriter(root, options);
  return writer.write(root).toString();
}

/** Converts everything below `root` to Markdown, as a list of its top-level blocks. */
export function toMarkdownBlocks(root: ParentNode, options: MarkdownOptions = {}): TopBlock[] {
  const writer = new MarkdownWriter(root, options);
  return writer.write(root).toBlocks();
}

class MarkdownWriter implements TreeVisitor {
  readonly #options: MarkdownOptions;
  readonly #images: ImageOptions;
  readonly #references: LinkReferences | undefined;
  readonly #treeFacts: TreeFacts;
  readonly #links: LinkSpans;
  readonly #footnotes: footnotes.Footnotes;
  /** Label of a note without any text so far. */
  #freshNote: string | undefined;
  readonly #state: ConversionState;
  readonly #lists: ListBlocks;
  readonly #tables: TableBlocks;
  /** Cache of block kind and notability by class attribute, because pages repeat the same few. */
  readonly #kinds = new Map<string, BlockKind>();
  readonly #notable: boolean[] = [];

  constructor(root: ParentNode, options: MarkdownOptions) {
    this.#options = options;
    const { base, removeBase64Images = false, linkTitles = true } = options;
    this.#images = { base, removeBase64Images, linkTitles };
    this.#references = options.links === "reference" ? new LinkReferences() : undefined;
    this.#state = new ConversionState(options);
    this.#treeFacts = collectTreeFacts(root, options.base);
    this.#footnotes = footnotes.findFootnotes(this.#treeFacts);
    this.#links = new LinkSpans({
      options,
      state: this.#state,
      treeFacts: this.#treeFacts,
      footnotes: this.#footnotes,
      references: this.#references,
      redundant: new RedundantLinks(root, options.base, options.page),
    });
    this.#lists = new ListBlocks(this.#state, this.#treeFacts);
    this.#tables = new TableBlocks(this.#state, this.#treeFacts);
  }

  write(root: ParentNode): BlockWriter {
    visitTree(root, this);
    this.#state.flush();
    const definitions = this.#references?.write() ?? "";
    if (definitions !== "") this.#state.writer.block("paragraph", definitions);
    return this.#state.writer;
  }

  enter(node: ChildNode): boolean {
    if (isText(node)) {
      this.#writeText(node);
      return false;
    }
    if (!isTag(node)) return false;
    const { name } = node;
    const isNotable = this.#isNotable(node);
    if (isNotable || mayBeFormula(name)) {
      if (isDrawnFormula(node)) return false;
      const formula = findFormula(node);
      if (formula !== undefined) {
        this.#state.formula(toMath(formula), formula.display);
        return false;
      }
    }
    if (getMeaning(node, name).isSilent || labels.isRepeat(node)) return false;
    if (hasClass(node) && isArtifact(node, isNotable, this.#state)) return false;
    if (this.#footnotes.notes.size > 0 && this.#state.allowsBlocks) {
      if (this.#footnotes.heads.has(node)) return false;
      if (this.#footnotes.notes.has(node)) return this.#note(node) === "children";
    }
    return this.#enterElement(node, resolveName(node)) === "children";
  }

  #isNotable(element: Element): boolean {
    const number = getClassNumber(element);
    if (number === 0) return false;
    if (number < 0) return NOTABLE.test(readAttribute(element, "class"));
    return (this.#notable[number] ??= NOTABLE.test(readAttribute(element, "class")));
  }

  #writeText(text: Text): void {
    let { data } = text;
    if (this.#freshNote !== undefined && !isBlank(data)) {
      data = footnotes.stripLabel(text, this.#freshNote);
      this.#freshNote = undefined;
    }
    this.#state.text(data);
  }

  leave(): void {
    this.#state.leave();
  }

  #enterElement(element: Element, name: string): Visit {
    switch (name) {
      case "a":
        return this.#links.link(element);
      case "br":
        if (!this.#lists.breakTerm()) this.#state.lineBreak();
        return "skip";
      case "img":
        this.#writeImage(element);
        return "skip";
      case "pre":
        this.#state.codeBlock(element);
        return "skip";
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        return this.#lists.list(element);
      case "li":
        if (this.#options.links === "none" && hasOnlyLinks(element, this.#treeFacts.withBlocks))
          return "skip";
        return this.#lists.item(element);
      case "blockquote":
        return labels.isCodeFrame(element) ? this.#block(element) : this.#state.quote();
      case "hr":
        this.#state.edge();
        if (this.#state.allowsBlocks)
          this.#state.writer.block("rule", this.#state.writer.isInItem ? "***" : "---");
        return "skip";
      case "table":
        return this.#tables.table(element);
      case "tr":
      case "td":
      case "th":
      case "caption":
        return this.#tables.part(element);
      case "dl":
        return this.#lists.terms(element) ?? this.#block(element);
      case "dt":
      case "dd":
        return this.#lists.definition(element);
      case "cite":
        if (!labels.isQuoteAuthor(element)) break;
        return this.#block(element);
      case "summary":
        return isDetails(element.parent) ? this.#state.titled() : this.#block(element);
      case "input":
        this.#lists.task(element);
        return "skip";
      case "iframe":
      case "video":
      case "audio":
      case "embed":
        this.#writeMedia(element);
        return "skip";
      case "object":
        if (element.children.length > 0) return this.#state.into();
        this.#writeMedia(element);
        return "skip";
      case "button":
        return labels.isToolButton(element) ? "skip" : this.#state.into();
      case "q":
        this.#state.run.text("“", this.#state.marks);
        return this.#state.into(addText, "”");
      case "rt":
        this.#state.run.text("(", this.#state.marks);
        return this.#state.into(addText, ")");
      default:
    }
    const { isBlock, isCode, mark, level: named } = getMeaning(element, name);
    const level = getHeadingLevel(element, named);
    if (level > 0)
      return labels.isNoteTitle(element)
        ? this.#state.titled()
        : openHeading(this.#state, level, element);
    if (isCode) return this.#writeInlineCode(element);
    if (this.#state.code === 0 && isVisuallySeparate(element))
      this.#state.wordBoundary(isLabelled(element));
    if (name === "i" && this.#lists.icon(element)) return "skip";
    if (mark !== undefined) return this.#enterMark(element, mark);
    if (isBlock) return this.#block(element);
    return this.#state.into();
  }

  #enterMark(element: Element, kind: NonNullable<ElementMeaning["mark"]>): Visit {
    if (this.#state.code > 0 || labels.isWholeReference(element)) return this.#state.into();
    if (kind === "sup") {
      if (footnotes.isRaisedReference(element, this.#footnotes.references)) {
        for (const child of element.children) if (isTag(child)) this.#links.link(child);
        return "skip";
      }
      if (labels.isOnlyLink(element)) return this.#state.into();
    }
    if (/font-(?:weight|style):\s*(?:normal|400)/i.test(readAttribute(element, "style")))
      return this.#state.into();
    const outer = this.#state.marks;
    // Nested <strong> is intended; <b> in <strong> is left over from editors.
    this.#state.marks = withMark(
      outer,
      kind,
      element.name === kind && (kind === "em" || (kind === "strong" && !this.#lists.isInTerm)),
    );
    return this.#state.into(restoreMarks, outer);
  }

  #writeInlineCode(element: Element): Visit {
    if (this.#state.allowsBlocks && this.#state.code === 0 && hasBreak(element)) {
      const code = readCode(element);
      if (/\n./.test(code.trim())) {
        this.#state.codeBlock(element);
        return "skip";
      }
    }
    this.#state.code++;
    return this.#state.into(endCode, undefined);
  }

  #block(element: Element): Visit {
    if (isFrame(element) && element.children.length === 0) {
      this.#state.edge();
      this.#writeMedia(element);
    }
    const classes = element.attribs["class"];
    if (classes !== undefined) {
      let kind = this.#kinds.get(classes);
      if (kind === undefined) {
        kind = classifyBlock(classes);
        this.#kinds.set(classes, kind);
      }
      if (
        kind === "drawing" &&
        this.#state.allowsBlocks &&
        foldSpace(readText(element, 10)) !== ""
      ) {
        this.#state.codeBlock(element);
        return "skip";
      }
      if (kind === "title") return this.#state.titled();
      if (kind === "note") return this.#state.quote();
      if (kind === "box" && element.children.length === 0) return "skip";
    }
    this.#state.edge();
    return this.#state.intoBlock();
  }

  #note(element: Element): Visit {
    this.#state.edge();
    this.#state.notes++;
    const label = this.#footnotes.notes.get(element);
    this.#freshNote = element.name === "li" ? undefined : label;
    this.#state.writer.open("footnote", `[^${label}]: `, "    ", false);
    return this.#state.into(endNote, undefined);
  }

  #writeImage(element: Element): void {
    const { images } = this.#options;
    if (images === "none") return;
    if (images === "alt") {
      const words = readImageText(element);
      if (words !== "") this.#state.run.phrase(words, this.#state.marks);
      return;
    }
    const text = toImage(element, this.#images);
    if (text === "") return;
    const once = this.#state.marks.find((mark) => mark.once);
    // A link around blocks belongs to their first text; a picture above the text stays unlinked.
    this.#state.run.raw(
      text,
      once === undefined ? this.#state.marks : removeMark(this.#state.marks, "link"),
    );
  }

  #writeMedia(element: Element): void {
    if (isPicture(element)) {
      this.#writeImage(element);
      return;
    }
    const link = findMediaLink(element, this.#options.base);
    if (link === undefined) return;
    const { links } = this.#options;
    if (links === "none") return;
    const mark = linkMark(link.target, link.title, false, this.#references);
    const { marks } = this.#state;
    this.#state.edge();
    this.#state.run.text(link.text, links === "text" ? marks : withLink(marks, mark));
    this.#state.edge();
  }
}

type BlockKind = "drawing" | "title" | "note" | "box" | "plain";

function classifyBlock(classes: string): BlockKind {
  if (/(?:^|\s)mermaid(?:\s|$)/.test(classes)) return "drawing";
  if (noteMarks.isAdmonitionTitle(classes)) return "title";
  if (hasDrawnBox(classes)) return "box";
  return noteMarks.isAdmonition(classes) ? "note" : "plain";
}

function addText(state: ConversionState, text: string): void {
  state.run.text(text, state.marks);
}

function restoreMarks(state: ConversionState, outer: MarkPath): void {
  state.marks = outer;
}

function endCode(state: ConversionState): void {
  state.code--;
}

function endNote(state: ConversionState): void {
  state.flush();
  state.writer.close();
  state.notes--;
}

const isDetails = (parent: ParentNode | null): boolean =>
  parent !== null && isTag(parent) && parent.name === "details";

function hasBreak({ children }: Element): boolean {
  for (const child of children) if (isTag(child) && child.name === "br") return true;
  return false;
}
