// Reads parts of a value: one text of a thing, the members of a list, the items of a text.
import { isSitePageTitle } from "./site-parts.ts";
import { cleanByline } from "../../../html/metadata/person-name.ts";
import { cleanText } from "./coerce.ts";
import type { Leaf, SourceKind, Thing, Value } from "../declared/finding.ts";
import { scoreSimilarity, parseName, type Name } from "../names/names.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";

/** Returns the parts of a value that can represent it as one text. */
export function listScalars(value: Value, wanted: Name, shape: Shape): Leaf[] {
  if (value.kind === "leaf") return [value];
  const alike = [...value.fields].flatMap(([key, inner]) =>
    scoreSimilarity(wanted, parseName(key)) >= 0.9 ? inner : [],
  );
  const leaf = alike.find((inner) => inner.kind === "leaf");
  const wantsAddress =
    shape.format === "uri" ||
    shape.format === "url" ||
    wanted.words.some(
      (word) =>
        word === "url" ||
        word === "image" ||
        word === "logo" ||
        word === "photo" ||
        word === "thumbnail",
    );
  const order = wantsAddress
    ? ["url", "contentUrl", "@id"]
    : shape.kind === "string" || shape.kind === "any"
      ? ["name", "text", "headline", "@value", "value", "title"]
      : ["value", "@value", "ratingValue", "price", "name"];
  const named = order.map((key) => value.fields.get(key)?.[0]).find((inner) => inner !== undefined);
  const own = leaf ?? (named?.kind === "leaf" ? named : undefined);
  const joined =
    own === undefined || value.fields.has("streetAddress") ? joinAddress(value) : undefined;
  if (joined !== undefined) return [joined];
  if (own?.kind === "leaf") return [own];
  return named?.kind === "thing" ? listScalars(named, wanted, shape) : [];
}

const ADDRESS = [
  "streetAddress",
  "postalCode",
  "addressLocality",
  "addressRegion",
  "addressCountry",
];

/** Joins a postal address, or a place with one, into one line. */
function joinAddress(thing: Thing): Leaf | undefined {
  const inner = thing.fields.get("address")?.[0];
  if (inner !== undefined && inner.kind === "thing") return joinAddress(inner);
  if (inner?.kind === "leaf") return inner;
  const parts = ADDRESS.flatMap((key) => (thing.fields.get(key) ?? []).slice(0, 1)).flatMap(
    (value) => listScalars(value, parseName("name"), TEXT_SHAPE),
  );
  if (parts.length === 0) return undefined;
  const text = parts.map(({ value }) => String(value)).join(", ");
  return { kind: "leaf", value: text, evidence: { ...thing.evidence, text } };
}

/** A string without limits. */
export const TEXT_SHAPE: Shape = {
  kind: "string",
  nullable: false,
  format: undefined,
  enum: undefined,
  description: "",
  examples: [],
  properties: new Map(),
  required: new Set(),
  items: undefined,
  maxItems: 1_000,
};

/** Removes what pages write around values: the "by" before names, brackets around codes. */
export function prepareValue(
  { value }: Leaf,
  wanted: Name,
  source: SourceKind,
): string | number | boolean {
  if (typeof value === "string" && CODES.some((concept) => wanted.concepts.has(concept)))
    return findCode(value) ?? "";
  if (
    source === "metadata" &&
    wanted.key === "name" &&
    typeof value === "string" &&
    isSitePageTitle(value)
  )
    return "";
  if (typeof value === "string" && /^(?:name|title)$/.test(wanted.words.at(-1) ?? "")) {
    const [, quoted] = /^["“”„«»]([^"“”„«»]+)["”“«»]$/u.exec(value.trim()) ?? [];
    if (quoted !== undefined) return quoted.trim();
  }
  // "250 g" is the weight of a serving.
  if (
    typeof value === "string" &&
    wanted.concepts.has("yields") &&
    SERVING_WEIGHT.test(value.trim())
  )
    return "";
  // `contract_type` asks for "permanent" or "CDI", not for the hours.
  if (wanted.words.includes("contract") && /^(?:FULL|PART)_TIME$/.test(String(value))) return "";
  const last = parseName(wanted.words.at(-1) ?? "").concepts;
  if (typeof value === "string" && last.has("phone") && !isPhone(value)) return "";
  if (
    typeof value === "string" &&
    last.has("email") &&
    !value.includes("@") &&
    !value.includes("＠")
  )
    return "";
  // A call number has words: "643.7 COR".
  const isCode = CODED.test(wanted.words.at(-1) ?? "") && wanted.words[0] !== "call";
  const isShownCode = isCode && (source === "label" || source === "table");
  if (typeof value === "string" && isShownCode && (isSentence(value) || isNoCode(value))) return "";
  // "Lake (north)" is the name of a station, no `station_id`.
  if (typeof value === "string" && isShownCode && wanted.words.at(-1) === "id" && isWords(value))
    return "";
  if (typeof value === "string" && isShownCode && SEPARATED_CODE.test(value))
    return SEPARATED_CODE.exec(value)?.[1] ?? value;
  if (
    typeof value === "string" &&
    NO_STOPOVER.test(value.trim()) &&
    STOPOVER_NAMES.test(wanted.words.at(-1) ?? "")
  )
    return "";
  if (typeof value === "string" && source === "label" && isCode)
    return /^(\S*\d\S*)\s+\p{L}[^\d]*$/u.exec(value.trim())?.[1] ?? value;
  if (typeof value === "string" && wanted.concepts.has("currency"))
    return /(?<![A-Z])[A-Z]{3}(?![A-Z])/.exec(value)?.[0] ?? value;
  const isShown = source === "label" || source === "mark" || source === "microdata";
  if (isShown && typeof value === "string" && wanted.concepts.has("contact person"))
    return cutBehindName(value);
  if (isShown && typeof value === "string" && wanted.concepts.has("author") && CREDIT.test(value))
    return findCredited(value) ?? "";
  if (!isShown || typeof value !== "string" || !wanted.concepts.has("author")) return value;
  return cleanByline(value) || value;
}

