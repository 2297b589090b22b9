// Workbooks that count their days from 1904 (ECMA-376-1, 18.2.28): of Open XML the parser takes all for
// those from 1900.
import { readParts } from "./archive-parts.ts";

/** What the dates of such a workbook are too early by. */
const DAYS = 1_462;
const DAY_MS = 86_400_000;
/** HTML of a workbook with its dates where they belong; a text that only looks like a date stays as it is. */
export function withRightDates(html: string, bytes: Uint8Array): string {
  const texts = textsIfFrom1904(bytes);
  if (texts === undefined) return html;
  return html.replaceAll(
    /(?<=>)(\d{4}-\d\d-\d\d)((?: \d\d:\d\d:\d\d)?)(?=<)/g,
    (both, day: string, time: string) => {
      const early = Date.parse(`${day}T00:00:00Z`);
      if (Number.isNaN(early) || texts(both)) return both;
      return `${new Date(early + DAYS * DAY_MS).toISOString().slice(0, 10)}${time}`;
    },
  );
}

/** Whether a text stands in the workbook as a text; undefined for one that counts from 1900. */
function textsIfFrom1904(bytes: Uint8Array): ((text: string) => boolean) | undefined {
  const parts = readParts(bytes, /^xl\/(?:workbook|sharedStrings)\.xml$/);
  const workbook = parts.get("xl/workbook.xml") ?? "";
  if (!/<(?:\w+:)?workbookPr\s[^<>]*\bdate1904="(?:1|true)"/.test(workbook)) return undefined;
  const strings = parts.get("xl/sharedStrings.xml") ?? "";
  return (text) => strings.includes(`>${text}<`);
}
