// The difference of two texts, side by side: unchanged parts folded, words marked. The library that
// compares words is loaded with the screen.
import type { ComponentChildren, VNode } from "preact";
import { diffWordsWithSpace } from "diff";
import { pluralize } from "../data/format.ts";
import { classes, dom } from "./dom.ts";

export type DiffLine = {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
  /** The line differs, but does not count as a change. */
  readonly isNoise: boolean;
};

export type DiffHunk = {
  /** Line of the first text at which it starts, from 1. */
  readonly start: number;
  readonly lines: readonly DiffLine[];
};

export type DiffViewProps = {
  readonly hunks: readonly DiffHunk[];
  readonly before: ComponentChildren;
  readonly after: ComponentChildren;
  /** Without words, whole lines are marked. */
  readonly marksWords: boolean;
  /** Shown with each hunk. */
  readonly actions?: (hunk: DiffHunk) => ComponentChildren;
};

type Pair = { readonly left?: DiffLine; readonly right?: DiffLine };

/** Longer lines are shown without marked words. */
const MAX_WORD_CHARACTERS = 4_000;
const MAX_LINES = 2_000;
const HEADER = /^@@ -(\d+)/;

/** Reads the text of a unified diff. */
export function parseDiff(text: string): DiffHunk[] {
  const hunks: { start: number; lines: DiffLine[] }[] = [];
  for (const line of text.split("\n")) {
    const start = HEADER.exec(line)?.[1];
    if (start !== undefined) hunks.push({ start: Number(start), lines: [] });
    else if (!line.startsWith("\\")) {
      const sign = line.charAt(0);
      const kind = sign === "-" ? "removed" : sign === "+" ? "added" : "same";
      hunks.at(-1)?.lines.push({ kind, text: line.slice(1), isNoise: false });
    }
  }
  return hunks;
}

/** Puts removed lines beside the added lines that replace them. */
function pairLines(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const left = removed[at];
      const right = added[at];
      pairs.push({ ...(left && { left }), ...(right && { right }) });
    }
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "removed") removed.push(line);
    else if (line.kind === "added") added.push(line);
    else {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
}

/** The words of a line that differ from its counterpart, as elements. */
function markWords(line: DiffLine, other: DiffLine | undefined): ComponentChildren {
  if (line.kind === "same" || other === undefined) return line.text;
  if (line.text.length + other.text.length > MAX_WORD_CHARACTERS) return line.text;
  const [before, after] = line.kind === "removed" ? [line, other] : [other, line];
  const parts = diffWordsWithSpace(before.text, after.text);
  return parts
    .filter(({ added, removed }) => (line.kind === "removed" ? !added : !removed))
    .map(({ value, added, removed }, at) =>
      added || removed ? dom.mark({ key: at, class: "diff-word" }, value) : value,
    );
}

function cell(line: DiffLine | undefined, other: DiffLine | undefined, marksWords: boolean): VNode {
  if (line === undefined) return dom.div({ class: "diff-cell none", "aria-hidden": true });
  const sign = line.kind === "removed" ? "−" : line.kind === "added" ? "+" : "";
  const name = line.kind === "removed" ? "removed" : "added";
  return dom.div(
    {
      class: classes("diff-cell", line.kind, line.isNoise && "noise"),
      ...(line.isNoise && { title: "Differs, but does not count as a change" }),
    },
    dom.span({ class: "diff-sign", "aria-hidden": true }, sign),
    line.kind !== "same" && dom.span({ class: "visually-hidden" }, `${name}: `),
    dom.span({ class: "diff-text", dir: "auto" }, marksWords ? markWords(line, other) : line.text),
  );
}

export function diffView({ hunks, before, after, marksWords, actions }: DiffViewProps): VNode {
  let shown = 0;
  let line = 1;
  return dom.div(
    { class: "diff panel", role: "region", "aria-label": "Difference", tabIndex: 0 },
    dom.div(
      { class: "diff-row diff-titles" },
      dom.div({ class: "diff-title" }, before),
      dom.div({ class: "diff-title" }, after),
    ),
    ...hunks.flatMap((hunk, index) => {
      const folded = Math.max(0, hunk.start - line);
      line = hunk.start + hunk.lines.filter(({ kind }) => kind !== "added").length;
      if (shown > MAX_LINES) return [];
      shown += hunk.lines.length;
      return [
        dom.div(
          { key: `fold ${index}`, class: "diff-fold row" },
          dom.span(
            { class: "grow" },
            folded > 0 ? `${pluralize(folded, "line")} unchanged` : `Line ${hunk.start}`,
          ),
          actions?.(hunk),
        ),
        ...pairLines(hunk.lines).map((pair, at) =>
          dom.div(
            {
              key: `${index} ${at}`,
              class: classes("diff-row", pair.left === pair.right && "same"),
            },
            cell(pair.left, pair.right, marksWords),
            cell(pair.right, pair.left, marksWords),
          ),
        ),
      ];
    }),
    shown > MAX_LINES &&
      dom.div({ class: "diff-fold" }, `Only the first ${MAX_LINES} changed lines are shown.`),
  );
}
