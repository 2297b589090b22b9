// Finds delimiters in a line's text that Markdown could take for emphasis or code.
import { mayPair } from "./escape.ts";
import { getEdgeCharacter, type Piece } from "./line-pieces.ts";

const DELIMITERS = /[*_~`]/;
const DELIMITER_RUNS = /[*]+|_+|~+|`+/g;

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the delimiters in the text that could pair with each other or with the marks around it,
 * and so need escaping.
 */
export function findPairingDelimiters(pieces: readonly Piece[]): ReadonlySet<string> {
  if (!holdDelimiters(pieces)) return NONE;
  const pairing = new Set<string>();
  const opened = new Map<string, { text: boolean; mark: boolean }>();
  let backticks = 0;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece;
    if (piece.kind === "code") {
      backticks++;
      continue;
    }
    if (piece.kind === "open" || piece.kind === "close") {
      const delimiter = piece.value[0] ?? "";
      if (!DELIMITERS.test(delimiter)) continue;
      const seen = opened.get(delimiter);
      if (piece.kind === "close" && seen?.text === true) pairing.add(delimiter);
      opened.set(delimiter, { text: seen?.text ?? false, mark: true });
      continue;
    }
    if (piece.plain) continue;
    for (const match of piece.value.matchAll(DELIMITER_RUNS)) {
      const delimiter = match[0][0] as string;
      if (delimiter === "`") {
        backticks++;
        if (backticks > 1) pairing.add("`");
        continue;
      }
      const last = match.index + match[0].length;
      // Next to a mark with the same character, both would be read as one run.
      if (
        (match.index === 0 &&
          pieces[index - 1]?.mark !== undefined &&
          getEdgeCharacter(pieces, index, -1) === delimiter) ||
        (last === piece.value.length &&
          pieces[index + 1]?.mark !== undefined &&
          getEdgeCharacter(pieces, index, 1) === delimiter)
      )
        pairing.add(delimiter);
      const { opens, closes } = mayPair(
        delimiter,
        match.index === 0
          ? getEdgeCharacter(pieces, index, -1)
          : (piece.value[match.index - 1] ?? ""),
        last === piece.value.length
          ? getEdgeCharacter(pieces, index, 1)
          : (piece.value[last] ?? ""),
      );
      const seen = opened.get(delimiter);
      if (closes && seen !== undefined) pairing.add(delimiter);
      if (opens) opened.set(delimiter, { text: true, mark: seen?.mark ?? false });
    }
  }
  if (backticks > 1) pairing.add("`");
  return pairing;
}

function holdDelimiters(pieces: readonly Piece[]): boolean {
  for (const piece of pieces) if (!piece.plain && DELIMITERS.test(piece.value)) return true;
  return false;
}
