import { isKnownName, toSingularWords } from "./names.ts";

/** Words that are field names elsewhere but rarely mean a field in a sentence. */
const COMMON = new Set([
  "by",
  "for",
  "to",
  "from",
  "when",
  "where",
  "about",
  "text",
  "content",
  "body",
  "value",
  "note",
  "state",
  "details",
  "detail",
  "call",
  "host",
  "web",
  "source",
  "local",
  "method",
  "cook",
  "do it",
  "how to",
  "begin",
  "start",
  "end",
  "item",
  "list",
  "what we offer",
  "shop",
  "store",
  "min",
  "max",
  "low",
  "high",
  "label",
  "section",
  "format",
  "from",
  "os",
  "release",
  "h",
  "m",
  "data",
  "day",
  "you will need",
  "lead",
  "online",
  "score",
  "act",
  "billed",
  "booking",
  "box",
  "built",
  "change",
  "charge",
  "client",
  "close",
  "closing",
  "connection",
  "customer",
  "exchange",
  "finish",
  "ground",
  "internet",
  "issued",
  "leave",
  "line",
  "parent",
  "plot",
  "public",
  "registration",
  "return",
  "save",
  "side",
  "sign up",
  "term",
  "track",
  "unit",
  "user",
  "what s new",
  "workplace",
  "adult",
  "breaking",
  "changed",
  "child",
  "closed",
  "decision",
  "effective",
  "excluded",
  "family",
  "fix",
  "fixed",
  "improved",
  "included",
  "kid",
  "new",
  "range",
  "reduced",
  "removed",
  "security",
  "senior",
  "station",
  "student",
  "view",
  "watching",
]);

/**
 * Returns the fields that a prompt names, in its own words: "the title, price and author" names
 * three.
 */
export function findNamesInPrompt(prompt: string): string[] {
  const written = prompt.slice(0, 2_000).match(/[\p{L}\p{N}_]+/gu) ?? [];
  const found: string[] = [];
  for (let at = 0; at < written.length; at += 1)
    for (const length of [3, 2, 1]) {
      const words = written.slice(at, at + length);
      const text = words.join(" ").toLowerCase();
      if (words.length < length || COMMON.has(text) || COMMON.has(toSingularWords(text).join(" ")))
        continue;
      if (!isKnownName(text)) continue;
      const name = words.join("_").toLowerCase();
      if (!found.includes(name)) found.push(name);
      at += length - 1;
      break;
    }
  return found.slice(0, 40);
}
