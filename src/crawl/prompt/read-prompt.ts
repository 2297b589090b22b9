// Reads a prompt in plain English by rules: settings first, then the parts of the site. The rest is
// reported as not understood; nothing is guessed.
import type { NotUnderstood, Place, PromptOptions, Reading, Understood } from "./reading.ts";
import { SETTING_RULES } from "./setting-rules.ts";
import { GENERIC, LANGUAGES, segmentsOf, singular } from "./subjects.ts";

/** Replaces text that was read already. It ends a phrase and keeps what came before it. */
const TAKEN = "▪";

const EXCLUDING = new Set(
  "skip skipping without except excluding exclude excludes not no ignore ignoring avoid omit never minus drop leave nothing don't dont neither nor".split(
    " ",
  ),
);
const INCLUDING = new Set(
  "with only just include including includes crawl crawling get fetch scrape want wants need grab collect download take read give gather pull index find prefer focus focusing concentrate limit restrict keep but".split(
    " ",
  ),
);
const PREPOSITIONS = new Set("from in under below at within inside of on into beneath".split(" "));
const STOP = new Set(
  "a an the and or to for i i'd we you me my our us it its this that these those please pls can could would should will like all any every each everything anything else also too as well which who what are is be been being do does with about related regarding concerning belonging mostly mainly then so out by site website web domain page pages subpages section sections part parts area areas folder directory path paths url urls link links thing things stuff whatever there here them they their one ones other than apart content contents".split(
    " ",
  ),
);

/** These words end a phrase: "blog posts that mention herring" names two things. */
const BREAKING = new Set("and or that which who whose where when while about".split(" "));

type Token = { readonly kind: "word" | "path" | "end" | "comma" | "taken"; readonly text: string };

