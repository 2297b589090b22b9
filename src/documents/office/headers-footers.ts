// Reads content that the office parser ignores: page headers and footers, and sheet names.
import { SaxesParser } from "saxes";
import { readParts } from "./archive-parts.ts";

export type HeadersFooters = {
  /** Distinct paragraphs. */
  readonly headers: readonly string[];
  readonly footers: readonly string[];
};

const NOTHING: HeadersFooters = { headers: [], footers: [] };
const MAX_PARAGRAPHS = 100;
/** A page number, alone or in words, which means nothing outside its page. */
const ONLY_NUMBERS =
  /^(?:page|seite|página|pagina|p\.)?[\s\d/|–-]*(?:of|von|de|sur|di)?[\s\d/|–-]*$/i;

/** Returns headers and footers of an Open XML or OpenDocument text; none for other files. */
export function readHeadersFooters(bytes: Uint8Array): HeadersFooters {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return NOTHING;
  const parts = readParts(bytes, /^(?:word\/(?:header|footer)\d*\.xml|styles\.xml)$/);
  const headers: string[] = [];
  const footers: string[] = [];
  for (const [name, xml] of [...parts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if (name === "styles.xml") {
      headers.push(
        ...listParagraphs(xml, ["style:header", "style:header-first", "style:header-left"]),
      );
      footers.push(
        ...listParagraphs(xml, ["style:footer", "style:footer-first", "style:footer-left"]),
      );
    } else if (name.includes("header")) headers.push(...listParagraphs(xml, ["w:hdr"]));
    else footers.push(...listParagraphs(xml, ["w:ftr"]));
  }
  return { headers: removeRepeated(headers), footers: removeRepeated(footers) };
}

const removeRepeated = (texts: readonly string[]): string[] =>
  [...new Set(texts)]
    .filter((text) => text.length > 100 || !ONLY_NUMBERS.test(text))
    .slice(0, MAX_PARAGRAPHS);

/** Returns the texts of the paragraphs inside these elements. */
function listParagraphs(xml: string, within: readonly string[]): string[] {
  const paragraphs: string[] = [];
  let inside = 0;
  let text = "";
  let takes = false;
  const parser = new SaxesParser({ xmlns: false, fragment: true, position: false });
  parser.on("error", () => undefined);
  parser.on("opentag", ({ name }) => {
    if (within.includes(name)) inside++;
    if (name === "w:p" || name === "text:p") text = "";
    if (name === "w:tab" || name === "w:br" || name === "text:tab" || name === "text:s")
      text += " ";
    takes = name === "w:t" || name.startsWith("text:");
  });
  parser.on("text", (piece) => {
    if (inside > 0 && takes) text += piece;
  });
  parser.on("closetag", ({ name }) => {
    if (within.includes(name)) inside--;
    if (inside > 0 && (name === "w:p" || name === "text:p")) {
      const squashed = text.replaceAll(/\s+/g, " ").trim();
      if (squashed !== "") paragraphs.push(squashed);
      text = "";
    }
    takes = name.startsWith("text:");
  });
  parser.write(xml).close();
  return paragraphs;
}

/**
 * Returns the sheet names of an Open XML or OpenDocument workbook in order; none for other files.
 */
export function readSheetNames(bytes: Uint8Array): string[] {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return [];
  const names: string[] = [];
  for (const [part, xml] of readParts(bytes, /^(?:xl\/workbook\.xml|content\.xml)$/)) {
    const element = part === "content.xml" ? "table:table" : "sheet";
    const attribute = part === "content.xml" ? "table:name" : "name";
    const parser = new SaxesParser({ xmlns: false, fragment: true, position: false });
    parser.on("error", () => undefined);
    parser.on("opentag", (tag) => {
      const name = (tag.attributes as Record<string, string>)[attribute];
      if (tag.name.replace(/^x:/, "") === element && name !== undefined && names.length < 1_000)
        names.push(name);
    });
    parser.write(xml).close();
  }
  return names;
}
