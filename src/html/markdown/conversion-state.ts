// State of the Markdown conversion: current text run, marks around it, and the block writer. The
// neighboring files translate elements into calls of it.
import type { Element } from "domhandler";
import { foldSpace, isBlank, readText, type Visit } from "../parse/tree.ts";
import type { HeadingAnchors } from "./anchors.ts";
import { BlockWriter } from "./block-writer.ts";
import { detectCodeLanguage, readCode } from "./code-block.ts";
import { toCodeFence } from "./code-span.ts";
import { isPlain } from "./escape.ts";
import { type BreakStyle, InlineRun } from "./inline.ts";
import { stripInvisible } from "../../runtime/strip-invisible.ts";
import { type Mark, type MarkPath, NO_MARKS, withMark } from "./marks.ts";
import { mayContainTex, splitTex, toMath } from "./math.ts";

/**
 * Runs when an element ends. Must be a static function, because a closure per element would be
 * compiled repeatedly.
 */
export type LeaveHandler<Saved> = (state: ConversionState, saved: Saved) => void;

type Sink = { readonly run: InlineRun; readonly style: BreakStyle };

/** Style of headings. */
export type HeadingShape = {
  /** Level that the first heading gets; the others move with it. */
  readonly firstHeadingLevel?: number | undefined;
  /** Fragments of headings are looked up, and written behind them if "written". */
  readonly anchors?: "known" | "written" | undefined;
  /** Fragments that were found before the page was cleaned; they take precedence. */
  readonly foundAnchors?: HeadingAnchors | undefined;
};

export class ConversionState {
  readonly shape: HeadingShape;
  readonly writer = new BlockWriter();
  readonly #sinks: Sink[] = [{ run: new InlineRun(), style: "hard" }];
  readonly #leaves: (LeaveHandler<never> | undefined)[] = [];
  /** The saved value for each leave handler. */
  readonly #saved: unknown[] = [];
  /** Current target of text. */
  run: InlineRun = (this.#sinks[0] as Sink).run;
  marks: MarkPath = NO_MARKS;
  /** Number of open code elements, headings and footnotes. */
  code = 0;
  headings = 0;
  notes = 0;
  /** A link around a block that contains a heading; it is written in the heading. */
  headingLink: Mark | undefined;
  /** Levels that headings move down by; unknown until the first one. */
  #shift: number | undefined;

  constructor(shape: HeadingShape = {}) {
    this.shape = shape;
  }

  /** Returns the level that a heading is written with. */
  shiftLevel(level: number): number {
    const { firstHeadingLevel } = this.shape;
    if (firstHeadingLevel === undefined) return level;
    this.#shift ??= firstHeadingLevel - level;
    return Math.min(6, Math.max(1, level + this.#shift));
  }

  /** Enters an element. `leave` runs after its children and receives `saved`. */
  into(): Visit;
  into<Saved>(leave: LeaveHandler<Saved>, saved: Saved): Visit;
  into(leave?: LeaveHandler<never>, saved?: unknown): Visit {
    this.#leaves.push(leave);
    this.#saved.push(saved);
    return "children";
  }

  /** Enters an element that starts and ends a block. */
  intoBlock(): Visit {
    return this.into(endBlock, undefined);
  }

  /** Ends the element entered last. */
  leave(): void {
    const leave = this.#leaves.pop();
    const saved = this.#saved.pop();
    if (leave !== undefined) leave(this, saved as never);
  }

  /** True if blocks can be written. A heading or table cell has only one line. */
  get allowsBlocks(): boolean {
    return this.#sinks.length === 1;
  }

  /** Writes the collected text as a paragraph. */
  flush(): void {
    if (this.run.isEmpty) return;
    const starts = this.writer.isInItem && this.writer.isFresh;
    const text = this.run.take("hard", starts);
    if (text !== "") this.writer.block("paragraph", text);
  }

  /** Marks the edge of a block: ends the paragraph, or separates the text within a single line. */
  edge(): void {
    if (this.allowsBlocks) this.flush();
    else if (this.#sinks.at(-1)?.style === "tag") {
      if (!this.run.endsWithBreak) this.run.lineBreak(NO_MARKS);
    } else this.run.text(" ", this.marks);
  }

  /** Collects text separately until `closeSink` returns it as one line. */
  openSink(style: BreakStyle): void {
    const run = new InlineRun();
    this.#sinks.push({ run, style });
    this.run = run;
  }

  closeSink(): string {
    const sink = this.#sinks.pop() as Sink;
    this.run = (this.#sinks.at(-1) as Sink).run;
    return sink.run.take(sink.style);
  }

  text(data: string): void {
    if (this.code > 0) {
      this.run.code(data, this.marks);
      return;
    }
    if (data !== "" && isBlank(data)) {
      this.run.blank(this.marks);
      return;
    }
    if (isPlain(data)) {
      this.run.text(data, this.marks, true);
      return;
    }
    const text = stripInvisible(data);
    if (!mayContainTex(text)) {
      this.run.text(text, this.marks, false);
      return;
    }
    for (const part of splitTex(text)) {
      if (typeof part === "string") this.run.text(part, this.marks);
      else this.formula(toMath(part), part.display && part.tex.startsWith("\\begin"));
    }
  }

  /**
   * Marks the boundary between two styled pieces of text. `isLabelled`: one of them is a label of
   * the other.
   */
  wordBoundary(isLabelled: boolean): void {
    if (this.code === 0) this.run.wordBoundary(isLabelled);
  }

  formula(text: string, display: boolean): void {
    if (!display || !this.allowsBlocks) {
      this.run.raw(text, this.marks);
      return;
    }
    this.flush();
    this.writer.block("paragraph", text);
  }

  lineBreak(): void {
    if (this.#sinks.at(-1)?.style === "blank") this.run.text(" ", this.marks);
    else if (!this.run.endsWithBreak) this.run.lineBreak(this.marks);
    else if (this.allowsBlocks) this.flush();
  }

  /** Starts a separate line in bold: the title of a note or the summary of details. */
  titled(): Visit {
    this.edge();
    const outer = this.marks;
    this.marks = withMark(outer, "strong");
    return this.into(endTitle, outer);
  }

  quote(): Visit {
    this.edge();
    if (!this.allowsBlocks) return this.intoBlock();
    this.writer.open("quote", "> ", "> ", false);
    return this.into(endContainer, undefined);
  }

  /** Writes an element as a code block, or as lines of inline code where no block is possible. */
  codeBlock(element: Element): void {
    const code = readCode(element);
    const language = detectCodeLanguage(element, code);
    if (this.allowsBlocks) {
      this.flush();
      // Skips a listing that only held line numbers.
      if (code !== "" || foldSpace(readText(element, 1_000)) === "")
        this.writer.block("code", toCodeFence(code, language));
      return;
    }
    this.edge();
    for (const line of code.split("\n")) {
      if (line.trim() === "") continue;
      this.run.code(line, this.marks);
      this.edge();
    }
  }
}

const endBlock = (state: ConversionState): void => state.edge();

const endTitle = (state: ConversionState, outer: MarkPath): void => {
  state.edge();
  state.marks = outer;
};

/** Closes a quote or an item. It is written even if empty. */
export const endContainer = (state: ConversionState): void => {
  state.flush();
  if (state.writer.isFresh) state.writer.block("paragraph", "");
  state.writer.close();
};
