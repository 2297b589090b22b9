// Finds values of properties in the machine-readable data of a page, checked against what the page
// shows.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { type Candidate, findInThing } from "../declared/candidates.ts";
import type { Leaf, SourceKind } from "../declared/finding.ts";
import type { Findings } from "../declared/findings.ts";
import { isHiddenPrice } from "../declared/other-items.ts";
import { findVariants } from "../declared/rank-things.ts";
import { type Name, parseName, splitCurrency } from "../names/names.ts";
import { coerceScalar } from "../values/coerce.ts";
import { readDeclaredStock } from "../values/stock.ts";
import { fitText, listScalars, prepareValue } from "../values/values.ts";
import { CONDITIONAL } from "../visible/discounts.ts";
import { findShownPrice, type ShownPrice } from "../visible/shown-prices.ts";
import { readShownStock } from "../visible/visible-stock.ts";
import type { Notes } from "./notes.ts";
import type { Scope } from "./scope.ts";
import { StaleData } from "./stale-data.ts";
import type { ValueContexts } from "./value-contexts.ts";

const STRONG: ReadonlySet<SourceKind> = new Set([
  "json-ld",
  "microdata",
  "rdfa",
  "thread",
  "metadata",
]);
const OF_ANY_VARIANT = ["image", "images", "url", "description"];
/** Properties of texts, such as articles. */
const TEXT_CONCEPTS = ["author", "published", "modified", "body"];
const MIN_SCORE = 0.45;
/** Minimum score of a field with the same meaning; a part of the name scores less. */
const MIN_FIRM_SCORE = 0.8;
const MAX_TRIED = 12;

export const isStrongSource = (source: SourceKind): boolean => STRONG.has(source);

export class DeclaredValues {
  readonly #findings: Findings;
  readonly #notes: Notes;
  readonly #contexts: ValueContexts;
  #describesText = false;
  #describesBook = false;
  #stale: StaleData | undefined;

  constructor(findings: Findings, notes: Notes, contexts: ValueContexts) {
    this.#findings = findings;
    this.#notes = notes;
    this.#contexts = contexts;
  }

