// Segments sentences and words of any language by Unicode rules (UAX #29), localized if the runtime
// supports it.

const segmenters = new Map<string, Intl.Segmenter>();

function getSegmenter(language: string, granularity: "sentence" | "word"): Intl.Segmenter {
  const key = `${granularity} ${language}`;
  const known = segmenters.get(key);
  if (known !== undefined) return known;
  const made = create(language, granularity);
  if (segmenters.size > 60) segmenters.clear();
  segmenters.set(key, made);
  return made;
}

function create(language: string, granularity: "sentence" | "word"): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language === "" ? "en" : language.replaceAll("_", "-"), {
      granularity,
    });
  } catch {
    // A page may declare any language.
    return new Intl.Segmenter("en", { granularity });
  }
}

/**
 * An abbreviation or initial does not end a sentence: "Dr. Smith", "J. K. Rowling", "z. B. hier".
 */
const OPEN_END =
  /(?:^|[\s(])(?:\p{L}|Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|vs|etc|Inc|Ltd|Co|No|Nr|bzw|ca|approx|e\.g|i\.e|Fig|Abb|vol|pp?|al|kl|Reg|Art|Tel|Str|Av|resp|ev|inkl|exkl|ggf|evtl|Mio|Mrd)\.\s*$/iu;

/** Languages that write ordinals with a full stop: "am 2. Februar". */
const DOTTED_ORDINALS = /^(?:de|da|nb|nn|no|fi|cs|sk|pl|hu|hr|sl|sr|bs|et|lv|is|tr)\b/i;
const ORDINAL_END = /(?:^|[\s(])\d{1,2}\.\s*$/;
/** A bracket that stays open this long was never closed. */
const MAX_BRACKET = 300;

/** True if the text goes on after its last full stop. */
function isOpen(text: string, language: string): boolean {
  if (OPEN_END.test(text)) return true;
  if (DOTTED_ORDINALS.test(language) && ORDINAL_END.test(text)) return true;
  const bracket = text.lastIndexOf("(");
  return bracket > text.lastIndexOf(")") && text.length - bracket < MAX_BRACKET;
}

/** Returns the sentences of a paragraph, with whitespace folded. */
export function splitSentences(paragraph: string, language: string): string[] {
  const found: string[] = [];
  let open = "";
  for (const { segment } of getSegmenter(language, "sentence").segment(
    paragraph.slice(0, 20_000),
  )) {
    open += segment;
    if (isOpen(open, language)) continue;
    const sentence = open.trim();
    if (sentence !== "") found.push(sentence);
    open = "";
  }
  const rest = open.trim();
  if (rest !== "") found.push(rest);
  return found;
}

/**
 * Returns the words of a text, normalized for comparison: lower case, compatibility forms, without
 * common plural endings.
 */
export function splitWords(text: string, language: string): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of getSegmenter(language, "word").segment(
    text.slice(0, 50_000),
  ))
    if (isWordLike === true) found.push(stem(segment.normalize("NFKC").toLowerCase()));
  return found;
}

/** Strips plurals and possessives, which is enough to match words within one text. */
const stem = (word: string): string =>
  word.length > 3 && /^[a-z'’]+$/.test(word)
    ? word
        .replace(/['’]s$/, "")
        .replace(/(?<=[a-z]{3})(?:ies|es|s)$/, (end) => (end === "ies" ? "y" : ""))
    : word;
