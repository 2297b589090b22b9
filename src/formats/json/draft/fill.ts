// Fills the shape of a schema with data of the page. Machine-readable data comes first, then
// visible data. A property without certain evidence is left out, with the reason.
import type { PageNode } from "../../../page-model/node.ts";
import { escape } from "../../../runtime/json-schema/pointer.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Candidate } from "../declared/candidates.ts";
import type { Evidence, Leaf, SourceKind, Thing } from "../declared/finding.ts";
import type { Findings } from "../declared/findings.ts";
import { dropOtherItems } from "../declared/other-items.ts";
import {
  listSiteWords,
  listTypeWords,
  PAGE_LEVEL_TYPES,
  rankThings,
} from "../declared/rank-things.ts";
import { findBestThingGroup, groupThings, type ThingGroup } from "../declared/thing-groups.ts";
import { type Name, parseName, parseNameInContext } from "../names/names.ts";
import { coerceScalar } from "../values/coerce.ts";
import {
  fitText,
  listItems,
  listMembers,
  prepareItem,
  prepareValue,
  splitList,
} from "../values/values.ts";
import { toWanted } from "../visible/label-match.ts";
import { isNoName } from "../visible/record-parts.ts";
import { findVisibleList } from "../visible/visible-lists.ts";
import { VisibleScope } from "../visible/visible-scope.ts";
import type { Confidence } from "../visible/visible-value.ts";
import { findVisibleValue } from "../visible/visible-values.ts";
import { listCopies } from "./copied-values.ts";
import { DeclaredValues, isCurrentPrice, isStrongSource } from "./declared-values.ts";
import { findOptionInGroup, isDay, isOfGroup, listDayHeadings } from "./group-heading.ts";
import { Notes } from "./notes.ts";
import { type FillScope, ObjectLists } from "./object-lists.ts";
import type { Scope } from "./scope.ts";
import {
  separateCode,
  separateUnit,
  splitVersion,
  splitWeekday,
  toClockTimes,
} from "./sibling-values.ts";
import { areSimilar, differ } from "./stale-data.ts";
import { ValueContexts } from "./value-contexts.ts";

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

/**
 * Returns the value for a shape, undefined if the page has none. `hint` is the caller's prompt
 * beside the schema.
 */
export function fillShape(shape: Shape, findings: Findings, hint = ""): FillResult {
  const filler = new Filler(findings, hint);
  const value = filler.root(shape);
  return {
    value,
    evidence: filler.notes.evidence,
    strong: filler.notes.strong,
    exact: filler.notes.exact,
    reasons: filler.notes.reasons,
  };
}

/** True for the shape of a person, company or place with a name or contact of its own. */
const isOtherThing = ({ properties }: Shape): boolean =>
  [...properties.keys()].some((property) =>
    IDENTITY.some((concept) => parseName(property).concepts.has(concept)),
  );
const IDENTITY = ["name", "email", "phone", "url", "address", "street"];

/** Options for the members of a list. */
type NotedValue = {
  readonly pointer: string;
  readonly confidence: Confidence;
  readonly isExact?: boolean;
};

class Filler implements FillScope {
  readonly notes = new Notes();
  readonly #findings: Findings;
  readonly #hint: string;
  readonly #contexts: ValueContexts;
  readonly #declared: DeclaredValues;
  readonly #lists: ObjectLists;
  #thingGroups: readonly ThingGroup[] | undefined;