  /** Says what the requested object is about, by its properties. */
  describe({ properties }: Shape): void {
    const names = [...properties.keys()].map(parseName);
    this.#describesText = names.some(
      ({ concepts, words }) =>
        !words.includes("release") && TEXT_CONCEPTS.some((concept) => concepts.has(concept)),
    );
    const concepts = new Set(names.flatMap((name) => [...name.concepts]));
    this.#describesBook =
      concepts.has("isbn") || (concepts.has("publisher") && concepts.has("pages"));
  }

  list(wanted: Name, { things, typeWords, page }: Scope): Candidate[] {
    const found = things.flatMap((thing, at) =>
      findInThing(wanted, thing, typeWords).map((candidate) => ({
        ...candidate,
        score: candidate.score * (at === 0 ? 1 : 0.9),
      })),
    );
    if (page !== undefined && this.#isOfPage(wanted))
      found.push(...findInThing(wanted, page, typeWords));
    // A declared price is everyone's, not that of members or coupons.
    const min = CONDITIONAL.test(wanted.words.join(" ")) ? MIN_FIRM_SCORE : MIN_SCORE;
    return found
      .filter(({ score, values }) => score >= min && values.length > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, MAX_TRIED);
  }

  /**
   * True if a property may be that of the page itself. The language of a page is not that of a film
   * or a program on it, and its date is not that of a release.
   */
  #isOfPage({ concepts, words }: Name): boolean {
    if (concepts.has("language") && !words.includes("page")) return this.#describesText;
    return !(concepts.has("published") && (words.includes("release") || this.#describesBook));
  }

  choose(
    candidates: readonly Candidate[],
    wanted: Name,
    shape: Shape,
    pointer: string,
    scope: Scope,
  ): unknown {
    const context = this.#contexts.of(wanted);
    const isOneOfMany = differingMembers(candidates, wanted, shape);
    const stale = scope.page === undefined ? undefined : this.getStaleData(scope);
    const isPriced = wanted.concepts.has("price") || wanted.concepts.has("list price");
    if (isPriced && this.#isInOtherCurrency(wanted, scope)) return undefined;
    for (const { values, source, score, isExact } of candidates) {
      const leaves = values.flatMap((value) => listScalars(value, wanted, shape));
      for (const leaf of leaves.slice(0, 5)) {
        if (isOneOfMany(leaf) || stale?.rejects(leaf, wanted) === true) continue;
        if (isPriced && isHiddenPrice(leaf, this.#findings.model)) continue;
        if (isCurrentPrice(wanted) && this.#isShownAs("former", leaf)) continue;
        const value = fitText(
          coerceScalar(prepareValue(leaf, wanted, source), shape, context),
          source,
          shape,
          wanted,
        );
        if (value === undefined) continue;
        const isStrong = isStrongSource(source) && score >= 0.6;
        this.#notes.note(pointer, leaf, isStrong ? "high" : "medium", isExact);
        return value;
      }
    }
    return undefined;
  }

  /** Candidates from the other variants of the item, such as the sizes of a shoe. */
  listOfVariants(wanted: Name, { things, typeWords, page }: Scope): Candidate[] {
    const [best] = things;
    // A member of a list is one of the variants.
    if (best === undefined || (page === undefined && best.source === "state")) return [];
    return findVariants(best, this.#findings.things).flatMap((thing) =>
      findInThing(wanted, thing, typeWords),
    );
  }

  /**
   * True if a property differs in each variant, so that no value is that of the item. An image or
   * page is valid for the item, too.
   */
  differsByVariant(wanted: Name, scope: Scope): boolean {
    if (OF_ANY_VARIANT.some((concept) => wanted.concepts.has(concept))) return false;
    const others = this.listOfVariants(wanted, scope);
    const [best] = scope.things;
    if (others.length === 0 || best === undefined) return false;
    const texts = [...findInThing(wanted, best, scope.typeWords), ...others].flatMap(({ values }) =>
      values.flatMap((value) => (value.kind === "leaf" ? [String(value.value)] : [])),
    );
    return new Set(texts).size > 1;
  }

  /** Returns true if any of several offers of one item is in stock. */
  findInStock(
    candidates: readonly Candidate[],
    wanted: Name,
    shape: Shape,
    pointer: string,
  ): unknown {
    const [best] = candidates;
    if (best === undefined) return undefined;
    const leaves = candidates
      .filter(({ score, source }) => score === best.score && source === best.source)
      .flatMap(({ values }) => values.flatMap((value) => listScalars(value, wanted, shape)));
    const offered = leaves.find(({ value }) => /(?:^|\/)InStock$/i.test(String(value)));
    if (offered === undefined || leaves.length < 2) return undefined;
    const value = coerceScalar(offered.value, shape, this.#contexts.of(wanted));
    if (value !== undefined) this.#notes.note(pointer, offered, "high", best.isExact);
    return value;
  }

  /**
   * True if the page shows that an item is sold out and its data says that it is in stock, or the
   * reverse.
   */
  contradictsStock(
    candidates: readonly Candidate[],
    wanted: Name,
    shape: Shape,
    { visible }: Scope,
  ): boolean {
    if (visible === undefined || !visible.isPage) return false;
    const shown = readShownStock(visible);
    if (shown === undefined) return false;
    const declared = new Set(
      candidates
        .flatMap(({ values }) => values.flatMap((value) => listScalars(value, wanted, shape)))
        .map(({ value }) => readDeclaredStock(String(value)))
        .filter((stock) => stock !== undefined),
    );
    return declared.size === 1 && !declared.has(shown);
  }

  /**
   * True for a name that is the page's heading with a variant behind it: "Kettle - Matte Black".
   */
  isVariantName(declared: unknown, wanted: Name, { page }: Scope): boolean {
    const { model } = this.#findings;
    if (page === undefined || !wanted.concepts.has("name") || typeof declared !== "string")
      return false;
    const heading = model?.heading;
    const title = heading === undefined || model === undefined ? "" : model.lineOf(heading);
    return (
      title !== "" &&
      declared.startsWith(title) &&
      /^\s[-–—|/]\s/u.test(declared.slice(title.length))
    );
  }

  getStaleData({ visible, things: [main] }: Scope): StaleData | undefined {
    if (visible === undefined || !visible.isPage) return undefined;
    return (this.#stale ??= new StaleData(visible, main, this.#findings.title));
  }

  /** True if the page labels the declared price as another one, such as "Starting price". */
  declaresOtherPrice(candidates: readonly Candidate[], wanted: Name, shape: Shape): boolean {
    const [leaf] = candidates.flatMap(({ values }) =>
      values.flatMap((value) => listScalars(value, wanted, shape)),
    );
    return leaf !== undefined && this.#isShownAs("other", leaf);
  }

  #isShownAs(how: ShownPrice, { value }: Leaf): boolean {
    return findShownPrice(Number(value), this.#findings.model) === how;
  }

  /**
   * True if the name asks for a currency, such as `price_usd`, and the data declares another one.
   */
  #isInOtherCurrency(wanted: Name, scope: Scope): boolean {
    const { currency } = splitCurrency(wanted.words);
    if (currency === undefined) return false;
    const declared = this.list(parseName("currency"), scope).flatMap(({ values }) =>
      values.flatMap((value) => (value.kind === "leaf" ? [String(value.value)] : [])),
    );
    return declared.length > 0 && !declared.includes(currency);
  }
}

export const isCurrentPrice = ({ concepts }: Name): boolean =>
  concepts.has("price") && !concepts.has("list price");

/**
 * Detects values of script data that differ between the members of one list, such as the prices of
 * variants: none of them is that of the item.
 */
function differingMembers(
  candidates: readonly Candidate[],
  wanted: Name,
  shape: Shape,
): (leaf: Leaf) => boolean {
  const findPlace = ({
    evidence: { source, selector = "", path = "" },
  }: Leaf): string | undefined =>
    source === "state" && /\[\d+\]/.test(path)
      ? `${selector} ${path.replaceAll(/\[\d+\]/g, "[]")}`
      : undefined;
  const byPlace = new Map<string, Set<unknown>>();
  for (const leaf of candidates.flatMap(({ values }) =>
    values.flatMap((value) => listScalars(value, wanted, shape)),
  )) {
    const place = findPlace(leaf);
    if (place !== undefined) byPlace.set(place, (byPlace.get(place) ?? new Set()).add(leaf.value));
  }
  return (leaf) => (byPlace.get(findPlace(leaf) ?? "")?.size ?? 0) > 1;
}
