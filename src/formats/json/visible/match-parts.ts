// Reads the two sides of a match and its score from a record: "Ashcombe v Wickford", "Hexley 3–1
// Oldbarn", each side in an element of its own or all in one line.
import type { PageNode } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName, type Name } from "../names/names.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

type Side = "home" | "away";
type Part = { readonly text: string; readonly node: PageNode };
type Match = {
  readonly home: Part;
  readonly away: Part;
  readonly score:
    | { readonly home: number; readonly away: number; readonly node: PageNode }
    | undefined;
};

const VERSUS = String.raw`(?:v|vs\.?|versus|gegen|contra|contre|kontra|mot)`;
/** "15:30" is a time. */
const SCORE = String.raw`(\d{1,3})\s?(?:[–-]\s?|:(?!\s?\d{2}))(\d{1,3})`;
const BETWEEN = new RegExp(String.raw`^(?:${VERSUS}|${SCORE}|[–-])$`, "iu");
const IN_LINE = new RegExp(String.raw`^(\D.{1,39}?)\s(?:${VERSUS}|${SCORE})\s(\D.{1,39})$`, "iu");
const MAX_SIDE = 40;
/**
 * Notes between the score and the second side: "(3–1, 4–0)", which `toSide` leaves empty, and how
 * the match was decided.
 */
const NOTE =
  /^(?:\(?(?:aet|a\.e\.t\.|ot|so|et|ft|ht|pens?\.?|pso|sd|str|n\.\s?v\.|n\.\s?p\.|i\.\s?e\.|a\.\s?p\.|t\.\s?a\.\s?b\.|d\.\s?t\.\s?s\.|d\.\s?c\.\s?r\.|pr\.|k\.|sn|pp|e\.f\.|ja|vl)\)?)?$/iu;
const MAX_NOTES = 2;

const HOME = /^(?:home|host|heim|local|locale|thuis|domicile|casa)$/;
const AWAY =
  /^(?:away|guest|visitor|visiting|gast|auswarts|visitante|exterieur|trasferta|uit|ospite)$/;
const TEAM = /^(?:team|club|side|player|name|mannschaft|verein|equipo|equipe|squadra|ploeg)$/;
const GOALS = /^(?:score|goal|point|run|tor|gol|but|result)$/;

/** The side that a property names, and whether it asks for its goals. */
function readWanted({
  words,
}: Name): { readonly side: Side; readonly isScore: boolean } | undefined {
  const side = words.some((word) => HOME.test(word))
    ? "home"
    : words.some((word) => AWAY.test(word))
      ? "away"
      : undefined;
  if (side === undefined) return undefined;
  const rest = words.filter((word) => !HOME.test(word) && !AWAY.test(word));
  if (rest.every((word) => TEAM.test(word))) return { side, isScore: false };
  return rest.every((word) => GOALS.test(word)) ? { side, isScore: true } : undefined;
}

const matches = new WeakMap<VisibleScope, Match | null>();

function getMatch(scope: VisibleScope): Match | undefined {
  let known = matches.get(scope);
  if (known === undefined) {
    known = readMatch(scope) ?? null;
    matches.set(scope, known);
  }
  return known ?? undefined;
}

/** A name without the score of a shoot-out or of half-time behind it. */
const toSide = (text: string): string => text.replace(/\s*\([^()]*\d[^()]*\)$/u, "").trim();

/** The only match of a record. */
function readMatch(scope: VisibleScope): Match | undefined {
  const { model } = scope;
  const found: Match[] = [];
  const parts = scope.pieces.map((node): Part => ({ node, text: toSide(model.lineOf(node)) }));
  const isSide = ({ text }: Part): boolean =>
    /^[\p{Lu}\p{Lo}\d]/u.test(text) &&
    /\p{L}{2}/u.test(text) &&
    text.length <= MAX_SIDE &&
    !/\d[–-]\d|,|\d{4}/u.test(text);
  const toScore = (home: string | undefined, away: string | undefined, node: PageNode) =>
    home === undefined || away === undefined
      ? undefined
      : { home: Number(home), away: Number(away), node };
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1];
    const after = parts.slice(at + 1, at + 1 + MAX_NOTES + 1).find(({ text }) => !NOTE.test(text));
    const between = BETWEEN.exec(part.text);
    if (between !== null && before !== undefined && after !== undefined) {
      if (isSide(before) && isSide(after))
        found.push({
          home: before,
          away: after,
          score: toScore(between[1], between[2], part.node),
        });
      continue;
    }
    const [, home = "", one, two, away = ""] = IN_LINE.exec(part.text) ?? [];
    const sides = [home, away].map((text) => ({ text: text.trim(), node: part.node }));
    const [first, second] = sides;
    if (first !== undefined && second !== undefined && home !== "" && sides.every(isSide))
      found.push({ home: first, away: second, score: toScore(one, two, part.node) });
  }
  const [first, other] = found;
  return other === undefined ? first : undefined;
}

/** The team in the column "Home" or "Away". */
function findSideColumn(side: Side, scope: VisibleScope): VisibleAnswer | undefined {
  const [named, ...others] = scope.cells.filter(({ name, cell }) => {
    const wanted = readWanted(parseName(name));
    return wanted?.side === side && !wanted.isScore && /\p{L}{2}/u.test(cell.text);
  });
  if (named === undefined || others.length > 0) return undefined;
  const { node, text } = named.cell;
  const leaf = toVisibleLeaf(scope, node, toSide(text), "table", text);
  return { found: { leaves: [leaf], confidence: "high", node } };
}

/** True if the goals of both sides stand between them. */
export const hasScoreBetweenSides = (scope: VisibleScope): boolean =>
  getMatch(scope)?.score !== undefined;

/** A side of the record's match, or its goals; undefined for another property or no match. */
export function findMatchPart(
  wanted: Name,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const asked = scope.isPage ? undefined : readWanted(wanted);
  if (asked === undefined) return undefined;
  const isNumber = shape.kind === "number" || shape.kind === "integer";
  if (asked.isScore !== isNumber) return undefined;
  const column = asked.isScore ? undefined : findSideColumn(asked.side, scope);
  if (column !== undefined) return column;
  const match = getMatch(scope);
  if (match === undefined) return undefined;
  const { text, node } = match[asked.side];
  if (!asked.isScore)
    return {
      found: {
        leaves: [toVisibleLeaf(scope, node, text, "list", text)],
        confidence: "medium",
        node,
      },
    };
  if (match.score === undefined) return undefined;
  const leaf = toVisibleLeaf(scope, match.score.node, match.score[asked.side], "list");
  return { found: { leaves: [leaf], confidence: "medium", node: match.score.node } };
}
