// Words beside a value that give it to something else: another time, the other end of a range.
import type { Name } from "../names/names.ts";
import { findBoundBefore } from "../values/measures.ts";
import type { WantedProperty } from "./label-match.ts";

/** Words of a sentence about another time. */
export const OTHER_TIME =
  /\b(?:previous(?:ly)?|former(?:ly)?|used to|until|last (?:year|month|season|time)|was|were|bisher(?:ig\p{L}*)?|zuvor|früher\p{L}*|vorher\p{L}*|damals|précédent\p{L}*|auparavant|était|anterior(?:es)?|antes|precedent[ei]|prima|vorig\p{L}*|tidigare|tidligere|poprzedni\p{L}*|předchozí)(?!\p{L})/iu;

/** "Up to 15 employees" is no minimum, "from 15 employees" no maximum. */
export function isOtherEnd(end: WantedProperty["bound"], line: string, text: string): boolean {
  const written = findBoundBefore(line.slice(0, Math.max(0, line.indexOf(text))));
  return end !== undefined && written !== undefined && written !== end;
}

/** The end that a name such as `max_employees` asks for. */
export function findEnd({ words }: Name): WantedProperty["bound"] {
  if (words.some((word) => word.startsWith("min"))) return "low";
  return words.some((word) => word.startsWith("max")) ? "high" : undefined;
}
