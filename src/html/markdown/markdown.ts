// HTML tree to GitHub-flavoured Markdown. One walk: text collects in a run until its block ends, blocks go to the writer.
// Anything below that is only a matter of one kind of content lives in its own file beside this one.
import { type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";
import { attributeOf, foldSpace, hasAttribute, textOf, walk, type Visit } from "../tree.ts";
import { BlockWriter } from "./block-writer.ts";
import { codeLanguage, codeText } from "./code-block.ts";
import { toCodeFence } from "./code-span.ts";
import { CODES, headingLevel, isBlock, MARKS, SILENT } from "./elements.ts";
import { findFootnotes, type Footnotes, isBackReference } from "./footnotes.ts";
import { type BreakStyle, InlineRun } from "./inline.ts";
import { withoutInvisible } from "./invisible.ts";
import * as labels from "./labels.ts";
import { linkMark, type Mark, type MarkPath, NO_MARKS, withLink, withMark, withoutMark } from "./marks.ts";
import { formulaOf, isDrawnFormula, toMath } from "./math.ts";
import { isFrame, mediaLink, toImage } from "./media.ts";
import { isLayoutTable, type Survey, surveyTree } from "./survey.ts";
import { type Cell, type Row, toTable } from "./table.ts";
import { linkTarget } from "./target.ts";

export type MarkdownOptions = {
  /** What relative addresses are resolved against; without it they stay as written. */
  readonly base?: string | undefined;
  readonly removeBase64Images?: boolean;
};

/** Markdown of everything below `root`. Deterministic, never throws, linear in the size of the tree. */
export function toMarkdown(root: ParentNode, options: MarkdownOptions = {}): string {
  const writer = new MarkdownWriter(root, options);
  return writer.write(root);
}

type Sink = { readonly run: InlineRun; readonly style: BreakStyle };
type List = { readonly ordered: boolean; next: number; readonly step: number; readonly tight: boolean; readonly marker: string };
type Table = { readonly rows: Row[]; cells: Cell[]; inHead: boolean };

const TEX_IN_TEXT = /\\\(([^\n]+?)\\\)|\\\[([\s\S]+?)\\\]/g;

class MarkdownWriter {
  readonly #options: MarkdownOptions;
  readonly #images: { base: string | undefined; removeBase64Images: boolean };
  readonly #survey: Survey;
  readonly #footnotes: Footnotes;
  readonly #writer = new BlockWriter();
  readonly #sinks: Sink[] = [{ run: new InlineRun(), style: "hard" }];
  readonly #leaves: ((() => void) | undefined)[] = [];
  readonly #lists: List[] = [];
  readonly #tables: Table[] = [];
  #run: InlineRun = (this.#sinks[0] as Sink).run;
  #marks: MarkPath = NO_MARKS;
  #code = 0;
  #headings = 0;
  #notes = 0;
  /** The link around a block with a heading in it: it goes to the heading. */
  #headingLink: Mark | undefined;

  constructor(root: ParentNode, options: MarkdownOptions) {
    this.#options = options;
    this.#images = { base: options.base, removeBase64Images: options.removeBase64Images ?? false };
    this.#survey = surveyTree(root, options.base);
    this.#footnotes = findFootnotes(this.#survey);
  }

  write(root: ParentNode): string {
    walk(
      root,
      (node) => this.#enter(node),
      () => this.#leaves.pop()?.(),
    );
    this.#flush();
    return this.#writer.toString();
  }

  /** Goes into the element; `leave` runs when its children are done. */
  #into(leave?: () => void): Visit {
    this.#leaves.push(leave);
    return "children";
  }

  get #isFlow(): boolean {
    return this.#sinks.length === 1;
  }

  #flush(): void {
    if (this.#run.isEmpty) return;
    const starts = this.#writer.isInItem && this.#writer.isFresh;
    const text = this.#run.take("hard", starts);
    if (text !== "") this.#writer.block("paragraph", text);
  }

  /** The edge of a block: ends the paragraph, or parts the text where only one line is to be had. */
  #edge(): void {
    if (this.#isFlow) this.#flush();
    else if (this.#sinks.at(-1)?.style === "tag") {
      if (!this.#run.endsWithBreak) this.#run.lineBreak(NO_MARKS);
    } else this.#run.text(" ", NO_MARKS);
  }

  #openSink(style: BreakStyle): void {
    const run = new InlineRun();
    this.#sinks.push({ run, style });
    this.#run = run;
  }

  #closeSink(): string {
    const sink = this.#sinks.pop() as Sink;
    this.#run = (this.#sinks.at(-1) as Sink).run;
    return sink.run.take(sink.style);
  }

  #enter(node: ChildNode): Visit {
    if (isText(node)) {
      this.#text(node.data);
      return "skip";
    }
    if (!isTag(node)) return "skip";
    const { name } = node;
    const classes = node.attribs["class"];
    if (name === "math" || name === "img" || name === "script" || name === "mjx-container" || classes !== undefined) {
      if (isDrawnFormula(node)) return "skip";
      const formula = formulaOf(node);
      if (formula !== undefined) {
        this.#formula(toMath(formula), formula.display);
        return "skip";
      }
    }
    if (SILENT.has(name)) return "skip";
    if (classes !== undefined && this.#isDebris(node, classes)) return "skip";
    if (this.#footnotes.notes.has(node) && this.#isFlow) return this.#note(node);
    return this.#element(node, name);
  }

  #isDebris(element: Element, classes: string): boolean {
    if (labels.isPermalink(element, this.#headings > 0)) return true;
    return this.#notes > 0 && element.name === "span" && /(?:^|\s)(?:label|fn-label|brackets)(?:\s|$)/.test(classes);
  }

  #element(element: Element, name: string): Visit {
    switch (name) {
      case "a":
        return this.#link(element);
      case "br":
        this.#lineBreak();
        return "skip";
      case "img":
        this.#image(element);
        return "skip";
      case "pre":
        this.#codeBlock(element, element);
        return "skip";
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        return this.#list(element);
      case "li":
        return this.#item(element);
      case "blockquote":
        return this.#quote();
      case "hr":
        this.#edge();
        if (this.#isFlow) this.#writer.block("rule", this.#writer.isInItem ? "***" : "---");
        return "skip";
      case "table":
        return this.#table(element);
      case "tr":
      case "td":
      case "th":
      case "caption":
        return this.#tablePart(element);
      case "dt":
      case "dd":
        return this.#definition(element);
      case "summary":
        return this.#titled();
      case "input":
        this.#input(element);
        return "skip";
      case "iframe":
      case "video":
      case "audio":
        this.#media(element);
        return "skip";
      case "button":
        return labels.isToolButton(element) ? "skip" : this.#into();
      case "q":
        this.#run.text("“", this.#marks);
        return this.#into(() => this.#run.text("”", this.#marks));
      case "rt":
        this.#run.text("(", this.#marks);
        return this.#into(() => this.#run.text(")", this.#marks));
      default:
    }
    const level = headingLevel(name) || ariaLevel(element);
    if (level > 0) return this.#heading(level);
    if (CODES.has(name)) return this.#inlineCode(element);
    const kind = MARKS[name as keyof typeof MARKS];
    if (kind !== undefined) return this.#marked(element, kind);
    if (isBlock(name)) return this.#block(element);
    return this.#into();
  }

  #text(data: string): void {
    if (this.#code > 0) {
      this.#run.code(data, this.#marks);
      return;
    }
    const text = withoutInvisible(data);
    if (!text.includes("\\(") && !text.includes("\\[")) {
      this.#run.text(text, this.#marks);
      return;
    }
    let from = 0;
    for (const match of text.matchAll(TEX_IN_TEXT)) {
      const tex = foldSpace(match[1] ?? match[2] ?? "");
      if (tex === "") continue;
      this.#run.text(text.slice(from, match.index), this.#marks);
      this.#run.raw(toMath({ tex, display: match[2] !== undefined }), this.#marks);
      from = match.index + match[0].length;
    }
    this.#run.text(text.slice(from), this.#marks);
  }

  #formula(text: string, display: boolean): void {
    if (!display || !this.#isFlow) {
      this.#run.raw(text, this.#marks);
      return;
    }
    this.#flush();
    this.#writer.block("paragraph", text);
  }

  #lineBreak(): void {
    if (this.#sinks.at(-1)?.style === "blank") this.#run.text(" ", NO_MARKS);
    else if (!this.#run.endsWithBreak) this.#run.lineBreak(this.#marks);
    else if (this.#isFlow) this.#flush();
  }

  #marked(element: Element, kind: (typeof MARKS)[keyof typeof MARKS]): Visit {
    if (this.#code > 0) return this.#into();
    if (kind === "sup" && labels.isOnlyLink(element)) return this.#into();
    if (/font-(?:weight|style):\s*(?:normal|400)/i.test(attributeOf(element, "style"))) return this.#into();
    const outer = this.#marks;
    this.#marks = withMark(outer, kind);
    return this.#into(() => {
      this.#marks = outer;
    });
  }

  #inlineCode(element: Element): Visit {
    if (this.#isFlow && this.#code === 0 && element.children.some((child) => isTag(child) && child.name === "br")) {
      const code = codeText(element);
      if (/\n./.test(code.trim())) {
        this.#codeBlock(element, element);
        return "skip";
      }
    }
    this.#code++;
    return this.#into(() => {
      this.#code--;
    });
  }

  #heading(level: number): Visit {
    this.#edge();
    const outer = this.#marks;
    if (this.#headingLink !== undefined) {
      this.#marks = withLink(outer, this.#headingLink);
      this.#headingLink = undefined;
    }
    if (!this.#isFlow) {
      this.#marks = withMark(this.#marks, "strong");
      return this.#into(() => {
        this.#marks = outer;
        this.#edge();
      });
    }
    this.#headings++;
    this.#openSink("blank");
    return this.#into(() => {
      const text = this.#closeSink();
      this.#headings--;
      this.#marks = outer;
      if (text !== "")
        this.#writer.block("heading", `${"#".repeat(level)} ${text.replace(/(^|\s)(#+)$/, "$1\\$2")}`);
    });
  }

  #block(element: Element): Visit {
    if (isFrame(element)) {
      this.#edge();
      this.#media(element);
    }
    const classes = attributeOf(element, "class");
    if (classes !== "") {
      if (/(?:^|\s)mermaid(?:\s|$)/.test(classes) && this.#isFlow && foldSpace(textOf(element, 10)) !== "") {
        this.#codeBlock(element, element);
        return "skip";
      }
      if (labels.isAdmonitionTitle(classes)) return this.#titled();
      if (labels.isAdmonition(classes)) return this.#quote();
    }
    this.#edge();
    return this.#into(() => this.#edge());
  }

  /** A line of its own in bold: the title of a note, the summary of details. */
  #titled(): Visit {
    this.#edge();
    const outer = this.#marks;
    this.#marks = withMark(outer, "strong");
    return this.#into(() => {
      this.#edge();
      this.#marks = outer;
    });
  }

  #quote(): Visit {
    this.#edge();
    if (!this.#isFlow) return this.#into(() => this.#edge());
    this.#writer.open("quote", "> ", "> ", false);
    return this.#into(() => {
      this.#flush();
      this.#writer.close();
    });
  }

  #codeBlock(element: Element, container: Element): void {
    const code = codeText(element);
    const language = codeLanguage(container);
    if (this.#isFlow) {
      this.#flush();
      if (code.trim() !== "") this.#writer.block("code", toCodeFence(code, language));
      return;
    }
    this.#edge();
    for (const line of code.split("\n")) {
      if (line.trim() === "") continue;
      this.#run.code(line, this.#marks);
      this.#edge();
    }
  }

  #list(element: Element): Visit {
    this.#edge();
    if (!this.#isFlow) return this.#into(() => this.#edge());
    const ordered = element.name === "ol";
    const { parent } = element;
    const bare = parent !== null && isTag(parent) && (parent.name === "ul" || parent.name === "ol");
    if (bare) {
      const indent = this.#writer.isFresh ? "" : "  ";
      this.#writer.open("item", indent, indent, true);
    }
    const start = Number.parseInt(attributeOf(element, "start"), 10);
    const kind = ordered ? (Number.isNaN(start) || start === 1 ? "numbers" : "late-numbers") : "bullets";
    const again = this.#writer.last?.endsWith(ordered ? "numbers" : "bullets") ?? false;
    const usual = ordered ? "." : "-";
    const marker = again && this.#writer.lastMarker === usual ? (ordered ? ")" : "*") : usual;
    this.#writer.lastMarker = marker;
    const tight = !this.#survey.looseLists.has(element);
    const reversed = hasAttribute(element, "reversed");
    const items = reversed ? element.children.filter((child) => isTag(child) && child.name === "li").length : 1;
    this.#lists.push({ ordered, next: Number.isNaN(start) ? items : Math.max(0, start), step: reversed ? -1 : 1, tight, marker });
    this.#writer.open(kind, "", "", tight);
    return this.#into(() => {
      this.#flush();
      this.#writer.close();
      this.#lists.pop();
      if (bare) this.#writer.close();
    });
  }

  #item(element: Element): Visit {
    this.#edge();
    if (!this.#isFlow) {
      this.#run.text("- ", NO_MARKS);
      return this.#into(() => this.#edge());
    }
    const list = this.#lists.at(-1);
    let marker = "- ";
    if (list !== undefined) {
      const value = Number.parseInt(attributeOf(element, "value"), 10);
      if (!Number.isNaN(value)) list.next = value;
      marker = list.ordered ? `${Math.min(999_999_999, Math.max(0, list.next))}${list.marker} ` : `${list.marker} `;
      list.next += list.step;
    }
    this.#writer.open("item", marker, " ".repeat(marker.length), list?.tight ?? true);
    return this.#into(() => {
      this.#flush();
      this.#writer.close();
    });
  }

  #definition(element: Element): Visit {
    this.#edge();
    if (!this.#isFlow) return this.#into(() => this.#edge());
    const outer = this.#marks;
    if (element.name === "dt") {
      this.#writer.open("term", "", "", false);
      this.#marks = withMark(outer, "strong");
    } else if (this.#survey.withBlocks.has(element) || this.#writer.last === undefined) {
      return this.#into(() => this.#flush());
    } else this.#writer.open("definition", ": ", "  ", false);
    return this.#into(() => {
      this.#flush();
      this.#marks = outer;
      this.#writer.close();
    });
  }

  #note(element: Element): Visit {
    this.#edge();
    this.#notes++;
    this.#writer.open("footnote", `[^${this.#footnotes.notes.get(element)}]: `, "    ", false);
    return this.#into(() => {
      this.#flush();
      this.#writer.close();
      this.#notes--;
    });
  }

  #link(element: Element): Visit {
    const label = this.#footnotes.references.get(element);
    if (label !== undefined) {
      this.#run.raw(`[^${label}]`, withoutMark(withoutMark(this.#marks, "sup"), "link"));
      return "skip";
    }
    if (this.#notes > 0 && isBackReference(element)) return "skip";
    if (this.#headings > 0 && labels.isPermalink(element, true)) return "skip";
    const href = element.attribs["href"];
    if (href === undefined) return this.#into();
    const target = linkTarget(href, this.#options.base);
    if (target === undefined || (this.#headings > 0 && href.startsWith("#"))) return this.#into();
    const outer = this.#marks;
    const outerHeading = this.#headingLink;
    const around = this.#isFlow && this.#survey.withBlocks.has(element);
    const mark = linkMark(target, foldSpace(attributeOf(element, "title")), around);
    if (around && this.#survey.withHeading.has(element)) this.#headingLink = mark;
    else this.#marks = withLink(outer, mark);
    const run = this.#run;
    const { size } = run;
    return this.#into(() => {
      if (!around && this.#run === run && !run.hasContentSince(size)) {
        const text = labels.linkLabel(element);
        if (text !== "") run.text(text, this.#marks);
      }
      this.#marks = outer;
      this.#headingLink = outerHeading;
    });
  }

  #image(element: Element): void {
    const text = toImage(element, this.#images);
    if (text === "") return;
    const once = this.#marks.find((mark) => mark.once);
    // A link around blocks belongs to their first text; a picture above the text stays bare.
    this.#run.raw(text, once === undefined ? this.#marks : withoutMark(this.#marks, "link"));
  }

  #media(element: Element): void {
    const link = mediaLink(element, this.#options.base);
    if (link === undefined) return;
    this.#edge();
    this.#run.text(link.text, withLink(this.#marks, linkMark(link.target, link.title, false)));
    this.#edge();
  }

  #input(element: Element): void {
    if (attributeOf(element, "type").toLowerCase() !== "checkbox" || this.#lists.length === 0) return;
    if (!this.#isFlow || !this.#run.isEmpty || !this.#writer.isInItem || !this.#writer.isFresh) return;
    this.#run.raw(hasAttribute(element, "checked") ? "[x]" : "[ ]", NO_MARKS);
    this.#run.text(" ", NO_MARKS);
  }

  #table(element: Element): Visit {
    const facts = this.#survey.tables.get(element);
    if (facts?.hasGutter === true) {
      this.#codeBlock(element, element);
      return "skip";
    }
    this.#edge();
    if (!this.#isFlow || isLayoutTable(element, facts)) return this.#into(() => this.#edge());
    const table: Table = { rows: [], cells: [], inHead: false };
    this.#tables.push(table);
    return this.#into(() => {
      this.#flush();
      this.#tables.pop();
      const text = toTable(table.rows);
      if (text !== "") this.#writer.block("table", text);
    });
  }

  /** Rows and cells: of the table being collected, or of one that is written as plain blocks or inside a cell. */
  #tablePart(element: Element): Visit {
    const table = this.#tables.at(-1);
    const { name } = element;
    const collecting = table !== undefined && this.#sinks.length === 1;
    if (!collecting) {
      if (this.#isFlow || name === "tr" || name === "caption") {
        this.#edge();
        return this.#into(() => this.#edge());
      }
      if (element.prev !== null) this.#run.text(", ", NO_MARKS);
      return this.#into();
    }
    if (name === "tr") {
      const { parent } = element;
      const cells: Cell[] = [];
      table.cells = cells;
      table.rows.push({ cells, inHead: parent !== null && isTag(parent) && parent.name === "thead" });
      return this.#into();
    }
    const outer = this.#marks;
    this.#marks = NO_MARKS;
    this.#openSink(name === "caption" ? "blank" : "tag");
    return this.#into(() => {
      const text = this.#closeSink();
      this.#marks = outer;
      if (name === "caption") {
        if (text !== "") this.#writer.block("paragraph", text);
      } else table.cells.push(toCell(element, text));
    });
  }
}

function ariaLevel(element: Element): number {
  if (element.attribs["role"] !== "heading") return 0;
  const level = Number.parseInt(attributeOf(element, "aria-level"), 10);
  return level >= 1 && level <= 6 ? level : 2;
}

function toCell(element: Element, text: string): Cell {
  const span = (name: string, most: number): number => {
    const value = Number.parseInt(attributeOf(element, name), 10);
    // rowspan="0" reaches to the end of the table (HTML §4.9.11).
    if (name === "rowspan" && value === 0) return most;
    return Number.isNaN(value) || value < 1 ? 1 : Math.min(most, value);
  };
  const written = /text-align:\s*(left|center|right)/i.exec(attributeOf(element, "style"))?.[1] ?? attributeOf(element, "align");
  const align = written.toLowerCase();
  return {
    text: text.replace(/\|/g, "\\|").replace(/\n/g, " "),
    columns: span("colspan", 1_000),
    rows: span("rowspan", 65_534),
    isHeader: element.name === "th",
    align: align === "left" || align === "center" || align === "right" ? align : "",
  };
}