/** "Ann Vale, Human Resources." is Ann Vale. */
const cutBehindName = (text: string): string =>
  text
    .replace(/,\s(?!(?:jr|sr|ph\.?d|m\.?d|dr|mba|msc|bsc|ma)\b).*$/isu, "")
    .replace(/(?<=\p{L}{3})\.$/u, "")
    .trim();

/** Removes what curators are from an entry of their list: "Ann Vale, chief curator" is Ann Vale. */
export function prepareItem({ value }: Leaf, wanted: Name): string | number | boolean {
  if (typeof value !== "string" || !wanted.concepts.has("curators")) return value;
  const [name = "", ...roles] = value.split(",");
  return roles.every((role) => /^\s\p{Ll}/u.test(role)) ? name.trim() : value;
}

/** Catalogs write the part of each person behind the name: "汐見 透/著". */
const CREDIT = /[/／](?:著|作|文|原作|訳|絵|画|写真|編|監修|挿絵|译|编|绘|著者|編著)/u;
const WRITER = /^(.{1,60}?)\s*[/／](?:著|作|文|原作|編著)(?:者)?$/u;

/** The only person who is credited as the writer. */
function findCredited(text: string): string | undefined {
  const writers = text
    .split(/\s*[,、;；]\s*/u)
    .flatMap((part) => WRITER.exec(part.trim())?.[1] ?? []);
  return writers.length === 1 ? writers[0] : undefined;
}

/** Names with these endings are codes; text behind a code explains it: "3423 Hand tools". */
const CODED = /^(?:code|id|number|no|nr|nummer|code|código|codice)$/;

/** "TBVL · Real estate": the code stands before the sign. */
const SEPARATED_CODE = /^([\p{Lu}\d][\p{Lu}\d./-]{1,19})\s[·•]\s\p{L}/u;

/** "Friday 13 February 2026, about 4 p.m." is no code: most of its words have no digits. */
function isSentence(text: string): boolean {
  const words = text.trim().split(/\s+/);
  // "3423 Manufacture of hand tools" explains its code.
  return (
    !BRACKETED_CODE.test(text) &&
    words.length >= MIN_SENTENCE_WORDS &&
    !/\d/.test(words[0] ?? "") &&
    words.filter((word) => !/\d/.test(word)).length * 2 > words.length
  );
}

/** "Port Ansel Tide Gauge (PA-204)" names a station and its code. */
const BRACKETED_CODE = /\((?=[^()]*[\d\p{Lu}])[\p{Lu}\d-]{2,20}\)$/u;

/** True for several words without a digit or a code in brackets. */
const isWords = (text: string): boolean =>
  !/\d/.test(text) && !BRACKETED_CODE.test(text) && /\p{L}\s/u.test(text);

const MIN_SENTENCE_WORDS = 5;

/** "To be announced", "not listed", "20 November 2026"; "First floor left" may be a room. */
const isNoCode = (text: string): boolean =>
  NO_CODE_TEXT.test(text.trim()) || DATE_TEXT.test(text.trim());
const NO_CODE_TEXT =
  /^(?:to be (?:announced|confirmed|assigned)|tb[acd]|on request|not \p{L}+|see .+|pending|none|unknown|n\/a|auf anfrage|folgt|siehe .+|sur demande|à venir|voir .+|a petición|su richiesta|op aanvraag)\.?$/iu;
const DATE_TEXT = /^(?:\p{L}+,?\s)?\d{1,2}\.?\s\p{L}{3,9}\.?\s(?:19|20)\d\d$/u;

/** A trip without a stop has none to name. */
const STOPOVER_NAMES = /^(?:stopover|via|layover|interchange)$/;
const NO_STOPOVER =
  /^(?:(?:volo |vol |vuelo |train )?(?:direct|non-?stop|direkt\p{L}*|direct[oae]|diretto|diretta|direto|rechtstreeks\p{L}*|bezpośredni\p{L}*|přím[ýáoě]|suora)(?: (?:flight|train|service|connection|bus|flug|zug|verbindung|vlucht|trein|lot))?|through (?:train|service)|durchgehend\p{L}*|(?:no|none|without|ohne|kein\p{L}*|sans|sin|senza|sem|geen|zonder|bez|utan|uden|uten)(?: \p{L}+)?|ninguna?|keine?r?)$/iu;

