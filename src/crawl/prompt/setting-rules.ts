// Settings that do not depend on the site: number of pages, depth, speed, hosts.
import { LIMITS } from "../../contract/request/limits.ts";
import type { NotUnderstood, PromptOptions } from "./reading.ts";

/** The option a match sets; undefined when the match is no setting after all. */
type Made = { readonly options: PromptOptions } | { readonly refused: NotUnderstood } | undefined;

type SettingRule = {
  /** Global and case-insensitive. The matched text is removed from the prompt. */
  readonly pattern: RegExp;
  readonly make: (match: RegExpExecArray) => Made;
};

const NUMBER_WORDS: Readonly<Record<string, number>> = {
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  hundred: 100,
  "a hundred": 100,
  "one hundred": 100,
  "two hundred": 200,
  "five hundred": 500,
  thousand: 1_000,
  "a thousand": 1_000,
  "one thousand": 1_000,
};
const NUMBER = String.raw`(\d{1,3}(?:[,.']\d{3})+|\d{1,9}\s?k\b|\d{1,9}(?:\.\d{1,3})?|${Object.keys(
  NUMBER_WORDS,
)
  .toSorted((one, other) => other.length - one.length)
  .filter((word) => word !== "a")
  .join("|")})`;
const PAGES = String.raw`(?:\s+(?:web\s?)?(?:pages?|posts?|articles?|urls?|documents?|results?|entries|links|items)(?:\s+(?:in total|total|overall|max(?:imum)?))?)`;

function toNumber(text = ""): number {
  const plain = text.toLowerCase().trim();
  const word = NUMBER_WORDS[plain];
  if (word !== undefined) return word;
  if (plain.endsWith("k")) return Number(plain.slice(0, -1)) * 1_000;
  return Number(/[,.']\d{3}/.test(plain) ? plain.replaceAll(/[,.']/g, "") : plain);
}

const rule = (source: string, make: SettingRule["make"]): SettingRule => ({
  pattern: new RegExp(String.raw`(?<![\p{L}\d/-])(?:${source})(?![\p{L}\d])`, "giu"),
  make,
});
const set = (options: PromptOptions) => (): Made => ({ options });

const toLimit = ([text, number]: RegExpExecArray): Made => {
  const limit = toNumber(number);
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.count) return { options: { limit } };
  return { refused: { text: text.trim(), reason: "limit is a whole number of pages, 1 at least" } };
};

const UNIT_SECONDS: Readonly<Record<string, number>> = { m: 0.001, s: 1, i: 60 };

/** `amount` and `unit` are capture group numbers. */
const toDelay =
  (amount: number, unit: number) =>
  (match: RegExpExecArray): Made => {
    const written = (match[unit] ?? "s").toLowerCase();
    const key = /^(?:ms|milli)/.test(written) ? "m" : written.startsWith("min") ? "i" : "s";
    const delay = toNumber(match[amount]) * (UNIT_SECONDS[key] ?? 1);
    if (delay > 0 && delay <= LIMITS.crawl.delaySeconds) return { options: { delay } };
    const reason = `delay is more than 0 and at most ${LIMITS.crawl.delaySeconds} seconds`;
    return { refused: { text: match[0].trim(), reason } };
  };

const WITHOUT = String.raw`(?:without|no|not|don'?t follow|do not follow|never follow|ignore|ignoring|skip|skipping|exclude|excluding|leave out|avoid|drop|strip|remove)(?:\s+(?:any|the|all|its))?\s+`;
const WITH = String.raw`(?:with|including|includes?|and|also|plus|across|follow(?:ing)?|allow(?:ing)?|even)(?:\s+(?:also|any|the|all|its))*\s+`;
const SECONDS = String.raw`(ms|milliseconds?|s|secs?|seconds?|min|minutes?)`;

