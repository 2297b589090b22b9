import type { Document, Element } from "domhandler";
import { keepNotes, notesOn, takeNotes } from "../evidence/page-notes.ts";
import { HtmlTokenizer } from "./tokenizer.ts";
import { TreeBuilder } from "./tree-builder.ts";

/**
 * Parses HTML into a domhandler tree, at most `MAX_DEPTH` deep, in linear time, and collects the
 * page notes (page-notes.ts). Never throws; malformed markup gives some tree.
 */
export function parseHtml(html: string): Document {
  const builder = new TreeBuilder(html);
  new HtmlTokenizer(html, builder).read();
  builder.end();
  const notes = builder.isReordered ? takeNotes(builder.root) : builder.notes;
  notes.unclosed = builder.unclosed;
  keepNotes(builder.root, notes);
  return builder.root;
}

/** Returns the base, meta, script and title elements of a page, in document order. */
export function signsIn(document: Document): readonly Element[] {
  return notesOn(document).signs;
}
