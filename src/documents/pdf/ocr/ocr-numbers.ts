// Corrects misread numbers of list items by their neighbors in the sequence.
import type { Word } from "../page-text.ts";

/** Characters that each digit is misread as. */
const LIKE = ["OoDQ", "IilJTLt|!7", "Zz", "B8S", "Aa", "Ss", "bGh", "T?", "B", "gq"];
const LIKE_NUMBER = /^[([]?([\dOoDQIilJTLt|!ZzBSAasbGh?gq]{1,3})[.,)\]:]$/;
/** Maximum horizontal distance of markers in one list, as a share of their height. */
const MAX_MARKER_DISTANCE = 1.2;

type Marker = { readonly line: number; readonly word: Word; readonly number: number | undefined };

/** Returns the lines in reading order of each column, with corrected item numbers. */
export function repairNumbers(lines: readonly (readonly Word[])[]): Word[][] {
  const repaired = lines.map((line) => [...line]);
  const markers = lines
    .flatMap((line, at): Marker[] => {
      const [word, next] = line;
      const read = next === undefined ? undefined : LIKE_NUMBER.exec(word?.text ?? "")?.[1];
      if (word === undefined || read === undefined) return [];
      return [{ line: at, word, number: /^\d+$/.test(read) ? Number(read) : undefined }];
    })
    .sort((one, other) => one.word.y1 - other.word.y1);
  const known = new Map<Marker, number>();
  for (const marker of markers) {
    const column = markers.filter((other) => isAligned(other.word, marker.word));
    const at = column.indexOf(marker);
    const before = column[at - 1];
    const after = column[at + 1];
    const number = interpolateNumber(
      before && (known.get(before) ?? before.number),
      marker,
      after?.number,
    );
    if (number === undefined) continue;
    known.set(marker, number);
    const { word, line } = marker;
    const text = word.text.replace(/[^([\]).,:]+/, String(number)).replace(/[,:]$/, ".");
    (repaired[line] as Word[])[0] = { ...word, text };
  }
  return repaired;
}

/** Returns the number that both neighbors, or the only one, imply. */
function interpolateNumber(
  before: number | undefined,
  { number, word }: Marker,
  after: number | undefined,
): number | undefined {
  if (before !== undefined && after !== undefined && after - before === 2) return before + 1;
  if (number !== undefined)
    return /[,:]$/.test(word.text) && before === number - 1 ? number : undefined;
  if (before !== undefined) return looksLike(word.text, before + 1) ? before + 1 : undefined;
  return after === 2 && looksLike(word.text, 1) ? 1 : undefined;
}

function looksLike(text: string, number: number): boolean {
  const signs = LIKE_NUMBER.exec(text)?.[1] ?? "";
  const figures = String(number);
  return (
    signs.length === figures.length &&
    figures
      .split("")
      .every((figure, at) => `${figure}${LIKE[Number(figure)]}`.includes(signs[at] ?? " "))
  );
}

const isAligned = (one: Word, other: Word): boolean => {
  const reach = MAX_MARKER_DISTANCE * Math.max(one.y1 - one.y0, other.y1 - other.y0);
  return Math.abs(one.x0 - other.x0) < reach && Math.abs(one.x1 - other.x1) < reach;
};