/** The longer phrases come first. */
export const SETTING_RULES: readonly SettingRule[] = [
  rule(
    String.raw`(?:ignore|ignoring|skip|disregard|bypass|despite|without respecting|don'?t respect)\s+(?:the\s+)?robots(?:\.txt)?(?:\s+(?:file|rules))?`,
    ([text]) => ({
      refused: {
        text,
        reason: "robots.txt is only left aside when ignoreRobotsTxt itself is set in the request",
      },
    }),
  ),
  rule(
    String.raw`(?:respect|follow|obey|honou?r|mind)(?:ing)?\s+(?:the\s+)?robots(?:\.txt)?(?:\s+(?:file|rules))?`,
    set({}),
  ),

  rule(
    String.raw`(?:and\s+)?(?:wait|delay(?:\s+of)?|pause(?:\s+of)?|sleep|with\s+a\s+(?:delay|pause)\s+of)(?:\s+(?:for|at least|about))?\s+${NUMBER}\s*${SECONDS}(?:\s+(?:delay|pause))?(?:\s+(?:between|after|before)\s+(?:each\s+|every\s+|the\s+)?(?:pages?|requests?|scrapes?|fetch(?:es)?))?`,
    toDelay(1, 2),
  ),
  rule(
    String.raw`${NUMBER}\s*${SECONDS}\s+(?:delay|pause|apart|(?:between|after)\s+(?:each\s+|every\s+)?(?:pages?|requests?))(?:\s+between\s+(?:each\s+)?(?:pages?|requests?))?`,
    toDelay(1, 2),
  ),
  rule(
    String.raw`(?:one|1|a)\s+(?:page|request)\s+(?:every|each|per)\s+(?:${NUMBER}\s*)?${SECONDS}`,
    (match) => toDelay(1, 2)(Object.assign(match, { 1: match[1] ?? "1" })),
  ),
  rule(
    String.raw`(?:very\s+)?(?:slowly|gently|politely|be (?:gentle|polite|slow|nice)(?:\s+(?:to|with) the (?:site|server))?|go easy(?:\s+on the (?:site|server))?)`,
    set({ delay: 1 }),
  ),

  rule(
    String.raw`(?:(?:use|take|read|crawl|from|with)\s+)?(?:only|just)\s+(?:use\s+|crawl\s+|take\s+|read\s+)?(?:what(?:'s| is) (?:in|on) |pages (?:in|from|of) |urls (?:in|from|of) |from )?(?:the\s+|its\s+)?site\s?map(?:\.xml)?(?:\s+(?:urls?|pages?|entries))?|(?:the\s+)?site\s?map(?:\.xml)?\s+only`,
    set({ sitemap: "only" }),
  ),
  rule(
    String.raw`${WITHOUT}site\s?maps?(?:\.xml)?|don'?t (?:use|read) (?:the )?site\s?map|follow\s+links\s+only|only\s+follow\s+links|links\s+only`,
    set({ sitemap: "skip" }),
  ),
  rule(
    String.raw`(?:use|using|read|with|include|including|also)\s+(?:also\s+)?(?:the\s+|its\s+)?site\s?map(?:\.xml)?(?:\s+too)?`,
    set({ sitemap: "include" }),
  ),

  rule(
    String.raw`${WITHOUT}(?:url\s+|query\s?)?(?:query\s?strings?|query\s+parameters?|query\s+params|url\s+parameters?|parameters|params|queries|query)(?:\s+in\s+(?:the\s+)?urls?)?`,
    set({ ignoreQueryParameters: true }),
  ),
  rule(
    String.raw`(?:keep|with|include|including|respect)\s+(?:the\s+)?(?:query\s?strings?|query\s+parameters?|url\s+parameters?)`,
    set({ ignoreQueryParameters: false }),
  ),
  rule(
    String.raw`${WITHOUT}duplicates?(?:\s+(?:pages?|urls?))?|(?:de-?duplicate|merge)\s+(?:similar\s+)?(?:pages?|urls?)`,
    set({ deduplicateSimilarURLs: true }),
  ),

  rule(String.raw`${WITHOUT}sub-?domains?`, set({ allowSubdomains: false })),
  rule(
    String.raw`${WITH}(?:on\s+)?sub-?domains?(?:\s+(?:too|as well|also))?|sub-?domains?\s+(?:too|as well|included|allowed|are fine|are ok)`,
    set({ allowSubdomains: true }),
  ),
  rule(
    String.raw`${WITHOUT}(?:external|outside|outgoing|outbound|foreign|third[- ]party)\s+(?:links?|sites?|pages?|domains?)|(?:stay|keep|remain)\s+(?:on|within|inside|to)\s+(?:this|the|that|one)\s+(?:same\s+)?(?:site|domain|host|website)`,
    set({ allowExternalLinks: false }),
  ),
  rule(
    String.raw`${WITH}(?:external|outside|outgoing|outbound)\s+(?:links?|sites?|pages?|domains?)(?:\s+(?:too|as well|also))?`,
    set({ allowExternalLinks: true }),
  ),

  rule(
    String.raw`(?:only|just)\s+(?:this|that|the\s+(?:start|first|given|home)?)\s*(?:one\s+|single\s+)?(?:page|url)(?:\s+itself)?`,
    set({ limit: 1, maxDiscoveryDepth: 0, sitemap: "skip" }),
  ),
  rule(
    String.raw`(?:only\s+|just\s+)?(?:the\s+)?(?:pages?|urls?)\s+(?:directly\s+)?linked\s+(?:directly\s+)?(?:from|on)\s+(?:here|(?:this|that|the)\s+(?:start\s+|front\s+|home\s?|first\s+)?page)|only\s+direct\s+links`,
    set({ maxDiscoveryDepth: 1 }),
  ),
  rule(
    String.raw`(?:to\s+a\s+|with\s+a\s+|at\s+(?:a\s+)?|up\s+to\s+a\s+|until\s+)?(?:max(?:imum|imal)?\.?\s+)?(?:crawl\s+|link\s+|discovery\s+)?depth\s*(?:of|is|=|:|to)?\s*(?:at most\s+|max\.?\s+)?${NUMBER}(?:\s+(?:levels?|hops?|links?))?`,
    ([text, number]) => toDepth(text, number),
  ),
  rule(
    String.raw`(?:no\s+(?:deeper|further|more)\s+than|not\s+(?:deeper|further)\s+than|at\s+most|up\s+to|max(?:imum)?\.?|only|go)?\s*${NUMBER}\s+(?:levels?|hops?|clicks?|links?)\s+(?:deep|away|down|from\s+(?:here|the\s+(?:start|home|front)\s?(?:page)?))`,
    ([text, number]) => toDepth(text, number),
  ),
  rule(
    String.raw`(?:no\s+(?:deeper|further)\s+than|not\s+(?:deeper|further)\s+than|at\s+most|up\s+to)\s+${NUMBER}\s+(?:levels?|hops?|clicks?)`,
    ([text, number]) => toDepth(text, number),
  ),

  rule(
    String.raw`(?:(?:and\s+)?(?:at\s+most|no\s+more\s+than|not\s+more\s+than|up\s+to|max(?:imum)?\.?(?:\s+of)?|a\s+maximum\s+of|limit(?:ed)?(?:\s+(?:it|this|the crawl|yourself))?(?:\s+(?:to|of|at))?|stop\s+(?:after|at)|(?:only\s+|just\s+)?(?:the\s+)?first|fewer\s+than|less\s+than|about|around|some))\s+${NUMBER}${PAGES}?`,
    toLimit,
  ),
  rule(
    String.raw`${NUMBER}${PAGES}?\s+(?:at\s+most|max(?:imum)?\.?|tops|only|is enough|are enough|will do)`,
    toLimit,
  ),
  rule(
    String.raw`(?:only\s+|just\s+|get\s+|crawl\s+|fetch\s+|scrape\s+)?${NUMBER}${PAGES}`,
    toLimit,
  ),
  rule(String.raw`(?:no|without(?:\s+a(?:ny)?)?)\s+limit`, ([text]) => ({
    refused: {
      text,
      reason: `a crawl always has a limit; it is ${LIMITS.crawl.limit} unless another is named`,
    },
  })),

  rule(
    String.raw`(?:only\s+|just\s+)?(?:below|under|within|inside|in)\s+this\s+(?:path|section|directory|folder|part)(?:\s+only)?`,
    set({ crawlEntireDomain: false }),
  ),
  rule(
    String.raw`(?:the\s+)?(?:whole|entire|full|complete|all\s+of\s+the)\s+(?:web\s?)?(?:site|domain|website)|everything(?!\s+(?:in|under|below|from|about|within|inside|related|at)\b)(?:\s+on\s+(?:the|this)\s+(?:web\s?)?site)?|all\s+(?:the\s+|its\s+)?pages(?:\s+(?:of|on)\s+(?:the|this)\s+(?:web\s?)?site)?`,
    set({ crawlEntireDomain: true }),
  ),
];

function toDepth(text: string, number: string | undefined): Made {
  const depth = toNumber(number);
  if (Number.isInteger(depth) && depth >= 0 && depth <= 1_000)
    return { options: { maxDiscoveryDepth: depth } };
  return { refused: { text: text.trim(), reason: "a depth is a whole number of links" } };
}