/** `now` is milliseconds since the epoch; it resolves "this year". */
export function readPrompt(prompt: string, now: number): Reading {
  const understood: Understood[] = [];
  const notUnderstood: NotUnderstood[] = [];
  const places: Place[] = [];
  let options: PromptOptions = {};
  let rest = prompt
    .normalize("NFKC")
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[“”„«»"]/g, " ");
  for (const { pattern, read } of PLACE_RULES)
    rest = rest.replace(pattern, (text, ...groups: unknown[]) => {
      const at = groups.find((group) => typeof group === "number");
      const polarity = isNegated(rest.slice(0, at)) ? "exclude" : "include";
      const what = read(
        groups.filter((group) => typeof group !== "number"),
        now,
      );
      if (what === undefined) return text;
      places.push({ polarity, text: text.trim(), what });
      return ` ${TAKEN} `;
    });
  for (const { pattern, make } of SETTING_RULES)
    rest = rest.replace(pattern, (...found) => {
      const made = make(found.slice(0, -2) as unknown as RegExpExecArray);
      const text = found[0] as string;
      if (made === undefined) return text;
      if ("refused" in made) notUnderstood.push(made.refused);
      else {
        // The first mention wins.
        options = { ...made.options, ...options };
        understood.push({ text: text.trim(), as: describe(made.options) });
      }
      return ` ${TAKEN} `;
    });
  const named = readPlaces(tokensOf(rest));
  places.push(...named);
  return { options, places, understood, notUnderstood };
}

const describe = (options: PromptOptions): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(", ") || "as always";

/** Returns whether the text before a setting negates it. Only its own clause counts. */
function isNegated(before: string): boolean {
  const clause = before.split(/[.;!?\n]|\bbut\b|\bonly\b|\bjust\b/i).at(-1) ?? "";
  const words = clause.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  return (
    words.slice(-6).some((word) => EXCLUDING.has(word)) || /leave out|other than/i.test(clause)
  );
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = String.raw`(?:(january|february|march|april|may|june|july|august|september|october|november|december)\s+)?`;
const YEAR = String.raw`((?:19|20)\d\d)(?:-(\d\d)(?:-\d\d)?)?`;
const FOR_EVER = 9_999 * 12;

type PlaceRule = {
  readonly pattern: RegExp;
  readonly read: (groups: readonly unknown[], now: number) => Place["what"] | undefined;
};

const rule = (source: string, read: PlaceRule["read"]): PlaceRule => ({
  pattern: new RegExp(String.raw`(?<![\p{L}\d/-])(?:${source})(?![\p{L}\d/])`, "giu"),
  read,
});

function monthOf(name: unknown, year: unknown, number: unknown, last: boolean): number {
  const named = typeof name === "string" ? MONTHS.indexOf(name.slice(0, 3).toLowerCase()) : -1;
  const month = typeof number === "string" ? Number(number) - 1 : named;
  return Number(year) * 12 + (month === -1 ? (last ? 11 : 0) : month);
}

const months = (from: number, to: number): Place["what"] => ({ kind: "months", from, to });
const yearOf = (now: number): number => new Date(now).getUTCFullYear();
const LANGUAGE = `(${Object.keys(LANGUAGES).join("|")})`;
const language = (name: unknown): Place["what"] => ({
  kind: "language",
  code: LANGUAGES[String(name).toLowerCase()] ?? "",
});
const PUBLISHED = String.raw`(?:(?:that\s+(?:are|were)\s+)?(?:published|written|posted|dated|created|updated)\s+)?`;

const PLACE_RULES: readonly PlaceRule[] = [
  rule(String.raw`${PUBLISHED}between\s+${MONTH}${YEAR}\s+and\s+${MONTH}${YEAR}`, (g) =>
    months(monthOf(g[0], g[1], g[2], false), monthOf(g[3], g[4], g[5], true)),
  ),
  rule(
    String.raw`${PUBLISHED}from\s+${MONTH}${YEAR}\s+(?:to|until|till|through|-)\s+${MONTH}${YEAR}`,
    (g) => months(monthOf(g[0], g[1], g[2], false), monthOf(g[3], g[4], g[5], true)),
  ),
  rule(String.raw`${PUBLISHED}(?:after|newer\s+than|later\s+than)\s+${MONTH}${YEAR}`, (g) =>
    months(monthOf(g[0], g[1], g[2], true) + 1, FOR_EVER),
  ),
  rule(
    String.raw`${PUBLISHED}(?:from|since|starting(?:\s+(?:from|in|with))?)\s+${MONTH}${YEAR}(?:\s+(?:on|onwards?|and\s+(?:later|newer|after)|or\s+(?:later|newer)))?`,
    (g) => months(monthOf(g[0], g[1], g[2], false), FOR_EVER),
  ),
  rule(String.raw`${MONTH}${YEAR}\s+(?:onwards?|and\s+(?:later|newer)|or\s+(?:later|newer))`, (g) =>
    months(monthOf(g[0], g[1], g[2], false), FOR_EVER),
  ),
  rule(
    String.raw`${PUBLISHED}(?:before|older\s+than|prior\s+to|earlier\s+than)\s+${MONTH}${YEAR}`,
    (g) => months(0, monthOf(g[0], g[1], g[2], false) - 1),
  ),
  rule(String.raw`${PUBLISHED}(?:until|till|up\s+to)\s+${MONTH}${YEAR}`, (g) =>
    months(0, monthOf(g[0], g[1], g[2], true)),
  ),
  rule(String.raw`${PUBLISHED}(?:in|of|during)\s+${MONTH}${YEAR}`, (g) =>
    months(monthOf(g[0], g[1], g[2], false), monthOf(g[0], g[1], g[2], true)),
  ),
  rule(String.raw`${PUBLISHED}(?:from\s+|of\s+|in\s+)?this\s+year`, (_, now) =>
    months(yearOf(now) * 12, FOR_EVER),
  ),
  rule(String.raw`${PUBLISHED}(?:from\s+|of\s+|in\s+)?last\s+year`, (_, now) =>
    months((yearOf(now) - 1) * 12, yearOf(now) * 12 - 1),
  ),
  rule(
    String.raw`(?:(?:only|just)\s+(?:the\s+)?|in\s+|the\s+)${LANGUAGE}(?:\s+(?:pages?|version|language|ones|content|site|translations?))?(?:\s+only)?`,
    (g) => language(g[0]),
  ),
  rule(
    String.raw`${LANGUAGE}(?:[- ]language)?\s+(?:pages?|version|ones|content|translations?|only)(?:\s+only)?`,
    (g) => language(g[0]),
  ),
  rule(
    String.raw`(?:the\s+|any\s+)?(?:other\s+languages|translations|translated\s+pages|other\s+language\s+versions)`,
    () => ({ kind: "language", code: "others" }),
  ),
  rule(String.raw`(?:any\s+|the\s+)?(pdf)(?:s|\s+(?:files?|documents?|links?))?`, (g) => ({
    kind: "fileType",
    extension: String(g[0]).toLowerCase(),
  })),
];

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [found] of text.matchAll(
    /https?:\/\/[^\s,;]+|(?<![\p{L}\d])\/[^\s,;"'()]*|[\p{L}\d][\p{L}\d'’&_-]*|[,.;:!?\n()]|▪/gu,
  )) {
    if (found === TAKEN) tokens.push({ kind: "taken", text: found });
    else if (/^[,:()]$/.test(found)) tokens.push({ kind: "comma", text: found });
    else if (/^[.;!?\n]$/.test(found)) tokens.push({ kind: "end", text: found });
    else if (/^(?:\/|https?:)/i.test(found))
      tokens.push({ kind: "path", text: found.replace(/[.!?]+$/, "") });
    else tokens.push({ kind: "word", text: found });
  }
  return tokens;
}

/** Reads what is left: each phrase and each path is a wanted or unwanted part of the site. */
function readPlaces(tokens: readonly Token[]): Place[] {
  const places: Place[] = [];
  let polarity: Place["polarity"] = "include";
  let phrase: string[] = [];
  let preposition = false;
  /** True while only filler words follow a "not". The verb belongs to it: "do not crawl". */
  let isNegating = false;
  const end = (): void => {
    if (phrase.length > 0) places.push(toPlace(polarity, phrase));
    phrase = [];
    preposition = false;
  };
  for (const { kind, text } of tokens) {
    const word = text.toLowerCase();
    if (kind === "path") {
      const last = places.at(-1);
      if (phrase.length > 0 && preposition) {
        places.push(toPlace(polarity, phrase, pathOf(text)));
        phrase = [];
        preposition = false;
      } else {
        end();
        const place: Place = { polarity, text, what: { kind: "path", path: pathOf(text) } };
        if (last?.text !== text) places.push(place);
      }
    } else if (kind === "end" || kind === "comma" || kind === "taken") {
      end();
      if (kind === "end") polarity = "include";
    } else if (EXCLUDING.has(word)) {
      end();
      polarity = "exclude";
      isNegating = true;
      continue;
    } else if (INCLUDING.has(word)) {
      end();
      if (isNegating && word !== "only" && word !== "just" && word !== "but") continue;
      polarity = "include";
    } else if (PREPOSITIONS.has(word)) preposition = true;
    else if (BREAKING.has(word)) end();
    else if (!STOP.has(word)) {
      if (preposition) end();
      phrase.push(text);
    } else continue;
    isNegating = false;
  }
  end();
  return places;
}

function pathOf(text: string): string {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  return url === null ? text : url.pathname;
}

/** Drops filler words beside a name: "blog posts" is the blog. */
function toPlace(polarity: Place["polarity"], phrase: readonly string[], within?: string): Place {
  const text = phrase.join(" ");
  const words = phrase.map((word) => word.toLowerCase().replace(/'s$/, ""));
  const naming = words.filter((word) => !GENERIC.has(singular(word)));
  const chosen = segmentsOf(words) !== undefined || naming.length === 0 ? words : naming;
  const what = { kind: "words", words: chosen } as const;
  return { polarity, text, what: within === undefined ? what : { ...what, within } };
}