const SERVING_WEIGHT = /^\d+(?:[.,]\d+)?\s?(?:k?g|m?l|oz)$/i;

const isPhone = (text: string): boolean =>
  !text.includes("@") && text.replaceAll(/\D/g, "").length >= 3 && !/\p{L}{12}/u.test(text);

const CODES = ["sku", "gtin", "isbn"];

/** A label in front of a code of one word or in groups of digits: "Art.-Nr. AG-KS32". */
const CODE_LABEL =
  /^(?:art(?:ikel|icle|ículo|icolo)?\.?[-\s]?(?:nr|no|n[°º])\.?|sku|mpn|item\s?(?:no\.?|#|number)|réf(?:érence|\.)?|ref\.|cod(?:ice|\.)|bestell-?nr\.?|varenr\.?|artnr\.?)\s?[:#]?\s{1,3}(?=\S+(?:\s\S{0,20}\d\S{0,20}){0,4}$)/iu;

/** A code of capital letters in groups: "HR-W-LKS". */
const LETTER_CODE = /^\p{Lu}{1,8}(?:[-_/.]\p{Lu}{1,8}){2,}$/u;

/**
 * Returns the code at the beginning of a text, without brackets and following words. Undefined for
 * a text that is not a code.
 */
function findCode(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(CODE_LABEL, "")
    .replace(/^[〈《「『(（[【]+|[〉》」』)）\]】]+$/gu, "")
    .trim();
  if (!/\d/.test(bare)) return LETTER_CODE.test(bare) ? bare : undefined;
  const words = bare.split(/[\s,]+/);
  if (words.length > 2 && words.filter((word) => !/\d/.test(word)).length * 2 > words.length)
    return undefined;
  const [, code] = /^(\S*\d\S*)\s+\p{Lu}?\p{Ll}[^\d]*$/u.exec(bare) ?? [];
  return code !== undefined && code.length >= 5 ? code.replace(/[,;:]$/, "") : bare;
}

/** "Unión Zarautz (*)" leads to a note below its table. */
const FOOTNOTE_MARK = /(?<=\p{L}.*)\s?(?:\(\*{1,3}\)|[*†‡]{1,3})$/u;

/** Skips visible texts that are too long for a short value, such as a whole block. */
export function fitText<T>(
  value: T | undefined,
  source: SourceKind,
  shape: Shape,
  wanted: Name,
): T | undefined {
  if (source === "table" && typeof value === "string")
    return value.replace(FOOTNOTE_MARK, "") as T & string;
  const isShown = source === "label" || source === "mark";
  const isLong = wanted.concepts.has("description") || wanted.concepts.has("body");
  return isShown &&
    shape.kind === "string" &&
    typeof value === "string" &&
    value.length > 200 &&
    !isLong
    ? undefined
    : value;
}

/** Returns the members of a thing that is a list, such as schema.org's ItemList. */
export function listMembers(thing: Thing): Thing[] {
  const members = thing.fields.get("itemListElement") ?? [];
  const things = members.filter((value) => value.kind === "thing");
  if (things.length === 0) return [unwrap(thing)];
  return things.map(unwrap);
}

function unwrap(thing: Thing): Thing {
  const inner = thing.fields.get("item")?.[0];
  return inner?.kind === "thing" ? inner : thing;
}

/** Returns the texts of a list value, with sections and steps flattened. */
export function listItems(value: Value): Leaf[] {
  if (value.kind === "leaf") return [value];
  const members = value.fields.get("itemListElement") ?? value.fields.get("steps");
  if (members !== undefined) {
    const inner = members.flatMap(listItems);
    if (inner.length > 0) return inner;
  }
  for (const key of [
    "text",
    "name",
    "url",
    "contentUrl",
    "value",
    "@value",
    "title",
    "description",
  ]) {
    const first = value.fields.get(key)?.[0];
    if (first?.kind === "leaf") return [first];
  }
  return [];
}

/** Splits one text that contains a list: by lines, and keywords by commas. */
export function splitList(leaves: readonly Leaf[], wanted: Name, source: SourceKind): Leaf[] {
  const parts = leaves.flatMap((leaf) => {
    if (typeof leaf.value !== "string") return [leaf];
    return cleanText(leaf.value)
      .split("\n")
      .map((text) => text.trim())
      .filter((text) => text !== "")
      .map((text): Leaf => ({ ...leaf, value: text }));
  });
  const [only] = parts;
  const isShort =
    wanted.concepts.has("keywords") ||
    wanted.concepts.has("category") ||
    wanted.concepts.has("diet") ||
    source === "label";
  if (parts.length !== 1 || only === undefined || typeof only.value !== "string" || !isShort)
    return parts;
  return only.value
    .split(/[,;]/)
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text): Leaf => ({ ...only, value: text }));
}
