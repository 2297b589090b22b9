// Lists of matches to come, `fixtures` and `upcoming_matches`, have none that were played.
import { parseName, type Name } from "../names/names.ts";
import { hasScoreBetweenSides } from "./match-parts.ts";
import type { RowGroup } from "./row-group.ts";
import type { VisibleScope } from "./visible-scope.ts";

const FIXTURE = /^(?:fixture|spielplan)$/;
const MATCH = /^(?:match|game|fixture|spiel|spiele|partido|partita|partite|rencontre|wedstrijd)$/;
const UPCOMING = /^(?:upcoming|next|scheduled|future|coming)$/;

const isOfUpcomingMatches = ({ words }: Name): boolean =>
  words.some((word) => FIXTURE.test(word)) ||
  (words.some((word) => MATCH.test(word)) && words.some((word) => UPCOMING.test(word)));

const SCORE = /^\d{1,3}\s?[-–:]\s?\d{1,3}$/;
/** "19:30" is a time of day, "31:28" a score. */
const CLOCK_TIME = /^(?:[01]?\d|2[0-4]):[0-5]\d$/;
/** "Final" is a round of a cup as well. */
const PLAYED =
  /^(?:FT|AET|full[- ]time|played|finished|beendet|terminé|finalizado|afgelopen|slut)$/iu;
/** Columns and labels with the score of the match; other ones have a record or former meetings. */
const RESULT = /^(?:score|result|final score|ergebnis|resultat|resultado|risultato|uitslag|wynik)$/;

const isScore = (text: string): boolean => SCORE.test(text) && !CLOCK_TIME.test(text);

const isResult = (label: string): boolean =>
  label === "" || label.split("/").some((part) => RESULT.test(parseName(part).key));

/** True for the row or card of a match that was played. */
function isPlayed(scope: VisibleScope): boolean {
  const { model, cells, pieces, pairs } = scope;
  const isOver = pieces.some((piece) => PLAYED.test(model.lineOf(piece).trim()));
  if (isOver || hasScoreBetweenSides(scope)) return true;
  if (cells.length > 0)
    return cells.some(({ name, cell }) => isResult(name) && isScore(cell.text.trim()));
  return pieces.some((piece) => {
    const text = model.lineOf(piece).trim();
    return isScore(text) && pairs.every(({ label, value }) => value !== text || isResult(label));
  });
}

/** Leaves out the matches that were played if `wanted` asks for those to come. */
export function dropPlayedMatches(groups: readonly RowGroup[], wanted: Name): readonly RowGroup[] {
  if (!isOfUpcomingMatches(wanted)) return groups;
  return groups.flatMap((group) => {
    const kept = [...group.scopes.keys()].filter((at) => {
      const scope = group.scopes[at];
      return scope !== undefined && !isPlayed(scope);
    });
    if (kept.length === 0) return [];
    const take = <Each>(list: readonly Each[]): Each[] => kept.flatMap((at) => list[at] ?? []);
    return kept.length === group.scopes.length
      ? [group]
      : [{ ...group, scopes: take(group.scopes), groups: take(group.groups) }];
  });
}
