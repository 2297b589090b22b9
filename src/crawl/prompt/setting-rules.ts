// Settings in a prompt: numbers of pages and levels, and whether subdomains are crawled.
import { LIMITS } from "../../contract/request/limits.ts";
import type { PromptNotUnderstood, PromptOptions } from "./reading.ts";

/** Options that a match sets; undefined if the match is not a setting. */
type MadeSettings =
  | { readonly options: PromptOptions }
  | { readonly refused: PromptNotUnderstood }
  | undefined;

type SettingRule = {
  /** Global and case-insensitive. The matched text is removed from the prompt. */
  readonly pattern: RegExp;
  readonly make: (match: RegExpExecArray) => MadeSettings;
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

const defineRule = (source: string, make: SettingRule["make"]): SettingRule => ({
  pattern: new RegExp(String.raw`(?<![\p{L}\d/-])(?:${source})(?![\p{L}\d])`, "giu"),
  make,
});
const set = (options: PromptOptions) => (): MadeSettings => ({ options });

const toLimit = ([text, number]: RegExpExecArray): MadeSettings => {
  const limit = toNumber(number);
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.count) return { options: { limit } };
  return { refused: { text: text.trim(), reason: "limit is a whole number of pages, 1 at least" } };
};

const WITHOUT = String.raw`(?:without|no|not|don'?t follow|do not follow|never follow|ignore|ignoring|skip|skipping|exclude|excluding|leave out|avoid|drop|strip|remove)(?:\s+(?:any|the|all|its))?\s+`;
const WITH = String.raw`(?:with|including|includes?|and|also|plus|across|follow(?:ing)?|allow(?:ing)?|even)(?:\s+(?:also|any|the|all|its))*\s+`;

/** The longer phrases come first. */
export const SETTING_RULES: readonly SettingRule[] = [
  defineRule(
    String.raw`(?:ignore|ignoring|skip|disregard|bypass|despite|without respecting|don'?t respect)\s+(?:the\s+)?robots(?:\.txt)?(?:\s+(?:file|rules))?`,
    ([text]) => ({
      refused: {
        text,
        reason: "robots.txt is only left aside when ignoreRobotsTxt itself is set in the request",
      },
    }),
  ),
  defineRule(String.raw`${WITHOUT}sub-?domains?`, set({ allowSubdomains: false })),
  defineRule(
    String.raw`${WITH}(?:on\s+)?sub-?domains?(?:\s+(?:too|as well|also))?|sub-?domains?\s+(?:too|as well|included|allowed|are fine|are ok)`,
    set({ allowSubdomains: true }),
  ),
  defineRule(
    String.raw`(?:to\s+a\s+|with\s+a\s+|at\s+(?:a\s+)?|up\s+to\s+a\s+|until\s+)?(?:max(?:imum|imal)?\.?\s+)?(?:crawl\s+|link\s+|discovery\s+)?depth\s*(?:of|is|=|:|to)?\s*(?:at most\s+|max\.?\s+)?${NUMBER}(?:\s+(?:levels?|hops?|links?))?`,
    ([text, number]) => toDepth(text, number),
  ),
  defineRule(
    String.raw`(?:no\s+(?:deeper|further|more)\s+than|not\s+(?:deeper|further)\s+than|at\s+most|up\s+to|max(?:imum)?\.?|only|go)?\s*${NUMBER}\s+(?:levels?|hops?|clicks?|links?)\s+(?:deep|away|down|from\s+(?:here|the\s+(?:start|home|front)\s?(?:page)?))`,
    ([text, number]) => toDepth(text, number),
  ),
  defineRule(
    String.raw`(?:no\s+(?:deeper|further)\s+than|not\s+(?:deeper|further)\s+than|at\s+most|up\s+to)\s+${NUMBER}\s+(?:levels?|hops?|clicks?)`,
    ([text, number]) => toDepth(text, number),
  ),

  defineRule(
    String.raw`(?:(?:and\s+)?(?:at\s+most|no\s+more\s+than|not\s+more\s+than|up\s+to|max(?:imum)?\.?(?:\s+of)?|a\s+maximum\s+of|limit(?:ed)?(?:\s+(?:it|this|the crawl|yourself))?(?:\s+(?:to|of|at))?|stop\s+(?:after|at)|(?:only\s+|just\s+)?(?:the\s+)?first|fewer\s+than|less\s+than|about|around|some))\s+${NUMBER}${PAGES}?`,
    toLimit,
  ),
  defineRule(
    String.raw`${NUMBER}${PAGES}?\s+(?:at\s+most|max(?:imum)?\.?|tops|only|is enough|are enough|will do)`,
    toLimit,
  ),
  defineRule(
    String.raw`(?:only\s+|just\s+|get\s+|crawl\s+|fetch\s+|scrape\s+)?${NUMBER}${PAGES}`,
    toLimit,
  ),
  defineRule(String.raw`(?:no|without(?:\s+a(?:ny)?)?)\s+limit`, ([text]) => ({
    refused: {
      text,
      reason: `a crawl always has a limit; it is ${LIMITS.crawl.limit} unless another is named`,
    },
  })),
];

function toDepth(text: string, number: string | undefined): MadeSettings {
  const depth = toNumber(number);
  if (Number.isInteger(depth) && depth >= 0 && depth <= 1_000)
    return { options: { maxDiscoveryDepth: depth } };
  return { refused: { text: text.trim(), reason: "a depth is a whole number of links" } };
}
