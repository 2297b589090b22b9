// Reads the unambiguous parts of a prompt: paths, numbers, subdomains, and words that may equal a
// path segment of the site. Sentences are not understood; everything else is reported.
import type {
  PromptNotUnderstood,
  Place,
  PromptOptions,
  PromptReading,
  PromptUnderstanding,
} from "./reading.ts";
import { SETTING_RULES } from "./setting-rules.ts";
import { GENERIC, toSingular } from "./section-words.ts";

/** Replaces text that was read already. It ends a phrase and keeps the text before it. */
const CONSUMED = "▪";

const EXCLUDING = new Set(
  "skip skipping without except excluding exclude excludes not no ignore ignoring avoid omit never minus drop leave nothing don't dont neither nor".split(
    " ",
  ),
);
const INCLUDING = new Set(
  "with only just include including includes extract extracting crawl crawling get fetch scrape want wants need grab collect download take read give gather pull index find prefer focus focusing concentrate limit restrict keep but".split(
    " ",
  ),
);
const PREPOSITIONS = new Set("from in under below at within inside of on into beneath".split(" "));
const STOP = new Set(
  "a an the and or to for i i'd we you me my our us it its this that these those please pls can could would should will like all any every each everything anything else also too as well which who what are is be been being do does with about related regarding concerning belonging mostly mainly then so out by site website web domain page pages subpages section sections part parts area areas folder directory path paths url urls link links thing things stuff whatever there here them they their one ones other than apart content contents".split(
    " ",
  ),
);

/** These words end a phrase: "blog posts that mention herring" has two nouns. */
const BREAKING = new Set("and or that which who whose where when while about".split(" "));

type Token = { readonly kind: "word" | "path" | "end" | "comma" | "taken"; readonly text: string };

export function readPrompt(prompt: string): PromptReading {
  const understood: PromptUnderstanding[] = [];
  const notUnderstood: PromptNotUnderstood[] = [];
  let options: PromptOptions = {};
  let rest = prompt
    .normalize("NFKC")
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[“”„«»"]/g, " ");
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
      return ` ${CONSUMED} `;
    });
  return { options, places: readPlaces(tokenize(rest)), understood, notUnderstood };
}

const describe = (options: PromptOptions): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(", ") || "as always";

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [found] of text.matchAll(
    /https?:\/\/[^\s,;]+|(?<![\p{L}\d])\/[^\s,;"'()]*|[\p{L}\d][\p{L}\d'’&_-]*|[,.;:!?\n()]|▪/gu,
  )) {
    if (found === CONSUMED) tokens.push({ kind: "taken", text: found });
    else if (/^[,:()]$/.test(found)) tokens.push({ kind: "comma", text: found });
    else if (/^[.;!?\n]$/.test(found)) tokens.push({ kind: "end", text: found });
    else if (/^(?:\/|https?:)/i.test(found))
      tokens.push({ kind: "path", text: found.replace(/[.!?]+$/, "") });
    else tokens.push({ kind: "word", text: found });
  }
  return tokens;
}

/** Reads the remaining text: each phrase and each path is a wanted or unwanted part of the site. */
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
        places.push(toPlace(polarity, phrase, readPath(text)));
        phrase = [];
        preposition = false;
      } else {
        end();
        const place: Place = { polarity, text, what: { kind: "path", path: readPath(text) } };
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

function readPath(text: string): string {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  return url === null ? text : url.pathname;
}

/** Drops filler words beside a name: "blog posts" is the blog. */
function toPlace(polarity: Place["polarity"], phrase: readonly string[], within?: string): Place {
  const text = phrase.join(" ");
  const words = phrase.map((word) => word.toLowerCase().replace(/'s$/, ""));
  const naming = words.filter((word) => !GENERIC.has(toSingular(word)));
  const chosen = naming.length === 0 ? words : naming;
  const what = { kind: "words", words: chosen } as const;
  return { polarity, text, what: within === undefined ? what : { ...what, within } };
}