  constructor(findings: Findings, hint: string) {
    this.#findings = findings;
    this.#hint = hint;
    this.#contexts = new ValueContexts(findings);
    this.#declared = new DeclaredValues(findings, this.notes, this.#contexts);
    this.#lists = new ObjectLists(this, () => new Filler(findings, ""), {
      notes: this.notes,
      contexts: this.#contexts,
    });
  }

  root(shape: Shape): unknown {
    this.#declared.describe(shape);
    if (shape.kind === "array")
      return this.#list(shape, parseName(shape.description), this.#pageScope(shape), "");
    if (shape.kind !== "object") return undefined;
    return this.object(shape, this.#pageScope(shape), "");
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

  object(shape: Shape, scope: Scope, pointer: string): Record<string, unknown> | undefined {
    const value: Record<string, unknown> = {};
    for (const [name, property] of shape.properties) {
      const wanted = parseNameInContext(
        name,
        shape.properties.keys(),
        property.kind === "string" ? scope.list : undefined,
      );
      const found = this.property(wanted, property, scope, `${pointer}/${escape(name)}`);
      if (found !== undefined) value[name] = found;
    }
    const copies = listCopies(
      value,
      (key) => this.notes.placeOf(`${pointer}/${escape(key)}`),
      (key) => this.notes.exact.has(`${pointer}/${escape(key)}`),
      scope.list?.words,
    );
    for (const name of copies) {
      delete value[name];
      this.notes.forget(`${pointer}/${escape(name)}`);
      this.notes.reasons.set(
        `${pointer}/${escape(name)}`,
        "its only value belongs to another property",
      );
    }
    splitVersion(value, shape);
    separateUnit(value, shape);
    separateCode(value, shape);
    toClockTimes(value, shape);
    splitWeekday(value, shape);
    return Object.keys(value).length === 0 ? undefined : value;
  }

  property(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    switch (shape.kind) {
      case "object":
        return this.#inner(wanted, shape, scope, pointer);
      case "array":
        return this.#list(shape, wanted, scope, pointer);
      default:
        return this.#scalar(wanted, shape, scope, pointer);
    }
  }

  #scalar(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    const candidates = this.#declared.list(wanted, scope);
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
      if (this.#declared.contradictsStock(candidates, wanted, shape, scope)) {
        this.notes.reasons.set(pointer, "the page shows another state than its data declares");
        return undefined;
      }
      const declared = [...candidates, ...this.#declared.listOfVariants(wanted, scope)].filter(
        isDeclared,
      );
      const offered = this.#declared.findInStock(declared, wanted, shape, pointer);
      if (offered !== undefined) return offered;
    }
    if (
      isCurrentPrice(wanted) &&
      this.#declared.declaresOtherPrice(candidates.filter(isDeclared), wanted, shape)
    ) {
      const shown = this.#visible(wanted, shape, scope, pointer);
      if (shown !== undefined) return shown;
    }
    const isOfOneVariant = this.#declared.differsByVariant(wanted, scope);
    const declared = isOfOneVariant
      ? undefined
      : this.#declared.choose(candidates.filter(isDeclared), wanted, shape, pointer, scope);
    if (this.#declared.isVariantName(declared, wanted, scope)) {
      this.notes.forget(pointer);
      const heading = this.#visible(wanted, shape, scope, pointer);
      if (heading !== undefined) return heading;
    }
    if (declared !== undefined)
      return this.#shownInstead(declared, wanted, shape, scope, pointer) ?? declared;
    const shown = this.#visible(wanted, shape, scope, pointer);
    if (shown !== undefined) return shown;
    if (isOfOneVariant) {
      this.notes.reasons.set(pointer, "it differs between the variants that the page describes");
      return undefined;
    }
    // Data in a page's head is about the page, not about the item on it.
    const others = candidates.filter((each) => !isDeclared(each));
    const found = this.#declared.choose(others, wanted, shape, pointer, scope);
    // "Contact" and "Pricing that fits your team" are titles of pages.
    const { model, title } = this.#findings;
    const heading = model?.heading === undefined ? title : model.lineOf(model.heading);
    if (found !== heading || !isNoName(wanted, heading)) return found;
    this.notes.forget(pointer);
    return undefined;
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
    if (this.notes.evidence.get(pointer)?.source !== "json-ld") return undefined;
    if (
      this.#declared.getStaleData(scope)?.isShown(declared as string | number | boolean) !== false
    )
      return undefined;
    const restore = this.notes.save(pointer);
    const shown = this.#visible(wanted, shape, scope, pointer);
    const { source, confidence } = this.notes.evidence.get(pointer) ?? {};
    const isLabeled =
      source === "label" ||
      source === "table" ||
      (source === "section" && wanted.concepts.has("name") && areSimilar(declared, shown));
    if (shown !== undefined && isLabeled && confidence === "high" && differ(declared, shown, shape))
      return shown;
    restore();
    return undefined;
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
        ? coerceScalar(heading, shape, this.#contexts.of(wanted))
        : undefined;
    if (grouped !== undefined) return grouped;
    if ("reason" in answer) {
      const day = this.#dayAround(wanted, shape, scope);
      if (day !== undefined) return day;
      this.notes.reasons.set(pointer, answer.reason);
      return undefined;
    }
    const context = this.#contexts.of(wanted);
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
      this.notes.note(pointer, leaf, confidence, isExact);
      return value;
    }
    const text = leaves[0]?.evidence.text ?? this.#lineOf(answer.found.node);
    this.notes.reasons.set(pointer, `"${text.slice(0, 60)}" is no ${shape.format ?? shape.kind}`);
    return undefined;
  }

  /** The day that a heading further out names. */
  #dayAround(wanted: Name, shape: Shape, { page, visible }: Scope): unknown {
    if (page !== undefined || visible === undefined || shape.format !== "date") return undefined;
    if (!isDay(wanted)) return undefined;
    for (const heading of listDayHeadings(visible)) {
      const day = coerceScalar(heading, shape, this.#contexts.of(wanted));
      if (day !== undefined) return day;
    }
    return undefined;
  }

  #lineOf(node: PageNode): string {
    return this.#findings.model?.lineOf(node) ?? "";
  }

  #inner(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    if (shape.properties.size === 0) return undefined;
    for (const { values } of this.#declared.list(wanted, scope)) {
      const things = values.filter((value) => value.kind === "thing");
      for (const thing of things.slice(0, 3)) {
        const value = this.object(shape, this.#thingScope(thing, shape), pointer);
        if (value !== undefined) return value;
      }
    }
    // Combines flat properties into an object: {price: {amount, currency}} from price and
    // priceCurrency.
    const joined = this.#joined(wanted, shape, scope, pointer);
    // `current` of a weather page groups its values; a `seller` with a name is another thing.
    const enough =
      joined !== undefined &&
      (!isOtherThing(shape) || Object.keys(joined).length * 2 >= shape.properties.size);
    if (enough) return joined;
    this.notes.forget(pointer);
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
        this.property(parseName(long), property, scope, at) ??
        (generic ? undefined : this.property(parseName(name), property, scope, at));
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
        const confidence = isStrongSource(source) ? "high" : "medium";
        const noted = { pointer, confidence, isExact } as const;
        const list = this.#texts(leaves, items, shape.maxItems, wanted, noted);
        if (list !== undefined) return list;
      }
      return undefined;
    };
    const all = this.#declared.list(wanted, scope);
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
    const context = this.#contexts.of(wanted);
    const list: unknown[] = [];
    for (const leaf of leaves) {
      const value = coerceScalar(prepareItem(leaf, wanted), items, context);
      if (value === undefined || list.length >= maxItems) continue;
      this.notes.note(`${pointer}/${list.length}`, leaf, confidence, isExact);
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
    for (const { values } of this.#declared.list(wanted, scope)) {
      const things = values.filter((value) => value.kind === "thing");
      const filled = this.#lists.fillAll(
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
        : this.#lists.ofLabels(shape, items, wanted, scope.visible, pointer);
    if (labels !== undefined) return labels;
    this.#thingGroups ??= groupThings(this.#findings.things);
    const declared = findBestThingGroup(this.#thingGroups, items, wanted, (things) => {
      const trial = new Filler(this.#findings, "");
      return trial.#lists.fillAll(toScopes(things), items, "", 3) ?? [];
    });
    if (declared !== undefined)
      return this.#lists.fillAll(toScopes(declared.things), items, pointer, shape.maxItems);
    if (scope.visible === undefined) return undefined;
    return (
      this.#lists.ofSingles(shape, items, wanted, scope, pointer) ??
      this.#lists.ofRows(shape, items, wanted, scope.visible, pointer)
    );
  }
}
