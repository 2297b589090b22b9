// Converts an HTML tree to GitHub-flavoured Markdown in one walk: text collects in a run until its
// block ends, and blocks go to the writer. Each kind of content has its own file in this folder.
import {
  type ChildNode,
  type Element,
  isTag,
  isText,
  type ParentNode,
  type Text,
} from "domhandler";
import {
  attributeOf,
  foldSpace,
  isBlank,
  textOf,
  type TreeVisitor,
  type Visit,
  visitTree,
} from "../parse/tree.ts";
import { codeText } from "./code-block.ts";
import { isDebris, NOTABLE } from "./debris.ts";
import { type Meaning, meaningOf, meantName } from "./elements.ts";
import * as footnotes from "./footnotes.ts";
import { Flow } from "./flow.ts";
import { levelOf, openHeading } from "./headings.ts";
import { IdleLinks, isWayUp } from "./idle-links.ts";
import { classNumberOf } from "../parse/nodes.ts";
import * as noteMarks from "../clean/note-marks.ts";
import * as labels from "./labels.ts";
import type { InlineRun } from "./inline.ts";
import { linkMark, type Mark, type MarkPath, withLink, withMark, withoutMark } from "./marks.ts";
import { formulaOf, isDrawnFormula, mayBeFormula, toMath } from "./math.ts";
import { isFrame, isPicture, mediaLink, toImage } from "./media.ts";
import { isDrawnBox, ListBlocks } from "./lists.ts";
import { type Survey, surveyTree } from "./survey.ts";
import { TableBlocks } from "./table-blocks.ts";
import { linkTarget } from "./target.ts";
import { isClassed, isDrawnApart, isLabelled } from "./seams.ts";

export type MarkdownOptions = {
  /** Base for relative addresses. Without it they stay as written. */
  readonly base?: string | undefined;
  /** Address of the page itself. Links to it become plain text. */
  readonly page?: string | undefined;
  readonly removeBase64Images?: boolean;
};

/**
 * Converts everything below `root` to Markdown. Deterministic, never throws, linear in the size of
 * the tree.
 */
export function toMarkdown(root: ParentNode, options: MarkdownOptions = {}): string {
  const writer = new MarkdownWriter(root, options);
  return writer.write(root);
}

class MarkdownWriter implements TreeVisitor {
  readonly #options: MarkdownOptions;
  readonly #images: { base: string | undefined; removeBase64Images: boolean };
  readonly #survey: Survey;
  readonly #idleLinks: IdleLinks;
  readonly #footnotes: footnotes.Footnotes;
  /** Label of a note without any text so far. */
  #freshNote: string | undefined;
  readonly #flow = new Flow();
  readonly #lists: ListBlocks;
  readonly #tables: TableBlocks;
  /** Cache of block kind and notability by class attribute, because pages repeat the same few. */
  readonly #kinds = new Map<string, BlockKind>();
  readonly #notable: boolean[] = [];

  constructor(root: ParentNode, options: MarkdownOptions) {
    this.#options = options;
    this.#images = { base: options.base, removeBase64Images: options.removeBase64Images ?? false };
    this.#survey = surveyTree(root, options.base);
    this.#idleLinks = new IdleLinks(options.base, options.page);
    this.#footnotes = footnotes.findFootnotes(this.#survey);
    this.#lists = new ListBlocks(this.#flow, this.#survey);
    this.#tables = new TableBlocks(this.#flow, this.#survey);
  }

  write(root: ParentNode): string {
    visitTree(root, this);
    this.#flow.flush();
    return this.#flow.writer.toString();
  }

