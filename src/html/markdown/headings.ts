// Headings: opened, collected as one line, written.
import type { Element } from "domhandler";
import { mayHaveUnusual } from "../parse/nodes.ts";
import { attributeOf, type Visit } from "../parse/tree.ts";
import type { Flow } from "./flow.ts";
import { type MarkPath, withLink, withMark } from "./marks.ts";

/** Returns the heading level by element name (`named`) or role, or 0. */
export function levelOf(element: Element, named: number): number {
  if (named > 0) return named;
  if (!mayHaveUnusual(element) || element.attribs["role"] !== "heading") return 0;
  const level = Number.parseInt(attributeOf(element, "aria-level"), 10);
  return level >= 1 && level <= 6 ? level : 2;
}

/** Enters a heading. Where only one line can be written, it becomes bold text. */
export function openHeading(flow: Flow, level: number): Visit {
  flow.edge();
  const outer = flow.marks;
  if (flow.headingLink !== undefined) {
    flow.marks = withLink(outer, flow.headingLink);
    flow.headingLink = undefined;
  }
  if (!flow.isFlow) {
    flow.marks = withMark(flow.marks, "strong");
    return flow.into(endBoldHeading, outer);
  }
  flow.headings++;
  flow.openSink("blank");
  return flow.into(endHeading, { level, outer });
}

function endBoldHeading(flow: Flow, outer: MarkPath): void {
  flow.marks = outer;
  flow.edge();
}

function endHeading(flow: Flow, { level, outer }: { level: number; outer: MarkPath }): void {
  const text = withoutBold(flow.closeSink());
  flow.headings--;
  flow.marks = outer;
  flow.writer.block(
    "heading",
    `${"#".repeat(level)} ${text.replace(/(^|\s)(#+)$/, "$1\\$2")}`.trim(),
  );
}

/** Removes bold that spans a whole heading, because headings are bold anyway. */
function withoutBold(text: string): string {
  const inner = /^\*\*(.+)\*\*$/.exec(text)?.[1];
  return inner === undefined || inner.includes("*") || inner.endsWith("\\") ? text : inner;
}
