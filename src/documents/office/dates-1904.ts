// Workbooks with the 1904 date system (ECMA-376-1, 18.2.28). The parser reads all Open XML dates in
// the 1900 system.
import { readParts } from "./archive-parts.ts";

/** Offset of such dates, in days. */
const EPOCH_OFFSET_DAYS = 1_462;
const DAY_MS = 86_400_000;
/** Corrects the dates in a workbook's HTML. A text that only looks like a date stays unchanged. */
export function fixDates1904(html: string, bytes: Uint8Array): string {
  const texts = findDates1904(bytes);
  if (texts === undefined) return html;
  return html.replaceAll(
    /(?<=>)(\d{4}-\d\d-\d\d)((?: \d\d:\d\d:\d\d)?)(?=<)/g,
    (both, day: string, time: string) => {
      const early = Date.parse(`${day}T00:00:00Z`);
      if (Number.isNaN(early) || texts(both)) return both;
      return `${new Date(early + EPOCH_OFFSET_DAYS * DAY_MS).toISOString().slice(0, 10)}${time}`;
    },
  );
}

/** Returns a test for texts of the workbook, or undefined for the 1900 date system. */
function findDates1904(bytes: Uint8Array): ((text: string) => boolean) | undefined {
  const parts = readParts(bytes, /^xl\/(?:workbook|sharedStrings)\.xml$/);
  const workbook = parts.get("xl/workbook.xml") ?? "";
  if (!/<(?:\w+:)?workbookPr\s[^<>]*\bdate1904="(?:1|true)"/.test(workbook)) return undefined;
  const strings = parts.get("xl/sharedStrings.xml") ?? "";
  return (text) => strings.includes(`>${text}<`);
}
