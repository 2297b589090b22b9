// Replaces the references of a model's answer by words of the page: `"n12"` by all words of the
// node, `"n12: 184.00"` by some of them. Words of the model are never passed off as the page's.
import { resolveUrl } from "../../../html/links/base-url.ts";
import type { PagePlace } from "../../../page-model/page-lines.ts";
import { isObject } from "../../../runtime/is-object.ts";
import { escape } from "../../../runtime/json-schema/pointer.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { ModelPage } from "../../model/model-page.ts";
import { readNumbers } from "../../model/stated-values.ts";
import { coerceScalar, type CoerceContext } from "../values/coerce.ts";
import { shorten, type Evidence } from "../declared/finding.ts";
import { parseName, scoreSimilarity } from "../names/names.ts";

export type CopyResult = {
  readonly value: unknown;
  /** Evidence of copied values, by JSON pointer. */
  readonly evidence: Readonly<Record<string, Evidence>>;
  /** Quotes of values in the model's own words, by JSON pointer: the words at their references. */
  readonly quotes: Readonly<Record<string, string>>;
  /** References without a value, with the reason. */
  readonly dropped: readonly string[];
};

const MAX_DEPTH = 24;
const REFERENCE = /^\[?([ndt]\d{1,7})\]?(?:\s*[:=|]\s*(\S[\s\S]*))?$/;

export class ReferenceCopier {
  readonly #places: ReadonlyMap<string, PagePlace>;
  readonly #page: ModelPage;
  readonly #isWordOfPage: (word: string) => boolean;

  /** `isWordOfPage` is true if a word that looks like a reference is also on the page. */
  constructor(page: ModelPage, isWordOfPage: (word: string) => boolean) {
    this.#page = page;
    this.#isWordOfPage = isWordOfPage;
    this.#places = new Map(
      page.lines.flatMap(({ places }) => places.map((place) => [place.ref, place] as const)),
    );
  }

  copy(answer: unknown, shape: Shape): CopyResult {
    const evidence: Record<string, Evidence> = {};
    const quotes: Record<string, string> = {};
    const dropped: string[] = [];

    const read = (
      given: unknown,
      at: Shape | undefined,
      pointer: string,
      name: string,
      depth: number,
    ): unknown => {
      if (depth > MAX_DEPTH) return null;
      const reference = this.#referenceIn(given);
      if (reference !== undefined) {
        const found = this.#valueOf(reference, at, name);
        if ("fault" in found) {
          dropped.push(`${pointer} (${found.fault})`);
          return null;
        }
        if (found.evidence === undefined) quotes[pointer] = found.quote;
        else evidence[pointer] = found.evidence;
        return found.value;
      }
      if (Array.isArray(given))
        return (given as unknown[]).map((item, index) =>
          read(item, at?.items, `${pointer}/${index}`, name, depth + 1),
        );
      if (typeof given === "string" && at !== undefined && NOT_TEXT.has(at.kind)) {
        // Text in a number or boolean field is converted here, which saves a second model call.
        const value = this.#coerce(given, at, name);
        if (value === undefined) return given;
        if (/\p{L}/u.test(given)) quotes[pointer] = given;
        return value;
      }
      if (!isObject(given)) return given;
      return Object.fromEntries(
        Object.entries(given).map(([key, inner]) => [
          key,
          read(inner, at?.properties.get(key), `${pointer}/${escape(key)}`, key, depth + 1),
        ]),
      );
    };

    return { value: read(answer, shape, "", "", 0), evidence, quotes, dropped };
  }

  #referenceIn(given: unknown): Reference | undefined {
    if (typeof given === "string") {
      const [, ref, part] = REFERENCE.exec(given.trim()) ?? [];
      if (ref === undefined) return undefined;
      const isBare = part === undefined && given.trim() === ref;
      // "n95" may be a word or a line of the page; only a quote decides.
      if (isBare && this.#isWordOfPage(ref)) return { ref, isDoubtful: this.#places.has(ref) };
      return { ref, part };
    }
    if (!isObject(given) || typeof given["ref"] !== "string") return undefined;
    const [, ref] = REFERENCE.exec(given["ref"].trim()) ?? [];
    if (ref === undefined) return undefined;
    const { text, value } = given;
    const part = [text, value].find(isScalar);
    return { ref, part };
  }

  #valueOf(reference: Reference, shape: Shape | undefined, name: string): FoundReference {
    const { ref, part, isDoubtful } = reference;
    if (isDoubtful !== undefined)
      return isDoubtful
        ? { fault: `${ref} is a word of the page and a reference` }
        : { value: ref, quote: ref, evidence: undefined };
    const place = this.#places.get(ref);
    if (place === undefined) return { fault: `the page has no ${ref}` };
    const evidence = buildEvidence(place);
    if (part === undefined) {
      const value = this.#whole(place, shape, name);
      return value === undefined
        ? { fault: `${ref} is no ${shape?.format ?? shape?.kind ?? "value"}` }
        : { value, quote: place.words, evidence };
    }
    const words = String(part);
    if (typeof part === "string" && holds(place.words, words)) {
      const value = this.#coerce(words, shape, name);
      if (value !== undefined) return { value, quote: place.words, evidence };
    }
    if (typeof part === "string" && place.address !== undefined && place.address.includes(words))
      return { value: place.address, quote: place.words, evidence };
    // Another form of the words, such as true or a converted number: checked like any value with a
    // quote.
    return { value: toPlain(part, shape), quote: place.words, evidence: undefined };
  }

  #whole(place: PagePlace, shape: Shape | undefined, name: string): unknown {
    const { words, address } = place;
    const { concepts, words: nameWords } = parseName(name);
    const wantsAddress =
      shape?.format === "uri" ||
      shape?.format === "url" ||
      nameWords.some((word) => ADDRESS_WORDS.has(word));
    if (address !== undefined && (wantsAddress || words === "")) return address;
    if (address !== undefined && (concepts.has("email") || shape?.format === "email"))
      if (/^mailto:/i.test(address)) return /^mailto:([^?]+)/i.exec(address)?.[1];
    if (shape?.kind === "number" || shape?.kind === "integer") {
      // With several numbers, the model must quote one.
      const amounts = new Set(readNumbers(words).flatMap(({ amounts: all }) => all.slice(0, 1)));
      if (amounts.size > 1) return undefined;
    }
    return this.#coerce(stripLabel(words, name), shape, name);
  }

  #coerce(words: string, shape: Shape | undefined, name: string): unknown {
    if (shape === undefined || shape.kind === "object" || shape.kind === "array") return words;
    const context: CoerceContext = {
      resolve: (written) => resolveUrl(written, this.#page.base) ?? written,
      order: this.#page.order,
      words: parseName(name).words,
    };
    return coerceScalar(words, shape, context);
  }
}

