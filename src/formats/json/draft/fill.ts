// Fills the shape of a schema with data of the page. Machine-readable data comes first, then
// visible data. A property without certain evidence is left out, with the reason.
import { escape } from "../../../runtime/json-schema/pointer.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Candidate } from "../declared/candidates.ts";
import type { Evidence, Leaf, Thing } from "../declared/finding.ts";
import type { Findings } from "../declared/findings.ts";
import { dropOtherItems } from "../declared/other-items.ts";
import { listTypeWords, rankThings } from "../declared/rank-things.ts";
import { findBestThingGroup, groupThings, type ThingGroup } from "../declared/thing-groups.ts";
import { type Name, parseName, parseNameInContext } from "../names/names.ts";
import { coerceScalar } from "../values/coerce.ts";
import { listItems, listMembers, prepareItem, splitList } from "../values/values.ts";
import { listAllergenCodes } from "../visible/note-codes.ts";
import { findVisibleList } from "../visible/visible-lists.ts";
import { VisibleScope } from "../visible/visible-scope.ts";
import type { Confidence } from "../visible/visible-value.ts";
import { listCopies } from "./copied-values.ts";
import { DeclaredValues, isStrongSource } from "./declared-values.ts";
import { Notes, OF_OTHER_PROPERTY } from "./notes.ts";
import { type FillScope, ObjectLists } from "./object-lists.ts";
import type { Scope } from "./scope.ts";
import {
  dropEqualListPrice,
  separateBrackets,
  separateCode,
  separateUnit,
  splitAddress,
  splitVersion,
  splitWeekday,
  toClockTimes,
} from "./sibling-values.ts";
import { NestedObjects } from "./nested-objects.ts";
import { Scalars } from "./scalars.ts";
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
  readonly #scalars: Scalars;
  readonly #nested: NestedObjects;
  readonly #lists: ObjectLists;
  #thingGroups: readonly ThingGroup[] | undefined;

  constructor(findings: Findings, hint: string) {
    this.#findings = findings;
    this.#hint = hint;
    this.#contexts = new ValueContexts(findings);
    this.#declared = new DeclaredValues(findings, this.notes, this.#contexts);
    this.#scalars = new Scalars(findings, {
      notes: this.notes,
      contexts: this.#contexts,
      declared: this.#declared,
    });
    this.#nested = new NestedObjects(this, this.notes);
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
    this.#nested.describe(shape);
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
      {
        placeOf: (key) => this.notes.placeOf(`${pointer}/${escape(key)}`),
        evidenceOf: (key) => this.notes.evidence.get(`${pointer}/${escape(key)}`),
      },
      (key) => this.notes.exact.has(`${pointer}/${escape(key)}`),
      scope.list?.words,
    );
    for (const name of copies) {
      delete value[name];
      this.notes.forget(`${pointer}/${escape(name)}`);
      this.notes.reasons.set(`${pointer}/${escape(name)}`, OF_OTHER_PROPERTY);
    }
    this.#adjust(value, shape, pointer);
    return Object.keys(value).length === 0 ? undefined : value;
  }

  /** Divides and drops values that belong to others of their object. */
  #adjust(value: Record<string, unknown>, shape: Shape, pointer: string): void {
    const dropped = [
      ...splitAddress(value, shape, (name) =>
        this.#readLines(`${pointer}/${escape(name)}`, value[name]),
      ),
      dropEqualListPrice(value, shape) ?? [],
    ].flat();
    for (const name of dropped) this.notes.forget(`${pointer}/${escape(name)}`);
    separateBrackets(value, shape);
    splitVersion(value, shape);
    separateUnit(value, shape);
    separateCode(value, shape);
    toClockTimes(value, shape);
    splitWeekday(value, shape);
  }

  /** The lines of the node that shows a value, or of the value. */
  #readLines(pointer: string, value: unknown): string {
    const { model } = this.#findings;
    const ref = this.notes.evidence.get(pointer)?.ref;
    const node = ref === undefined ? undefined : model?.nodes.find((each) => each.ref === ref);
    return node === undefined || model === undefined ? String(value) : model.textOf(node);
  }

  property(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    switch (shape.kind) {
      case "object":
        return this.#inner(wanted, shape, scope, pointer);
      case "array":
        return this.#list(shape, wanted, scope, pointer);
      default:
        return this.#scalars.fill(wanted, shape, scope, pointer);
    }
  }

  #inner(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    if (shape.properties.size === 0) return undefined;
    const isStale = scope.page !== undefined && this.#declared.getStaleData(scope)?.isStale();
    for (const { values, source } of this.#declared.list(wanted, scope)) {
      if (isStale === true && source === "json-ld") continue;
      const things = values.filter((value) => value.kind === "thing");
      for (const thing of things.slice(0, 3)) {
        const value = this.object(shape, this.#thingScope(thing, shape), pointer);
        if (value !== undefined) return value;
      }
    }
    const value = this.#nested.fill(wanted, shape, scope, pointer);
    if (value !== undefined) this.#adjust(value, shape, pointer);
    if (value !== undefined && Object.keys(value).length > 0) return value;
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
    const codes =
      scope.visible === undefined ? [] : listAllergenCodes(wanted, shape, scope.visible);
    const shown =
      scope.visible === undefined || codes.length > 0
        ? codes
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
