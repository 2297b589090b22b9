// Reads the evidence for the currency of a page's prices: machine-readable data, codes in its text,
// its language tag.
import { isTag, isText, type ChildNode, type Document } from "domhandler";
import { CURRENCY_CODES, type CurrencyEvidence } from "./currency.ts";

const CODE = new RegExp(`(?<![A-Za-z])(?:${CURRENCY_CODES.join("|")})(?![A-Za-z])`, "g");
/** Dollar signs with their country. */
const COUNTRY_SIGN = /(?<![A-Za-z])(US|CA|C|AU|A|NZ|HK|S)\$/g;
const CURRENCY_BY_COUNTRY: Readonly<Record<string, string>> = {
  US: "USD",
  CA: "CAD",
  C: "CAD",
  AU: "AUD",
  A: "AUD",
  NZ: "NZD",
  HK: "HKD",
  S: "SGD",
};
/** In JSON-LD and in embedded framework state, with quotes escaped or not. */
const IN_SCRIPT =
  /(?:priceCurrency|currencyCode|currency_code|currencyISOCode|currency)\\?["']\s{0,4}:\s{0,4}\\?["']([A-Z]{3})\\?["']/g;
const META = /^(?:product|og|twitter)?:?(?:price:|sale_price:)?currency$|pricecurrency/i;
const MAX_WRITTEN = 20;

/** One walk over the page; `text` is its visible text. */
export function readCurrencyEvidence(document: Document, text: string): CurrencyEvidence {
  const declared = new Set<string>();
  const languages: string[] = [];
  const open: ChildNode[] = [...document.children];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isTag(node)) continue;
    const { name, attribs, children } = node;
    const { content = "", property = attribs["name"] ?? "", itemprop = "" } = attribs;
    if (name === "html" && attribs["lang"] !== undefined) languages.push(attribs["lang"]);
    else if (name === "meta" && property === "og:locale") languages.push(content);
    if (
      itemprop === "priceCurrency" ||
      attribs["property"] === "priceCurrency" ||
      (name === "meta" && META.test(property))
    )
      addCode(declared, content);
    if (name === "script") {
      for (const child of children)
        if (isText(child))
          for (const [, code = ""] of child.data.matchAll(IN_SCRIPT)) addCode(declared, code);
    } else for (const child of children) open.push(child);
  }
  return { declared, written: findWrittenCodes(text), languages };
}

function findWrittenCodes(text: string): Set<string> {
  const found = new Set<string>();
  for (const [code] of text.matchAll(CODE)) {
    found.add(code);
    if (found.size >= MAX_WRITTEN) break;
  }
  for (const [, country = ""] of text.matchAll(COUNTRY_SIGN))
    addCode(found, CURRENCY_BY_COUNTRY[country] ?? "");
  return found;
}

function addCode(codes: Set<string>, text: string): void {
  const code = text.trim();
  if (/^[A-Z]{3}$/.test(code)) codes.add(code);
}
