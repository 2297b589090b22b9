import type { Document, Element } from "domhandler";
import {
  attachElementIndex,
  getElementIndex,
  buildElementIndex,
} from "../evidence/element-index.ts";
import { insertStreamedParts } from "./streamed-parts.ts";
import { flattenShadowRoots } from "./shadow-roots.ts";
import { HtmlTokenizer } from "./tokenizer.ts";
import { TreeBuilder } from "./tree-builder.ts";
import { MAX_DEPTH } from "./tree-writer.ts";

/**
 * Parses HTML into a domhandler tree, at most `MAX_DEPTH` deep, in linear time, and collects the
 * element index (element-index.ts). Declarative shadow roots are shown in their hosts, streamed
 * parts in their places. Never
 * throws; malformed markup gives some tree.
 */
export function parseHtml(html: string): Document {
  const builder = new TreeBuilder(html);
  new HtmlTokenizer(html, builder).read();
  builder.end();
  const { root, isReordered } = builder;
  const { unprepared, notable } = builder.notes;
  const isFlattened = flattenShadowRoots(root, unprepared, MAX_DEPTH);
  const isFilled = insertStreamedParts(unprepared, notable, MAX_DEPTH);
  const isMoved = isReordered || isFlattened || isFilled;
  const notes = isMoved ? buildElementIndex(root) : builder.notes;
  notes.unclosed = builder.unclosed;
  attachElementIndex(root, notes);
  return root;
}

/** Returns the base, meta, script and title elements of a page, in document order. */
export function getHeadElements(document: Document): readonly Element[] {
  return getElementIndex(document).signs;
}