type Reference = {
  readonly ref: string;
  readonly part?: string | number | boolean | undefined;
  /** Set for a word of the page that looks like a reference: true if that line exists, too. */
  readonly isDoubtful?: boolean;
};

type FoundReference =
  | { readonly fault: string }
  | {
      readonly value: unknown;
      readonly quote: string;
      readonly evidence: Evidence | undefined;
    };

const NOT_TEXT: ReadonlySet<Shape["kind"]> = new Set(["number", "integer", "boolean"]);

const ADDRESS_WORDS: ReadonlySet<string> = new Set(
  "url uri link href website homepage image photo picture thumbnail logo".split(" "),
);

/** Only references of nodes are returned; those of other lines have no meaning for the caller. */
const buildEvidence = ({ ref, words }: PagePlace): Evidence => ({
  source: "model",
  ...(ref.startsWith("n") ? { ref } : {}),
  text: shorten(words.replaceAll(/\s+/g, " ")),
});

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

const fold = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Finds whole words only: "184.00" does not contain "18". */
function holds(words: string, part: string): boolean {
  const [whole, wanted] = [fold(words), fold(part)];
  if (wanted === "") return false;
  for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + 1)) {
    const before = whole.slice(Math.max(0, at - 2), at);
    const after = whole.slice(at + wanted.length, at + wanted.length + 2);
    const startsInside = isWord(wanted[0]) && /[\p{L}\p{N}]$|\d[.,]$/u.test(before);
    const endsInside = isWord(wanted.at(-1)) && /^[\p{L}\p{N}]|^[.,]\d/u.test(after);
    if (!startsInside && !endsInside) return true;
  }
  return false;
}

const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** False for scripts without spaces, which have no word boundaries. */
const isWord = (sign = ""): boolean => /[\p{L}\p{N}]/u.test(sign) && !DENSE_SCRIPT.test(sign);

/** "SKU: FJ-1" for the property `sku` is "FJ-1". */
function stripLabel(words: string, name: string): string {
  const [, label, rest] = /^([^:：\n]{1,60})[:：]\s*(\S[\s\S]*)$/.exec(words) ?? [];
  if (label === undefined || rest === undefined || rest.startsWith("//")) return words;
  return scoreSimilarity(parseName(name), parseName(label)) >= 0.9 ? rest : words;
}

/** Converts the text behind a reference, where the schema wants a number or a boolean. */
function toPlain(part: unknown, shape: Shape | undefined): unknown {
  if (typeof part !== "string") return part;
  const text = part.trim();
  if (shape?.kind === "boolean") return text === "true" ? true : text === "false" ? false : text;
  const isNumeric = shape?.kind === "number" || shape?.kind === "integer";
  return isNumeric && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
