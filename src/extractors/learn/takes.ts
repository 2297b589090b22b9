// Ways to extract a value from a longer text: a typed part, the words around it, or a part between
// separators.
import type { ProgramSource, ScalarType } from "../../contract/extractors/program.ts";
import { convert, takeParts, type Conversion, type Scalar } from "../convert.ts";
import type { ExtractorPage } from "../extractor-page.ts";
import { isEqual, type Target } from "./occurrences.ts";

export type Take = NonNullable<ProgramSource["take"]>;

const SEPARATORS = [
  " · ",
  "·",
  " • ",
  "•",
  " | ",
  "|",
  " – ",
  " — ",
  " - ",
  " / ",
  "/",
  ", ",
  ",",
  ";",
  ":",
  "(",
  " ",
];
const MAX_LITERAL = 60;

/** Takes that extract the value from this text, the most specific first. */
export function buildTakes(
  text: string,
  target: Target,
  conversion: Conversion,
  page: ExtractorPage,
): Take[] {
  const candidates: Take[] = [];
  const { type } = conversion;
  const { value, literal } = target;
  const needles = listSearchTexts(text, value, type, page);
  if (literal !== undefined && text.includes(literal) && !needles.includes(literal))
    needles.unshift(literal);
  for (const needle of needles) {
    for (const { type: typed, text: written } of page.model.read(text))
      if (written === needle) candidates.push({ typed });
    const at = text.indexOf(needle);
    if (at === -1) continue;
    const afters = listWordsBefore(text.slice(0, at));
    const befores = listWordsAfter(text.slice(at + needle.length));
    for (const after of afters)
      for (const before of befores)
        if (after !== undefined || before !== undefined)
          candidates.push({
            ...(after === undefined ? {} : { after }),
            ...(before === undefined ? {} : { before }),
          });
    for (const separator of SEPARATORS) {
      if (!text.includes(separator)) continue;
      const parts = text.split(separator);
      const item = parts.findIndex((part) => part.trim() === needle);
      if (item === -1 || parts.length > 40) continue;
      candidates.push({ separator, item }, { separator, item: item - parts.length });
    }
  }
  return candidates.filter((take) => {
    const parts = takeParts(text, take, page);
    const [part] = parts;
    return (
      parts.length === 1 &&
      part !== undefined &&
      isEqual(convert(part, conversion, page), value, page, type)
    );
  });
}

/** Returns the words of a text that express the value. */
function listSearchTexts(
  text: string,
  value: Scalar,
  type: ScalarType,
  page: ExtractorPage,
): string[] {
  if (type === "string" || type === "url")
    return text.includes(String(value)) ? [String(value)] : [];
  const found = page.model
    .read(text)
    .filter(({ amount, unit, type: kind }) =>
      type === "date" ? kind === "date" && unit === value : amount === value,
    )
    .map((each) => each.text);
  if (type !== "date")
    for (const [written] of text.matchAll(/[-−+]?\d[\d.,'’]*/gu)) {
      const digits = written.replace(/[.,]$/, "");
      if (convert(digits, { type }, page) === value) found.push(digits);
    }
  return [...new Set(found)].slice(0, 3);
}

/** Endings of the words before a value, and undefined for the start of the text. */
function listWordsBefore(text: string): (string | undefined)[] {
  const before = text.trimEnd();
  if (before === "") return [undefined];
  const words = before.split(" ");
  const found = [1, 2, 3].map((count) => words.slice(-count).join(" "));
  const lastPart = /[^|·•;,()\n]*[|·•;,()]?$/.exec(before)?.[0].trim() ?? "";
  return removeDuplicates([...found, lastPart, before]);
}

/** Beginnings of the words after a value, and undefined for the end of the text. */
function listWordsAfter(text: string): (string | undefined)[] {
  const after = text.trimStart();
  if (after === "") return [undefined];
  const words = after.split(" ");
  const sign = /^[^\p{L}\p{N}\s]/u.exec(after)?.[0];
  return [...removeDuplicates([words[0], words.slice(0, 2).join(" "), sign]), undefined];
}

const removeDuplicates = (texts: readonly (string | undefined)[]): string[] =>
  [...new Set(texts)].filter(
    (text): text is string => text !== undefined && text !== "" && text.length <= MAX_LITERAL,
  );
