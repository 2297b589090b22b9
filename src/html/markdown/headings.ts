// Headings: opened, collected as one line, written.
import type { Element } from "domhandler";
import { mayHaveUncommon } from "../parse/nodes.ts";
import { readAttribute, type Visit } from "../parse/tree.ts";
import { findAnchor } from "./anchors.ts";
import type { ConversionState } from "./conversion-state.ts";
import { type MarkPath, withLink, withMark } from "./marks.ts";

/** Returns the heading level by element name (`named`) or role, or 0. */
export function getHeadingLevel(element: Element, named: number): number {
  if (named > 0) return named;
  if (!mayHaveUncommon(element) || element.attribs["role"] !== "heading") return 0;
  const level = Number.parseInt(readAttribute(element, "aria-level"), 10);
  return level >= 1 && level <= 6 ? level : 2;
}

/** Enters a heading. Where only one line can be written, it becomes bold text. */
export function openHeading(state: ConversionState, level: number, element: Element): Visit {
  state.edge();
  const outer = state.marks;
  if (state.headingLink !== undefined) {
    state.marks = withLink(outer, state.headingLink);
    state.headingLink = undefined;
  }
  if (!state.allowsBlocks) {
    state.marks = withMark(state.marks, "strong");
    return state.into(endBoldHeading, outer);
  }
  state.headings++;
  state.openSink("blank");
  const { anchors, foundAnchors } = state.shape;
  const anchor =
    anchors === undefined ? undefined : (foundAnchors?.get(element) ?? findAnchor(element));
  return state.into(endHeading, { level, outer, anchor });
}

function endBoldHeading(state: ConversionState, outer: MarkPath): void {
  state.marks = outer;
  state.edge();
}

type OpenHeading = {
  readonly level: number;
  readonly outer: MarkPath;
  readonly anchor: string | undefined;
};

function endHeading(state: ConversionState, { level, outer, anchor }: OpenHeading): void {
  const words = state.run.words();
  const text = stripBold(state.closeSink());
  state.headings--;
  state.marks = outer;
  const shown = text === "" ? level : state.shiftLevel(level);
  const written = `${"#".repeat(shown)} ${text.replace(/(^|\s)(#+)$/, "$1\\$2")}`.trim();
  const isMarked = state.shape.anchors === "written" && anchor !== undefined && text !== "";
  state.writer.block("heading", isMarked ? `${written} {#${anchor}}` : written, {
    level: shown,
    text: words,
    anchor,
  });
}

/** Removes bold that spans a whole heading, because headings are bold anyway. */
function stripBold(text: string): string {
  const inner = /^\*\*(.+)\*\*$/.exec(text)?.[1];
  return inner === undefined || inner.includes("*") || inner.endsWith("\\") ? text : inner;
}
