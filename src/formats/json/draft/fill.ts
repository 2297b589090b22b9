// Fills the shape of a schema with data of the page. Machine-readable data comes first, then
// visible data. A property without certain evidence is left out, with the reason.
import { findInThing, type Candidate } from "../declared/candidates.ts";
import { coerceScalar, type CoerceContext } from "../values/coerce.ts";
import type { Evidence, Leaf, SourceKind, Thing } from "../declared/finding.ts";
import type { Findings } from "../declared/findings.ts";
import { toWanted } from "../visible/label-match.ts";
import { parseName, parseNameInContext, splitCurrency, type Name } from "../names/names.ts";
import { escape } from "../../../runtime/json-schema/pointer.ts";
import {
  PAGE_LEVEL_TYPES,
  rankThings,
  listSiteWords,
  listTypeWords,
  findVariants,
} from "../declared/rank-things.ts";
import type { PageNode } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { findBestThingGroup, groupThings, type ThingGroup } from "../declared/thing-groups.ts";
import { CONDITIONAL } from "../visible/discounts.ts";
import { dropOtherItems, isHiddenPrice } from "../declared/other-items.ts";
import { listCopies } from "./copied-values.ts";
import {
  fitText,
  listItems,
  listMembers,
  prepareItem,
  prepareValue,
  listScalars,
  splitList,
} from "../values/values.ts";
import { completeDate } from "../values/partial-dates.ts";
import { listFullDates } from "../visible/page-dates.ts";
import { findLabelList } from "../visible/label-lists.ts";
import { findVisibleList } from "../visible/visible-lists.ts";
import {
  chooseRowGroup,
  isListNamed,
  listRowGroups,
  listSingleCards,
  type RowGroup,
} from "../visible/visible-rows.ts";
import { VisibleScope } from "../visible/visible-scope.ts";
import { fold, toVisibleLeaf, type Confidence } from "../visible/visible-value.ts";
import { readShownStock } from "../visible/visible-stock.ts";
import { readDeclaredStock } from "../values/stock.ts";
import { namesNoProduct } from "../visible/record-parts.ts";
import { findShownPrice, type ShownPrice } from "../visible/visible-prices.ts";
import { findVisibleValue } from "../visible/visible-values.ts";
import { findOptionInGroup, isOfGroup } from "./group-heading.ts";
import { areHalves, findTitleOfMost, isBreak, isSum, selectComplete } from "./row-checks.ts";
import { splitVersion, splitWeekday, toClockTimes } from "./sibling-values.ts";
import { areSimilar, differ, StaleData } from "./stale-data.ts";

export type FillResult = {
  readonly value: unknown;
  /** By JSON pointer within the value (RFC 6901). */
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** Pointers of values with firm evidence: machine-readable data or a label of the property. */
  readonly strong: ReadonlySet<string>;
  /** Pointers of strong values whose place has the name of the property. */
  readonly exact: ReadonlySet<string>;
  /** Reasons for missing values, by pointer; those of list items are not listed. */
  readonly reasons: ReadonlyMap<string, string>;
};

/** Part of the page in which a thing's properties are searched. */
type Scope = {
  /** Machine-readable things, the best first. */
  readonly things: readonly Thing[];
  readonly typeWords: ReadonlySet<string>;
  /** Data about the page as a whole. */
  readonly page: Thing | undefined;
  /** Visible text of the scope. */
  readonly visible: VisibleScope | undefined;
  /** Heading of the part of a list that the item stands in. */
  readonly group: string;
  /** Name of the list whose rows are filled. */
  readonly list?: Name;
};

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
const MAX_ITEMS = 1_000;
/** Records of a list that other lists are searched for. */
const MAX_SUPPLEMENTED = 50;
/** Characters of a text that is all of a list's object; longer ones have parts. */
const MAX_SINGLE = 60;
/**
 * Returns the value for a shape, undefined if the page has none. `hint` is the caller's prompt
 * beside the schema.
 */
