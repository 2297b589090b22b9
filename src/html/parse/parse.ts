import type { Document, Element } from "domhandler";
import {
  attachElementIndex,
  getElementIndex,
  buildElementIndex,
} from "../evidence/element-index.ts";
import { flattenShadowRoots } from "./shadow-roots.ts";
import { HtmlTokenizer } from "./tokenizer.ts";
import { TreeBuilder } from "./tree-builder.ts";
import { MAX_DEPTH } from "./tree-writer.ts";

/**
 * Parses HTML into a domhandler tree, at most `MAX_DEPTH` deep, in linear time, and collects the
 * element index (element-index.ts). Declarative shadow roots are shown in their hosts. Never
 * throws; malformed markup gives some tree.
 */
export function parseHtml(html: string): Document {
  const builder = new TreeBuilder(html);
  new HtmlTokenizer(html, builder).read();
  builder.end();
  const { root, isReordered } = builder;
  const isFlattened = flattenShadowRoots(root, builder.notes.unprepared, MAX_DEPTH);
  const notes = isReordered || isFlattened ? buildElementIndex(root) : builder.notes;
  notes.unclosed = builder.unclosed;
  attachElementIndex(root, notes);
  return root;
}

/** Returns the base, meta, script and title elements of a page, in document order. */
export function getHeadElements(document: Document): readonly Element[] {
  return getElementIndex(document).signs;
}
