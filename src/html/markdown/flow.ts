// What is being written: the run of text under construction, the marks around it, the blocks behind it. The files beside
// this one turn kinds of elements into calls of it.
import type { Element } from "domhandler";
import { foldSpace, isBlank, textOf, type Visit } from "../parse/tree.ts";
import { BlockWriter } from "./block-writer.ts";
import { codeLanguage, codeText } from "./code-block.ts";
import { toCodeFence } from "./code-span.ts";
import { isPlain } from "./escape.ts";
import { type BreakStyle, InlineRun } from "./inline.ts";
import { withoutInvisible } from "./invisible.ts";
import { type Mark, type MarkPath, NO_MARKS, withMark } from "./marks.ts";
import { mayHoldTex, splitTex, toMath } from "./math.ts";

/** What happens when an element ends. A function that stays: one made for each element would be compiled over and over. */
export type Leave<Saved> = (flow: Flow, saved: Saved) => void;

type Sink = { readonly run: InlineRun; readonly style: BreakStyle };

export class Flow {
  readonly writer = new BlockWriter();
  readonly #sinks: Sink[] = [{ run: new InlineRun(), style: "hard" }];
  readonly #leaves: (Leave<never> | undefined)[] = [];
  /** What each of them was given to keep. */
  readonly #saved: unknown[] = [];
  /** Where text goes now. */
  run: InlineRun = (this.#sinks[0] as Sink).run;
  marks: MarkPath = NO_MARKS;
  /** How many elements of code, headings and footnotes are open. */
  code = 0;
  headings = 0;
  notes = 0;
  /** The link around a block with a heading in it: it goes to the heading. */
  headingLink: Mark | undefined;

  /** Goes into an element; `leave` runs when its children are done, with what it needs to know then. */
  into(): Visit;
  into<Saved>(leave: Leave<Saved>, saved: Saved): Visit;
  into(leave?: Leave<never>, saved?: unknown): Visit {
    this.#leaves.push(leave);
    this.#saved.push(saved);
    return "children";
  }

  /** Goes into an element that begins and ends a block. */
  intoBlock(): Visit {
    return this.into(endBlock, undefined);
  }

  /** Ends the element entered last. */
  leave(): void {
    const leave = this.#leaves.pop();
    const saved = this.#saved.pop();
    if (leave !== undefined) leave(this, saved as never);
  }

  /** Whether blocks can be written; inside a heading or a table cell there is only one line. */
  get isFlow(): boolean {
    return this.#sinks.length === 1;
  }

  /** Writes the collected text as a paragraph. */
  flush(): void {
    if (this.run.isEmpty) return;
    const starts = this.writer.isInItem && this.writer.isFresh;
    const text = this.run.take("hard", starts);
    if (text !== "") this.writer.block("paragraph", text);
  }

  /** The edge of a block: ends the paragraph, or parts the text where only one line is to be had. */
  edge(): void {
    if (this.isFlow) this.flush();
    else if (this.#sinks.at(-1)?.style === "tag") {
      if (!this.run.endsWithBreak) this.run.lineBreak(NO_MARKS);
    } else this.run.text(" ", this.marks);
  }

  /** From here on text collects apart, until `closeSink` gives it back as one line. */
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
    const text = withoutInvisible(data);
    if (!mayHoldTex(text)) {
      this.run.text(text, this.marks, false);
      return;
    }
    for (const part of splitTex(text)) {
      if (typeof part === "string") this.run.text(part, this.marks);
      else this.formula(toMath(part), part.display && part.tex.startsWith("\\begin"));
    }
  }

  /** Here one styled piece of text ends and another begins; `isLabelled`: one of them is a label beside the other. */
  seam(isLabelled: boolean): void {
    if (this.code === 0) this.run.seam(isLabelled);
  }

  formula(text: string, display: boolean): void {
    if (!display || !this.isFlow) {
      this.run.raw(text, this.marks);
      return;
    }
    this.flush();
    this.writer.block("paragraph", text);
  }

  lineBreak(): void {
    if (this.#sinks.at(-1)?.style === "blank") this.run.text(" ", this.marks);
    else if (!this.run.endsWithBreak) this.run.lineBreak(this.marks);
    else if (this.isFlow) this.flush();
  }

  /** A line of its own in bold: the title of a note, the summary of details. */
  titled(): Visit {
    this.edge();
    const outer = this.marks;
    this.marks = withMark(outer, "strong");
    return this.into(endTitle, outer);
  }

  quote(): Visit {
    this.edge();
    if (!this.isFlow) return this.intoBlock();
    this.writer.open("quote", "> ", "> ", false);
    return this.into(endContainer, undefined);
  }

  /** The element as a code block; as lines of inline code where no block can be. */
  codeBlock(element: Element): void {
    const code = codeText(element);
    const language = codeLanguage(element, code);
    if (this.isFlow) {
      this.flush();
      // A listing of line numbers only is not one.
      if (code !== "" || foldSpace(textOf(element, 1_000)) === "")
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

const endBlock = (flow: Flow): void => flow.edge();

const endTitle = (flow: Flow, outer: MarkPath): void => {
  flow.edge();
  flow.marks = outer;
};

/** Closes a quote or an item, which shows even when it is empty. */
export const endContainer = (flow: Flow): void => {
  flow.flush();
  if (flow.writer.isFresh) flow.writer.block("paragraph", "");
  flow.writer.close();
};
