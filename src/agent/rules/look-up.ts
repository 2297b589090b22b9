// Answers a look-up from a table: the cell where the row and the column that the request names
// meet.
import { toWords } from "../../ranking/words.ts";
import { splitCells } from "../tables/markdown-table.ts";
import { readNumber, usesDecimalCommas } from "../tables/cell-number.ts";
import type { PageNote } from "../pages/read-page.ts";
import { shareStem } from "../answer/terms.ts";

export type LookUp = {
  /** Name of the property. */
  readonly name: string;
  readonly isNumber: boolean;
  /** Words of the request that the page itself does not account for. */
  readonly open: readonly string[];
  /** All words of the request. */
  readonly known: ReadonlySet<string>;
};

export type Cell = { readonly value: string | number; readonly text: string };

/** Words that say what kind of thing the named row is: "the Team plan", "the option --parallel". */
const ROW_KINDS: ReadonlySet<string> = new Set(
  "edition flag item line model option package parameter plan product row setting tier variant".split(
    " ",
  ),
);

/** Returns the only matching cell of a page; undefined if there is none or several cells differ. */
export function lookUpCell(
  { markdown, tables = [] }: Pick<PageNote, "markdown" | "tables">,
  asked: LookUp,
): Cell | undefined {
  const words = toWords(asked.name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replaceAll("_", " "));
  if (words.length === 0 || asked.open.length === 0) return undefined;
  const found: Cell[] = [];
  for (const [block] of markdown.matchAll(/^\|.*(?:\n\|.*)+$/gm)) {
    const [head = [], , ...rows] = block.split("\n").map((line) => splitCells(line.trim()));
    const grid = [head, ...rows];
    const turned = head.map((_, at) => grid.map((row) => row[at] ?? ""));
    for (const one of [grid, turned]) {
      const cell = findCell(one, words, asked);
      if (cell !== undefined) found.push(cell);
    }
  }
  for (const { columns, rows, isCut } of tables) {
    if (isCut) continue;
    const cell = findCell([columns.map(({ name }) => name), ...rows], words, asked);
    if (cell !== undefined) found.push(cell);
  }
  const [first] = found;
  return found.every(({ value }) => value === first?.value) ? first : undefined;
}

function findCell(
  [head = [], ...rows]: readonly (readonly string[])[],
  words: readonly string[],
  { open, known, isNumber }: LookUp,
): Cell | undefined {
  const [corner = ""] = head;
  const columns = head.flatMap((name, at) =>
    at > 0 && isNamedBy(name, corner, words, known) ? [at] : [],
  );
  const [column] = columns;
  if (column === undefined || columns.length > 1) return undefined;
  const inHead = toWords(`${corner} ${head[column] ?? ""}`);
  const left = open.filter((word) => !inHead.some((own) => shareStem(own, word)));
  const rest = left.filter((word) => !ROW_KINDS.has(word));
  if (rest.length === 0) return undefined;
  const fitting = rows.filter(([key = ""]) => {
    const own = toWords(key);
    return own.every((word) => isKnown(word, known)) && rest.every((word) => own.includes(word));
  });
  const [row] = fitting;
  if (row === undefined || fitting.length > 1) return undefined;
  const cells = rows.map((one) => one[column] ?? "");
  return toCell(row[column] ?? "", isNumber, usesDecimalCommas(cells));
}

/**
 * The heading has all words of the property, some of which may stand in the corner of the table
 * ("Limit" over "Upload size"), and no word that the request lacks.
 */
function isNamedBy(
  heading: string,
  corner: string,
  words: readonly string[],
  known: ReadonlySet<string>,
): boolean {
  const own = toWords(heading);
  const around = [...own, ...toWords(corner)];
  return (
    own.length > 0 &&
    words.every((word) => around.some((one) => shareStem(one, word))) &&
    own.every((word) => isKnown(word, known) || words.some((one) => shareStem(one, word)))
  );
}

const isKnown = (word: string, known: ReadonlySet<string>): boolean =>
  known.has(word) || [...known].some((other) => shareStem(other, word));

function toCell(text: string, isNumber: boolean, usesDecimalComma: boolean): Cell | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || /^[-–—?]+$/.test(trimmed)) return undefined;
  if (!isNumber) return { value: trimmed, text: trimmed };
  const number = readNumber(trimmed, usesDecimalComma);
  return number === undefined ? undefined : { value: number, text: trimmed };
}
