// Sentences and words of any language, by Unicode's rules (UAX #29) and the language's own where the runtime knows it.

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(language: string, granularity: "sentence" | "word"): Intl.Segmenter {
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

/** An abbreviation or an initial at the end is no end: "Dr. Smith", "J. K. Rowling", "z. B. hier". */
const OPEN_END =
  /(?:^|[\s(])(?:\p{L}|Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|vs|etc|Inc|Ltd|Co|No|Nr|bzw|ca|approx|e\.g|i\.e|Fig|Abb|vol|pp?|al)\.\s*$/iu;

/** The sentences of a paragraph, white space folded. */
export function sentencesOf(paragraph: string, language: string): string[] {
  const found: string[] = [];
  let open = "";
  for (const { segment } of segmenterOf(language, "sentence").segment(paragraph.slice(0, 20_000))) {
    open += segment;
    if (OPEN_END.test(open)) continue;
    const sentence = open.trim();
    if (sentence !== "") found.push(sentence);
    open = "";
  }
  const rest = open.trim();
  if (rest !== "") found.push(rest);
  return found;
}

/** The words of a text, folded for comparing: lower case, compatibility forms joined, common endings of plurals cut. */
export function wordsIn(text: string, language: string): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of segmenterOf(language, "word").segment(
    text.slice(0, 50_000),
  ))
    if (isWordLike === true) found.push(stem(segment.normalize("NFKC").toLowerCase()));
  return found;
}

/** Enough for words of one text to meet: plurals and possessives. */
const stem = (word: string): string =>
  word.length > 3 && /^[a-z'’]+$/.test(word)
    ? word
        .replace(/['’]s$/, "")
        .replace(/(?<=[a-z]{3})(?:ies|es|s)$/, (end) => (end === "ies" ? "y" : ""))
    : word;
