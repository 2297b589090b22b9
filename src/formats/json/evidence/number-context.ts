// Decides whether a number on a page belongs to a property: its label, column or sign is next to
// it. A number that merely occurs somewhere is not evidence.
import { listSynonyms, toSingularWords } from "../names/names.ts";

/** Words that only mean that the property is a number. */
const GENERIC: ReadonlySet<string> = new Set(
  "number num value amount count total the of in is a an no nr id data field int float per and".split(
    " ",
  ),
);
const MONEY =
  /\p{Sc}|(?<!\p{L})(?:USD|EUR|GBP|CHF|JPY|CNY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|HUF|INR|BRL|kr|zł|Kč|Ft|lei|руб|円|元|원)(?!\p{L})/u;
const MONEY_WORDS =
  /price|cost|fee|salary|rent|amount|fare|wage|budget|revenue|preis|prix|precio|prezzo/i;
const RATING_WORDS = /rating|score|stars/i;
const PERCENT_WORDS = /percent|pct|rate|share|ratio/i;

/** Words of the property: those of its name and description, and of names of the same concept. */
export function listContextWords(name: string, description = ""): Set<string> {
  const own = toSingularWords(name);
  const said = [...own, ...toSingularWords(description)].filter(
    (word) => word.length > 1 && !GENERIC.has(word),
  );
  return new Set([...said, ...listSynonyms(name), ...listSynonyms(own.at(-1) ?? "")]);
}

const MAX_LINES_ABOVE = 2;
const MAX_LINE = 400;

/** `at` and `end`: position of the number in the Markdown. */
export function isNumberOf(
  name: string,
  words: ReadonlySet<string>,
  markdown: string,
  at: number,
  end: number,
): boolean {
  const around = markdown.slice(Math.max(0, at - 4), end + 6);
  if (MONEY_WORDS.test(name) && MONEY.test(around)) return true;
  if (
    RATING_WORDS.test(name) &&
    /\/\s?(?:5|10|100)|★|⭐|star|out of|von 5/i.test(markdown.slice(at, end + 14))
  )
    return true;
  if (PERCENT_WORDS.test(name) && /[%％]/.test(around)) return true;
  return readContext(markdown, at, end).some((text) => hasWord(text, words));
}

function hasWord(text: string, words: ReadonlySet<string>): boolean {
  const own = toSingularWords(text);
  const folded = ` ${own.join(" ")} `;
  return [...words].some(
    (word) =>
      folded.includes(` ${word} `) ||
      (word.length >= 4 &&
        own.some((one) => one.length >= 4 && (one.startsWith(word) || word.startsWith(one)))) ||
      // Scripts without spaces between words.
      (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word) &&
        text.includes(word)),
  );
}

/**
 * The line around a number, the lines above it, and in a table the head of its column and the first
 * cell of its row.
 */
function readContext(markdown: string, at: number, end: number): string[] {
  const start = markdown.lastIndexOf("\n", at - 1) + 1;
  const stop = markdown.indexOf("\n", end);
  const line = markdown.slice(start, stop === -1 ? undefined : stop);
  if (line.trimStart().startsWith("|")) return readTableContext(markdown, line, start, at);
  const near = markdown.slice(
    Math.max(start, at - MAX_LINE / 2),
    Math.min(start + line.length, end + MAX_LINE / 2),
  );
  const above = markdown
    .slice(Math.max(0, start - MAX_LINE), start)
    .split("\n")
    .filter((one) => one.trim() !== "");
  return [near, ...above.slice(-MAX_LINES_ABOVE)];
}

function readTableContext(markdown: string, line: string, start: number, at: number): string[] {
  const column = line.slice(0, at - start).split(/(?<!\\)\|/).length - 1;
  let top = start;
  for (;;) {
    const above = markdown.lastIndexOf("\n", top - 2) + 1;
    if (top === 0 || !markdown.slice(above, top).trimStart().startsWith("|")) break;
    top = above;
  }
  const head = markdown.slice(top, markdown.indexOf("\n", top)).split(/(?<!\\)\|/);
  const [, first = ""] = line.split(/(?<!\\)\|/);
  return [head[column] ?? "", first];
}