export function fillShape(shape: Shape, findings: Findings, hint = ""): FillResult {
  const filler = new Filler(findings, hint);
  const value = filler.root(shape);
  return {
    value,
    evidence: filler.evidence,
    strong: filler.strong,
    exact: filler.exact,
    reasons: filler.reasons,
  };
}

/** Options for the members of a list. */
type NotedValue = {
  readonly pointer: string;
  readonly confidence: Confidence;
  readonly isExact?: boolean;
};

class Filler {
  readonly evidence = new Map<string, Evidence>();
  readonly strong = new Set<string>();
  readonly exact = new Set<string>();
  readonly reasons = new Map<string, string>();
  readonly #findings: Findings;
  readonly #hint: string;
  #describesText = false;
  #describesBook = false;
  #stale: StaleData | undefined;
  #dates: readonly string[] | undefined;
  #thingGroups: readonly ThingGroup[] | undefined;
  readonly #owners = new Map<RowGroup, GroupOwner>();
  #rowGroups: readonly RowGroup[] | undefined;

  constructor(findings: Findings, hint: string) {
    this.#findings = findings;
    this.#hint = hint;
  }

  root(shape: Shape): unknown {
    this.#describesText = [...shape.properties.keys()]
      .map(parseName)
      .some(
        ({ concepts, words }) =>
          !words.includes("release") && TEXT_CONCEPTS.some((concept) => concepts.has(concept)),
      );
    const concepts = new Set(
      [...shape.properties.keys()].flatMap((name) => [...parseName(name).concepts]),
    );
    this.#describesBook =
      concepts.has("isbn") || (concepts.has("publisher") && concepts.has("pages"));
    if (shape.kind === "array")
      return this.#list(shape, parseName(shape.description), this.#pageScope(shape), "");
    if (shape.kind !== "object") return undefined;
    return this.#object(shape, this.#pageScope(shape), "");
  }

  #pageScope(shape: Shape): Scope {
    const { model, page, title } = this.#findings;
    const own =
      shape.kind === "object"
        ? dropOtherItems(this.#findings.things, model, title)
        : this.#findings.things;
    const things = rankThings(shape, own, this.#hint);
    return {
      things,
      typeWords: listTypeWords(things, shape),
      page,
      visible: model === undefined ? undefined : VisibleScope.page(model),
      group: "",
    };
  }

  #object(shape: Shape, scope: Scope, pointer: string): Record<string, unknown> | undefined {
    const value: Record<string, unknown> = {};
    for (const [name, property] of shape.properties) {
      const wanted = parseNameInContext(
        name,
        shape.properties.keys(),
        property.kind === "string" ? scope.list : undefined,
      );
      const found = this.#property(wanted, property, scope, `${pointer}/${escape(name)}`);
      if (found !== undefined) value[name] = found;
    }
    const copies = listCopies(
      value,
      (key) => this.#placeOf(`${pointer}/${escape(key)}`),
      (key) => this.exact.has(`${pointer}/${escape(key)}`),
    );
    for (const name of copies) {
      delete value[name];
      this.#forget(`${pointer}/${escape(name)}`);
      this.reasons.set(`${pointer}/${escape(name)}`, "its only value belongs to another property");
    }
    splitVersion(value, shape);
    toClockTimes(value, shape);
    splitWeekday(value, shape);
    return Object.keys(value).length === 0 ? undefined : value;
  }