  enter(node: ChildNode): boolean {
    if (isText(node)) {
      this.#text(node);
      return false;
    }
    if (!isTag(node)) return false;
    const { name } = node;
    const isNotable = this.#isNotable(node);
    if (isNotable || mayBeFormula(name)) {
      if (isDrawnFormula(node)) return false;
      const formula = formulaOf(node);
      if (formula !== undefined) {
        this.#flow.formula(toMath(formula), formula.display);
        return false;
      }
    }
    if (meaningOf(node, name).isSilent || labels.isEcho(node)) return false;
    if (isClassed(node) && isDebris(node, isNotable, this.#flow)) return false;
    if (this.#footnotes.notes.size > 0 && this.#flow.isFlow) {
      if (this.#footnotes.heads.has(node)) return false;
      if (this.#footnotes.notes.has(node)) return this.#note(node) === "children";
    }
    return this.#element(node, meantName(node)) === "children";
  }

  #isNotable(element: Element): boolean {
    const number = classNumberOf(element);
    if (number === 0) return false;
    if (number < 0) return NOTABLE.test(attributeOf(element, "class"));
    return (this.#notable[number] ??= NOTABLE.test(attributeOf(element, "class")));
  }

  #text(text: Text): void {
    let { data } = text;
    if (this.#freshNote !== undefined && !isBlank(data)) {
      data = footnotes.withoutLabel(text, this.#freshNote);
      this.#freshNote = undefined;
    }
    this.#flow.text(data);
  }

  leave(): void {
    this.#flow.leave();
  }

  #element(element: Element, name: string): Visit {
    switch (name) {
      case "a":
        return this.#link(element);
      case "br":
        if (!this.#lists.breakTerm()) this.#flow.lineBreak();
        return "skip";
      case "img":
        this.#image(element);
        return "skip";
      case "pre":
        this.#flow.codeBlock(element);
        return "skip";
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        return this.#lists.list(element);
      case "li":
        return this.#lists.item(element);
      case "blockquote":
        return labels.isCodeFrame(element) ? this.#block(element) : this.#flow.quote();
      case "hr":
        this.#flow.edge();
        if (this.#flow.isFlow)
          this.#flow.writer.block("rule", this.#flow.writer.isInItem ? "***" : "---");
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
        if (!labels.opensQuote(element)) break;
        return this.#block(element);
      case "summary":
        return isDetails(element.parent) ? this.#flow.titled() : this.#block(element);
      case "input":
        this.#lists.task(element);
        return "skip";
      case "iframe":
      case "video":
      case "audio":
      case "embed":
        this.#media(element);
        return "skip";
      case "object":
        if (element.children.length > 0) return this.#flow.into();
        this.#media(element);
        return "skip";
      case "button":
        return labels.isToolButton(element) ? "skip" : this.#flow.into();
      case "q":
        this.#flow.run.text("“", this.#flow.marks);
        return this.#flow.into(addText, "”");
      case "rt":
        this.#flow.run.text("(", this.#flow.marks);
        return this.#flow.into(addText, ")");
      default:
    }
    const { isBlock, isCode, mark, level: named } = meaningOf(element, name);
    const level = levelOf(element, named);
    if (level > 0)
      return labels.isNoteTitle(element) ? this.#flow.titled() : openHeading(this.#flow, level);
    if (isCode) return this.#inlineCode(element);
    if (this.#flow.code === 0 && isDrawnApart(element)) this.#flow.seam(isLabelled(element));
    if (name === "i" && this.#lists.icon(element)) return "skip";
    if (mark !== undefined) return this.#marked(element, mark);
    if (isBlock) return this.#block(element);
    return this.#flow.into();
  }

  #marked(element: Element, kind: NonNullable<Meaning["mark"]>): Visit {
    if (this.#flow.code > 0 || labels.isWholeReference(element)) return this.#flow.into();
    if (kind === "sup") {
      if (footnotes.isRaisedReference(element, this.#footnotes.references)) {
        for (const child of element.children) if (isTag(child)) this.#link(child);
        return "skip";
      }
      if (labels.isOnlyLink(element)) return this.#flow.into();
    }
    if (/font-(?:weight|style):\s*(?:normal|400)/i.test(attributeOf(element, "style")))
      return this.#flow.into();
    const outer = this.#flow.marks;
    // Nested <strong> is intended; <b> in <strong> is left over from editors.
    this.#flow.marks = withMark(
      outer,
      kind,
      element.name === kind && (kind === "em" || (kind === "strong" && !this.#lists.isInTerm)),
    );
    return this.#flow.into(restoreMarks, outer);
  }

  #inlineCode(element: Element): Visit {
    if (this.#flow.isFlow && this.#flow.code === 0 && hasBreak(element)) {
      const code = codeText(element);
      if (/\n./.test(code.trim())) {
        this.#flow.codeBlock(element);
        return "skip";
      }
    }
    this.#flow.code++;
    return this.#flow.into(endCode, undefined);
  }

  #block(element: Element): Visit {
    if (isFrame(element)) {
      this.#flow.edge();
      this.#media(element);
    }
    const classes = element.attribs["class"];
    if (classes !== undefined) {
      let kind = this.#kinds.get(classes);
      if (kind === undefined) {
        kind = kindOf(classes);
        this.#kinds.set(classes, kind);
      }
      if (kind === "drawing" && this.#flow.isFlow && foldSpace(textOf(element, 10)) !== "") {
        this.#flow.codeBlock(element);
        return "skip";
      }
      if (kind === "title") return this.#flow.titled();
      if (kind === "note") return this.#flow.quote();
      if (kind === "box" && element.children.length === 0) return "skip";
    }
    this.#flow.edge();
    return this.#flow.intoBlock();
  }

  #note(element: Element): Visit {
    this.#flow.edge();
    this.#flow.notes++;
    const label = this.#footnotes.notes.get(element);
    this.#freshNote = element.name === "li" ? undefined : label;
    this.#flow.writer.open("footnote", `[^${label}]: `, "    ", false);
    return this.#flow.into(endNote, undefined);
  }

  #link(element: Element): Visit {
    if (isDrawnApart(element)) this.#flow.seam(false);
    const label = this.#footnotes.references.get(element);
    if (label !== undefined) {
      this.#flow.run.raw(`[^${label}]`, withoutMark(withoutMark(this.#flow.marks, "sup"), "link"));
      return "skip";
    }
    if (this.#flow.notes > 0 && footnotes.isBackReference(element, this.#footnotes.places))
      return "skip";
    if (this.#flow.headings > 0 && labels.isPermalink(element, true)) return "skip";
    const href = element.attribs["href"];
    if (href === undefined) return this.#flow.into();
    const target = linkTarget(href, this.#options.base);
    if (isWayUp(element, href)) return "skip";
    const inHeading = this.#flow.headings > 0;
    if (target === undefined || this.#idleLinks.has(element, { href, target, inHeading }))
      return this.#flow.into();
    if (labels.isOwnPicture(element, target)) return this.#flow.into();
    const outer = this.#flow.marks;
    const outerHeading = this.#flow.headingLink;
    const around =
      this.#flow.isFlow &&
      this.#survey.withBlocks.has(element) &&
      foldSpace(textOf(element, 1_000)) !== "";
    const tip = element.attribs["title"];
    const title = tip === undefined ? "" : foldSpace(tip);
    const isRepeat =
      title !== "" && (target.endsWith(title) || title === foldSpace(textOf(element, 500)));
    const mark = linkMark(target, isRepeat ? "" : title, around);
    if (around && this.#survey.withHeading.has(element)) this.#flow.headingLink = mark;
    else this.#flow.marks = withLink(outer, mark);
    const { run } = this.#flow;
    const { size } = run;
    return this.#flow.into(endLink, { element, around, run, size, outer, outerHeading });
  }

  #image(element: Element): void {
    const text = toImage(element, this.#images);
    if (text === "") return;
    const once = this.#flow.marks.find((mark) => mark.once);
    // A link around blocks belongs to their first text; a picture above the text stays unlinked.
    this.#flow.run.raw(
      text,
      once === undefined ? this.#flow.marks : withoutMark(this.#flow.marks, "link"),
    );
  }

  #media(element: Element): void {
    if (isPicture(element)) {
      this.#image(element);
      return;
    }
    const link = mediaLink(element, this.#options.base);
    if (link === undefined) return;
    this.#flow.edge();
    this.#flow.run.text(
      link.text,
      withLink(this.#flow.marks, linkMark(link.target, link.title, false)),
    );
    this.#flow.edge();
  }
}

type BlockKind = "drawing" | "title" | "note" | "box" | "plain";

function kindOf(classes: string): BlockKind {
  if (/(?:^|\s)mermaid(?:\s|$)/.test(classes)) return "drawing";
  if (noteMarks.isAdmonitionTitle(classes)) return "title";
  if (isDrawnBox(classes)) return "box";
  return noteMarks.isAdmonition(classes) ? "note" : "plain";
}

function addText(flow: Flow, text: string): void {
  flow.run.text(text, flow.marks);
}

function restoreMarks(flow: Flow, outer: MarkPath): void {
  flow.marks = outer;
}

function endCode(flow: Flow): void {
  flow.code--;
}

function endNote(flow: Flow): void {
  flow.flush();
  flow.writer.close();
  flow.notes--;
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

function endLink(flow: Flow, link: OpenLink): void {
  if (!link.around && flow.run === link.run && !link.run.hasContentSince(link.size)) {
    const text = labels.linkLabel(link.element);
    if (text !== "") link.run.text(text, flow.marks);
  }
  flow.marks = link.outer;
  flow.headingLink = link.outerHeading;
}

const isDetails = (parent: ParentNode | null): boolean =>
  parent !== null && isTag(parent) && parent.name === "details";

function hasBreak({ children }: Element): boolean {
  for (const child of children) if (isTag(child) && child.name === "br") return true;
  return false;
}
