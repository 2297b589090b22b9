// League tables: single letters as names of columns, goals of both sides in one cell, places
// without a header. The figures of the rows confirm each reading.
import { parseName } from "../names/names.ts";

export type LeagueColumns = {
  /** Other names of columns, by index. */
  readonly aliases: ReadonlyMap<number, readonly string[]>;
  /** Index of the column with goals for and against in one cell, "84–45". */
  readonly goals: number | undefined;
};

/** Columns of played, won, drawn and lost matches in this order, by their letters. */
const LETTERS: ReadonlySet<string> = new Set([
  "p w d l",
  "gp w d l",
  "mp w d l",
  "pld w d l",
  "sp s u n",
  "j g n p",
  "g v n p",
  "pg v n p",
  "j g e p",
  "pj g e p",
  "pj pg pe pp",
  "j v e d",
  "s v o f",
  "k v u t",
  "s v u t",
  "m z r p",
  "z v r p",
  "o v t h",
  "o g b m",
  "m gy d v",
  "и в н п",
  "і в н п",
]);
const RESULTS = ["played", "won", "drawn", "lost"] as const;
const LEAGUE = [...RESULTS, "points", "goal difference"] as const;
/** Columns of the above that make a league table, and rows that confirm a reading. */
const MIN_COLUMNS = 3;
const MIN_ROWS = 3;
/** Points are deducted and matches annulled. */
const MIN_CONFIRMED = 0.8;

/** Reads the columns of a table by their headers and the texts of its rows. */
export function readLeagueColumns(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): LeagueColumns {
  const aliases = new Map<number, string[]>();
  const add = (column: number, name: string): void => {
    aliases.set(column, [...(aliases.get(column) ?? []), name]);
  };
  const find = (concept: string): number =>
    headers.findIndex(
      (header, at) => aliases.get(at)?.includes(concept) ?? parseName(header).concepts.has(concept),
    );
  const read = (row: readonly string[], column: number): number => toNumber(row[column] ?? "");
  const letters = findLetters(headers);
  if (letters !== undefined) {
    const areMatches = isConfirmed(rows, (row) => {
      const [played = 0, ...results] = RESULTS.map((_, at) => read(row, letters + at));
      return played === results.reduce((sum, each) => sum + each, 0);
    });
    if (areMatches) for (const [at, name] of RESULTS.entries()) add(letters + at, name);
    const total = headers.findIndex(
      (header, at) => at >= letters + RESULTS.length && isPointsHeader(header),
    );
    const arePoints = [2, 3].some((win) =>
      isConfirmed(
        rows,
        (row) => read(row, total) === win * read(row, letters + 1) + read(row, letters + 2),
      ),
    );
    if (areMatches && total !== -1 && arePoints) add(total, "points");
  }
  // Beside wins after extra time, those in regulation time are "the" wins.
  for (const [whole, part, other] of REGULATION)
    if (find(whole) === -1 && find(part) !== -1 && find(other) !== -1) add(find(part), whole);
  const isLeague = LEAGUE.filter((concept) => find(concept) !== -1).length >= MIN_COLUMNS;
  const isNumbered = headers[0] === "#" || (headers[0] === "" && isLeague);
  if (isNumbered && areRanks(rows.map(([first = ""]) => first))) add(0, "rank");
  const difference = find("goal difference");
  const goals = headers.findIndex((header, column) => {
    const sides = rows.map((row) => readSides(row[column] ?? ""));
    if (sides.length < MIN_ROWS || sides.includes(undefined)) return false;
    if (isLeague && namesGoals(header)) return true;
    return (
      difference !== -1 &&
      sides.every(
        (pair, at) => pair !== undefined && pair[0] - pair[1] === read(rows[at] ?? [], difference),
      )
    );
  });
  return { aliases, goals: goals === -1 ? undefined : goals };
}

const REGULATION = [
  ["won", "regulation wins", "overtime wins"],
  ["lost", "regulation losses", "overtime losses"],
] as const;

function findLetters(headers: readonly string[]): number | undefined {
  const written = headers.map((header) => header.toLowerCase().replaceAll(/[.\s]/g, ""));
  const at = written.findIndex((_, start) =>
    LETTERS.has(written.slice(start, start + RESULTS.length).join(" ")),
  );
  return at === -1 ? undefined : at;
}

const isPointsHeader = (header: string): boolean => /^(?:p|pt|pts|pkt|о)\.?$/iu.test(header);

const toNumber = (text: string): number => {
  const [number = ""] = /^[+−–-]?\d{1,4}$/.exec(text.trim()) ?? [];
  return number === "" ? Number.NaN : Number(number.replace(/^[−–]/, "-"));
};

const isConfirmed = (
  rows: readonly (readonly string[])[],
  test: (row: readonly string[]) => boolean,
): boolean => rows.length >= MIN_ROWS && rows.filter(test).length >= rows.length * MIN_CONFIRMED;

/** 1, 2, 3 … with ties. */
function areRanks(texts: readonly string[]): boolean {
  const ranks = texts.map((text) => toNumber(text.replace(/\.$/, "")));
  return (
    ranks.length >= MIN_ROWS &&
    ranks[0] === 1 &&
    ranks.every((rank, at) => rank === at + 1 || (at > 0 && rank === ranks[at - 1]))
  );
}

/** "Goals", "Tore", "Goals for–against". */
function namesGoals(header: string): boolean {
  const isGoals = ({ concepts }: ReturnType<typeof parseName>): boolean =>
    concepts.has("goals") || concepts.has("goals for");
  if (isGoals(parseName(header))) return true;
  const [scored = "", conceded] = header.split(/\s?[–:/-]\s?/u);
  if (conceded === undefined) return false;
  const noun = header.split(" ").at(-1) ?? "";
  return (
    [scored, `${scored} ${noun}`].some((text) => isGoals(parseName(text))) &&
    parseName(conceded).concepts.has("goals against")
  );
}

/** Goals for and against: "84–45", "84:45". */
export function readSides(text: string): readonly [number, number] | undefined {
  const [, scored, conceded] = /^(\d{1,3})\s?[–:/-]\s?(\d{1,3})$/.exec(text.trim()) ?? [];
  return scored === undefined ? undefined : [Number(scored), Number(conceded)];
}
