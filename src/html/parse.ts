import type { Document } from "domhandler";
import { parseDocument } from "htmlparser2";

/** Parses HTML into a domhandler tree. Never throws; malformed markup gives some tree, depth is not limited here. */
export function parseHtml(html: string): Document {
  return parseDocument(html, {
    lowerCaseTags: true,
    lowerCaseAttributeNames: true,
    decodeEntities: true,
  });
}