  #placeOf(pointer: string): string | undefined {
    const evidence = this.evidence.get(pointer);
    if (evidence === undefined) return undefined;
    const { source, selector = "", path = "", text } = evidence;
    return [source, selector, path, text].join("\n");
  }

  #property(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    switch (shape.kind) {
      case "object":
        return this.#inner(wanted, shape, scope, pointer);
      case "array":
        return this.#list(shape, wanted, scope, pointer);
      default:
        return this.#scalar(wanted, shape, scope, pointer);
    }
  }

  #candidates(wanted: Name, { things, typeWords, page }: Scope): Candidate[] {
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

  #scalar(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    const candidates = this.#candidates(wanted, scope);
    // The name of the organization or site around an item is not the item's.
    const isPageName = scope.page !== undefined && wanted.concepts.has("name");
    const isDeclared = ({ source, types }: Candidate): boolean =>
      source !== "metadata" &&
      !(isPageName && types.length > 0 && types.every((type) => PAGE_LEVEL_TYPES.has(type)));
    // Sellers may show one number and declare another, such as that of a variant: the labeled one
    // is used for orders.
    if (wanted.concepts.has("sku")) {
      const labeled = this.#visible(wanted, shape, scope, pointer);
      if (labeled !== undefined) return labeled;
    }
    if (wanted.concepts.has("availability")) {
      if (this.#contradicts(candidates, wanted, shape, scope)) {
        this.reasons.set(pointer, "the page shows another state than its data declares");
        return undefined;
      }
      const declared = [...candidates, ...this.#ofVariants(wanted, scope)].filter(isDeclared);
      const offered = this.#anyInStock(declared, wanted, shape, pointer);
      if (offered !== undefined) return offered;
    }
    if (
      isCurrentPrice(wanted) &&
      this.#declaresOtherPrice(candidates.filter(isDeclared), wanted, shape)
    ) {
      const shown = this.#visible(wanted, shape, scope, pointer);
      if (shown !== undefined) return shown;
    }
    const isOfOneVariant = this.#differs(wanted, scope);
    const declared = isOfOneVariant
      ? undefined
      : this.#fromCandidates(candidates.filter(isDeclared), wanted, shape, pointer, scope);
    if (this.#isVariantName(declared, wanted, scope)) {
      this.#forget(pointer);
      const heading = this.#visible(wanted, shape, scope, pointer);
      if (heading !== undefined) return heading;
    }
    if (declared !== undefined)
      return this.#shownInstead(declared, wanted, shape, scope, pointer) ?? declared;
    const shown = this.#visible(wanted, shape, scope, pointer);
    if (shown !== undefined) return shown;
    if (isOfOneVariant) {
      this.reasons.set(pointer, "it differs between the variants that the page describes");
      return undefined;
    }
    // "Pricing that fits your team" is the page's title and names no product.
    const { model, title } = this.#findings;
    const heading = model?.heading === undefined ? title : model.lineOf(model.heading);
    if (namesNoProduct(wanted, heading)) return undefined;
    // Data in a page's head is about the page, not about the item on it.
    return this.#fromCandidates(
      candidates.filter((each) => !isDeclared(each)),
      wanted,
      shape,
      pointer,
      scope,
    );
  }

  /** True for a name that is the page's heading with a variant behind it: "Kettle - Matte Black". */
  #isVariantName(declared: unknown, wanted: Name, { page }: Scope): boolean {
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

  /** The visible value that contradicts a declared one: the page labels it and does not show the other. */
  #shownInstead(
    declared: unknown,
    wanted: Name,
    shape: Shape,
    scope: Scope,
    pointer: string,
  ): unknown {
    if (scope.page === undefined || scope.visible === undefined) return undefined;
    if (this.evidence.get(pointer)?.source !== "json-ld") return undefined;
    if (this.#staleData(scope)?.isShown(declared as string | number | boolean) !== false)
      return undefined;
    const noted = this.evidence.get(pointer);
    const [isStrong, isExact] = [this.strong.has(pointer), this.exact.has(pointer)];
    const shown = this.#visible(wanted, shape, scope, pointer);
    const { source, confidence } = this.evidence.get(pointer) ?? {};
    const isLabeled =
      source === "label" ||
      source === "table" ||
      (source === "section" && wanted.concepts.has("name") && areSimilar(declared, shown));
    if (shown !== undefined && isLabeled && confidence === "high" && differ(declared, shown, shape))
      return shown;
    if (noted !== undefined) this.evidence.set(pointer, noted);
    if (isStrong) this.strong.add(pointer);
    if (isExact) this.exact.add(pointer);
    this.reasons.delete(pointer);
    return undefined;
  }

  #staleData({ visible, things: [main] }: Scope): StaleData | undefined {
    if (visible === undefined || !visible.isPage) return undefined;
    return (this.#stale ??= new StaleData(visible, main, this.#findings.title));
  }

  /** True if the page labels the declared price as another one, such as "Starting price". */
  #declaresOtherPrice(candidates: readonly Candidate[], wanted: Name, shape: Shape): boolean {
    const [leaf] = candidates.flatMap(({ values }) =>
      values.flatMap((value) => listScalars(value, wanted, shape)),
    );
    return leaf !== undefined && this.#isShownAs("other", leaf);
  }

  #isShownAs(how: ShownPrice, { value }: Leaf): boolean {
    return findShownPrice(Number(value), this.#findings.model) === how;
  }

  /** True if the page shows that an item is sold out and its data says that it is in stock, or the reverse. */
  #contradicts(
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

  /** Candidates from the other variants of the item, such as the sizes of a shoe. */
  #ofVariants(wanted: Name, { things, typeWords, page }: Scope): Candidate[] {
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
  #differs(wanted: Name, scope: Scope): boolean {
    if (OF_ANY_VARIANT.some((concept) => wanted.concepts.has(concept))) return false;
    const others = this.#ofVariants(wanted, scope);
    const [best] = scope.things;
    if (others.length === 0 || best === undefined) return false;
    const texts = [...findInThing(wanted, best, scope.typeWords), ...others].flatMap(({ values }) =>
      values.flatMap((value) => (value.kind === "leaf" ? [String(value.value)] : [])),
    );
    return new Set(texts).size > 1;
  }

  /** Returns true if any of several offers of one item is in stock. */
  #anyInStock(
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
    const value = coerceScalar(offered.value, shape, this.#context(wanted));
    if (value !== undefined) this.#note(pointer, offered, "high", best.isExact);
    return value;
  }

  #fromCandidates(
    candidates: readonly Candidate[],
    wanted: Name,
    shape: Shape,
    pointer: string,
    scope: Scope,
  ): unknown {
    const context = this.#context(wanted);
    const isOneOfMany = differingMembers(candidates, wanted, shape);
    const stale = scope.page === undefined ? undefined : this.#staleData(scope);
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
        const isStrong = STRONG.has(source) && score >= 0.6;
        this.#note(pointer, leaf, isStrong ? "high" : "medium", isExact);
        return value;
      }
    }
    return undefined;
  }

  /** True if the name asks for a currency, such as `price_usd`, and the data declares another one. */
  #isInOtherCurrency(wanted: Name, scope: Scope): boolean {
    const { currency } = splitCurrency(wanted.words);
    if (currency === undefined) return false;
    const declared = this.#candidates(parseName("currency"), scope).flatMap(({ values }) =>
      values.flatMap((value) => (value.kind === "leaf" ? [String(value.value)] : [])),
    );
    return declared.length > 0 && !declared.includes(currency);
  }

  #visible(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    if (scope.visible === undefined) return undefined;
    const isGroup = isOfGroup(wanted, shape, scope);
    // Sites put their own name before labels: "Example item number".
    const fillers = new Set([...scope.typeWords, ...listSiteWords(this.#findings.page)]);
    const ways = toWanted(wanted, shape, scope.typeWords).map((way) => ({
      ...way,
      fillers,
    }));
    const answer = findVisibleValue(ways, shape, scope.visible);
    // A column or label of the record itself comes before the heading of its part of the list.
    const isNamed = "found" in answer && answer.found.confidence === "high";
    const heading = isGroup ? scope.group : findOptionInGroup(scope.group, shape.description);
    const grouped =
      heading !== undefined && !isNamed
        ? coerceScalar(heading, shape, this.#context(wanted))
        : undefined;
    if (grouped !== undefined) return grouped;
    if ("reason" in answer) {
      this.reasons.set(pointer, answer.reason);
      return undefined;
    }
    const context = this.#context(wanted);
    const { leaves, confidence, isExact } = answer.found;
    for (const leaf of leaves) {
      const given = prepareValue(leaf, wanted, leaf.evidence.source as SourceKind);
      const value = fitText(
        coerceScalar(given, shape, context),
        leaf.evidence.source as SourceKind,
        shape,
        wanted,
      );
      if (value === undefined) continue;
      this.#note(pointer, leaf, confidence, isExact);
      return value;
    }
    const text = leaves[0]?.evidence.text ?? this.#lineOf(answer.found.node);
    this.reasons.set(pointer, `"${text.slice(0, 60)}" is no ${shape.format ?? shape.kind}`);
    return undefined;
  }

  #lineOf(node: PageNode): string {
    return this.#findings.model?.lineOf(node) ?? "";
  }

  #inner(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    if (shape.properties.size === 0) return undefined;
    for (const { values } of this.#candidates(wanted, scope)) {
      const things = values.filter((value) => value.kind === "thing");
      for (const thing of things.slice(0, 3)) {
        const value = this.#object(shape, this.#thingScope(thing, shape), pointer);
        if (value !== undefined) return value;
      }
    }
    // Combines flat properties into an object: {price: {amount, currency}} from price and
    // priceCurrency.
    const joined = this.#joined(wanted, shape, scope, pointer);
    const enough = joined !== undefined && Object.keys(joined).length * 2 >= shape.properties.size;
    if (enough) return joined;
    this.#forget(pointer);
    return undefined;
  }

  #thingScope(thing: Thing, shape: Shape): Scope {
    return {
      things: [thing],
      typeWords: listTypeWords([thing], shape),
      page: undefined,
      visible: undefined,
      group: "",
    };
  }

  #joined(
    wanted: Name,
    shape: Shape,
    scope: Scope,
    pointer: string,
  ): Record<string, unknown> | undefined {
    const value: Record<string, unknown> = {};
    for (const [name, property] of shape.properties) {
      const long = `${wanted.key} ${name}`;
      const at = `${pointer}/${escape(name)}`;
      const generic =
        parseName(name).concepts.has("name") || parseName(name).concepts.has("description");
      const found =
        this.#property(parseName(long), property, scope, at) ??
        (generic ? undefined : this.#property(parseName(name), property, scope, at));
      if (found !== undefined) value[name] = found;
    }
    return Object.keys(value).length === 0 ? undefined : value;
  }

  #list(shape: Shape, wanted: Name, scope: Scope, pointer: string): unknown[] | undefined {
    const { items } = shape;
    if (items === undefined) return undefined;
    if (items.kind === "object") return this.#listOfObjects(shape, items, wanted, scope, pointer);
    const fromCandidates = (candidates: readonly Candidate[]): unknown[] | undefined => {
      for (const { values, source, isExact } of candidates) {
        const leaves = splitList(
          values.flatMap((value) => listItems(value)),
          wanted,
          source,
        );
        const confidence = STRONG.has(source) ? "high" : "medium";
        const noted = { pointer, confidence, isExact } as const;
        const list = this.#texts(leaves, items, shape.maxItems, wanted, noted);
        if (list !== undefined) return list;
      }
      return undefined;
    };
    const all = this.#candidates(wanted, scope);
    const declared = fromCandidates(all.filter(({ source }) => source !== "metadata"));
    if (declared !== undefined) return declared;
    const described = parseName(shape.description);
    const shown =
      scope.visible === undefined
        ? []
        : findVisibleList(wanted, scope.visible, scope.typeWords, described);
    return (
      this.#texts(shown, items, shape.maxItems, wanted, { pointer, confidence: "medium" }) ??
      // The byline of a page is not the writer of a film on it.
      fromCandidates(all.filter(({ source }) => source === "metadata"))
    );
  }

  #texts(
    leaves: readonly Leaf[],
    items: Shape,
    maxItems: number,
    wanted: Name,
    { pointer, confidence, isExact }: NotedValue,
  ): unknown[] | undefined {
    const context = this.#context(wanted);
    const list: unknown[] = [];
    for (const leaf of leaves) {
      const value = coerceScalar(prepareItem(leaf, wanted), items, context);
      if (value === undefined || list.length >= maxItems) continue;
      this.#note(`${pointer}/${list.length}`, leaf, confidence, isExact);
      list.push(value);
    }
    return list.length > 0 ? list : undefined;
  }

  #listOfObjects(
    shape: Shape,
    items: Shape,
    wanted: Name,
    scope: Scope,
    pointer: string,
  ): unknown[] | undefined {
    const toScopes = (things: readonly Thing[]): Scope[] =>
      things.map((thing) => this.#thingScope(thing, items));
    for (const { values } of this.#candidates(wanted, scope)) {
      const things = values.filter((value) => value.kind === "thing");
      const filled = this.#fillAll(
        toScopes(things.flatMap(listMembers)),
        items,
        pointer,
        shape.maxItems,
      );
      if (filled !== undefined) return filled;
    }
    // Inside a thing or a row, only its own lists count.
    if (scope.page === undefined) return undefined;
    const labels =
      scope.visible === undefined
        ? undefined
        : this.#listOfLabels(shape, items, wanted, scope.visible, pointer);
    if (labels !== undefined) return labels;
    this.#thingGroups ??= groupThings(this.#findings.things);
    const declared = findBestThingGroup(this.#thingGroups, items, wanted, (things) => {
      const trial = new Filler(this.#findings, "");
      return trial.#fillAll(toScopes(things), items, "", 3) ?? [];
    });
    if (declared !== undefined)
      return this.#fillAll(toScopes(declared.things), items, pointer, shape.maxItems);
    if (scope.visible === undefined) return undefined;
    return (
      this.#listOfSingles(shape, items, wanted, scope, pointer) ??
      this.#listOfRows(shape, items, wanted, scope.visible, pointer)
    );
  }

  /** Objects of a name and a value: the labels of a list with their values. */
  #listOfLabels(
    shape: Shape,
    items: Shape,
    wanted: Name,
    visible: VisibleScope,
    pointer: string,
  ): unknown[] | undefined {
    const list = findLabelList(wanted, items, visible);
    if (list === undefined) return undefined;
    const { nameKey, valueKey } = list;
    const found: Record<string, unknown>[] = [];
    for (const { label, labelNode, node, value } of list.pairs.slice(0, shape.maxItems)) {
      const at = `${pointer}/${found.length}`;
      const leaves = [
        [nameKey, toVisibleLeaf(visible, labelNode, label, "label", label)],
        [valueKey, toVisibleLeaf(visible, node, value, "label", value)],
      ] as const;
      const object: Record<string, unknown> = {};
      for (const [key, leaf] of leaves) {
        const item = items.properties.get(key);
        const given =
          item === undefined
            ? undefined
            : coerceScalar(leaf.value, item, this.#context(parseName(key)));
        if (given === undefined) continue;
        object[key] = given;
        this.#note(`${at}/${escape(key)}`, leaf, "high");
      }
      if (Object.keys(object).length === leaves.length) found.push(object);
      else this.#forget(at);
    }
    return found.length === 0 ? undefined : found;
  }

  /** Objects of one text each: the texts of the list that the property or its description names. */
  #listOfSingles(
    shape: Shape,
    items: Shape,
    wanted: Name,
    { visible, typeWords }: Scope,
    pointer: string,
  ): unknown[] | undefined {
    const [[name, only] = []] = items.properties;
    if (visible === undefined || items.properties.size !== 1) return undefined;
    if (name === undefined || only?.kind !== "string") return undefined;
    const leaves = findVisibleList(wanted, visible, typeWords, parseName(shape.description));
    if (leaves.length < 2 || leaves.some(({ value }) => String(value).length > MAX_SINGLE))
      return undefined;
    return leaves.slice(0, shape.maxItems).map((leaf, at) => {
      this.#note(`${pointer}/${at}/${escape(name)}`, leaf, "medium");
      return { [name]: leaf.value };
    });
  }

  #listOfRows(
    shape: Shape,
    items: Shape,
    wanted: Name,
    visible: VisibleScope,
    pointer: string,
  ): unknown[] | undefined {
    this.#rowGroups ??= listRowGroups(visible.model);
    const trial = new Filler(this.#findings, "");
    const choose = (groups: readonly RowGroup[]): RowGroup | undefined =>
      chooseRowGroup(groups, items, wanted, (row, group) =>
        trial.#object(items, this.#rowScope(row, items, wanted, group), ""),
      );
    const chosen = choose(this.#rowGroups) ?? choose(listSingleCards(visible.model));
    if (chosen === undefined) {
      this.reasons.set(pointer, "no table or list of the page has at least half of its fields");
      return undefined;
    }
    const scopes = chosen.scopes.map((row, at) =>
      this.#rowScope(row, items, wanted, chosen.groups[at] ?? ""),
    );
    if (!this.#takeGroup(chosen, items, wanted, pointer)) {
      this.reasons.set(pointer, "the rows of the page belong to another list");
      return undefined;
    }
    const list = this.#fillAll(scopes, items, pointer, shape.maxItems);
    const title = list === undefined ? undefined : findTitleOfMost(list, items);
    if (title !== undefined) {
      this.#forget(pointer);
      const titled = scopes.filter((row) => trial.#object(items, row, "")?.[title] !== undefined);
      return this.#fillAll(titled, items, pointer, shape.maxItems);
    }
    if (list !== undefined && areHalves(list)) {
      this.#forget(pointer);
      this.reasons.set(pointer, "each record takes two rows, which rules do not join");
      return undefined;
    }
    if (list !== undefined) this.#supplement(list, chosen, items, wanted, pointer);
    return list;
  }

  /**
   * Adds what other lists of the page say about records of the same names: the cards of plans have the
   * prices, a table has the features.
   */
  #supplement(
    list: readonly Record<string, unknown>[],
    chosen: RowGroup,
    items: Shape,
    wanted: Name,
    pointer: string,
  ): void {
    const key = [...items.properties.keys()].find((name) => parseName(name).concepts.has("name"));
    const shape = key === undefined ? undefined : items.properties.get(key);
    if (key === undefined || shape === undefined || list.length > MAX_SUPPLEMENTED) return;
    const names = list.map((row) => foldName(row[key]));
    if (names.includes("") || new Set(names).size < names.length || names.length < 2) return;
    const trial = new Filler(this.#findings, "");
    for (const group of this.#rowGroups ?? []) {
      if (group === chosen || group.scopes.length !== names.length) continue;
      const byName = new Map(
        group.scopes.map((visible, at) => {
          const row = this.#rowScope(visible, items, wanted, group.groups[at] ?? "");
          return [foldName(trial.#property(parseName(key), shape, row, "")), row] as const;
        }),
      );
      if (!names.every((name) => byName.has(name))) continue;
      for (const [at, value] of list.entries())
        this.#addMissing(value, items, byName.get(names[at] ?? ""), `${pointer}/${at}`);
    }
  }

  #addMissing(
    value: Record<string, unknown>,
    { properties }: Shape,
    row: Scope | undefined,
    pointer: string,
  ): void {
    if (row === undefined) return;
    for (const [name, property] of properties) {
      if (value[name] !== undefined) continue;
      const asked = parseNameInContext(name, properties.keys(), row.list);
      const found = this.#property(asked, property, row, `${pointer}/${escape(name)}`);
      if (found !== undefined) value[name] = found;
    }
  }

  /** True if no other list of the page, with its name or with more properties, has the same rows. */
  #takeGroup(group: RowGroup, { properties }: Shape, wanted: Name, pointer: string): boolean {
    const isNamed = isListNamed(group, wanted);
    const owner = this.#owners.get(group);
    if (owner !== undefined && owner.pointer !== pointer && !isNamed)
      if (owner.isNamed || owner.size >= properties.size) return false;
    this.#owners.set(group, { pointer, isNamed, size: properties.size });
    return true;
  }

  /** `list` is the name of the list, which names its rows: `modules`. */
  #rowScope(visible: VisibleScope, items: Shape, list: Name, group: string): Scope {
    const typeWords = new Set([...listTypeWords([], items), ...list.words]);
    return { things: [], typeWords, page: undefined, visible, group, list };
  }

  #fillAll(
    scopes: readonly Scope[],
    items: Shape,
    pointer: string,
    maxItems: number,
  ): Record<string, unknown>[] | undefined {
    const list: Record<string, unknown>[] = [];
    const used: Scope[] = [];
    const stored = new Set<string>();
    for (const scope of scopes.slice(0, MAX_ITEMS)) {
      if (list.length >= maxItems) break;
      const at = `${pointer}/${list.length}`;
      const value = this.#object(items, scope, at);
      // Script data holds one object in several places.
      const isStored = scope.things[0]?.source === "state";
      const key = isStored ? JSON.stringify(value) : undefined;
      const isRepeated = key !== undefined && stored.has(key);
      if (value === undefined || isSum(value) || isBreak(value, items) || isRepeated)
        this.#forget(at);
      else {
        list.push(value);
        used.push(scope);
      }
      if (key !== undefined) stored.add(key);
    }
    const complete = selectComplete(list, items);
    if (complete.length < list.length) {
      this.#forget(pointer);
      return this.#fillAll(
        complete.flatMap((at) => used[at] ?? []),
        items,
        pointer,
        maxItems,
      );
    }
    return list.length === 0 ? undefined : list;
  }

  #context({ words }: Name): CoerceContext {
    const { resolve, order } = this.#findings;
    return { resolve, order, words, completeDate: this.#completeDate };
  }

  readonly #completeDate = (text: string): string | undefined => {
    const { model, order } = this.#findings;
    if (model === undefined) return undefined;
    this.#dates ??= listFullDates(model);
    return completeDate(text, this.#dates, order);
  };

  #note(pointer: string, leaf: Leaf, confidence: Confidence, isExact = false): void {
    this.evidence.set(pointer, { ...leaf.evidence, confidence });
    if (confidence === "high") this.strong.add(pointer);
    else this.strong.delete(pointer);
    if (confidence === "high" && isExact) this.exact.add(pointer);
    else this.exact.delete(pointer);
    this.reasons.delete(pointer);
  }

  #forget(pointer: string): void {
    for (const all of [this.evidence, this.reasons, this.strong, this.exact])
      for (const at of all.keys())
        if (at === pointer || at.startsWith(`${pointer}/`)) all.delete(at);
  }
}

const foldName = (name: unknown): string => (typeof name === "string" ? fold(name) : "");

const isCurrentPrice = ({ concepts }: Name): boolean =>
  concepts.has("price") && !concepts.has("list price");

/**
 * Tells values of script data that differ between the members of one list, such as the prices of
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

/** The list that has the rows of a group. */
type GroupOwner = { readonly pointer: string; readonly isNamed: boolean; readonly size: number };
