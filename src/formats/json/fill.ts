// Fills the shape of a schema from the page. Names, descriptions, types and units decide the
// mapping. Values that are not on the page are omitted.
import { inOutline, inThing, type Candidate } from "./candidates.ts";
import { coerceScalar, type CoerceContext } from "./coerce.ts";
import type { Evidence, Leaf, SourceKind, Thing } from "./finding.ts";
import type { Findings } from "./findings.ts";
import { groupsOf, type Group } from "./groups.ts";
import { likeness, nameAmong, nameOf, type Name } from "./names.ts";
import { escape } from "./pointer.ts";
import { rankThings, typeWordsOf } from "./rank-things.ts";
import type { Shape } from "./shape.ts";
import { fitText, itemsOf, membersOf, prepared, scalarsOf, splitList } from "./values.ts";

export type Filled = {
  readonly value: unknown;
  /** By JSON pointer within the value (RFC 6901). */
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** Pointers of values from machine-readable data. */
  readonly strong: ReadonlySet<string>;
};

/** Part of the page in which a thing's properties are searched. */
type Scope = {
  /** Best first. */
  readonly things: readonly Thing[];
  readonly typeWords: ReadonlySet<string>;
  /** The surrounding page: its metadata and visible content. */
  readonly findings: Findings | undefined;
};

const STRONG: ReadonlySet<SourceKind> = new Set(["json-ld", "microdata", "rdfa", "metadata"]);
const MIN_SCORE = 0.4;
const MAX_TRIED = 12;

/**
 * Returns the value for a shape, undefined if the page has none. `hint` is the caller's prompt
 * beside the schema.
 */
export function fillShape(shape: Shape, findings: Findings, hint = ""): Filled {
  const filler = new Filler(findings, hint);
  const value = filler.root(shape);
  return { value, evidence: filler.evidence, strong: filler.strong };
}

class Filler {
  readonly evidence = new Map<string, Evidence>();
  readonly strong = new Set<string>();
  readonly #findings: Findings;
  readonly #hint: string;
  #groups: readonly Group[] | undefined;

  constructor(findings: Findings, hint: string) {
    this.#findings = findings;
    this.#hint = hint;
  }

  root(shape: Shape): unknown {
    if (shape.kind === "array")
      return this.#list(shape, nameOf(shape.description), this.#pageScope(shape), "");
    if (shape.kind !== "object") return undefined;
    return this.#object(shape, this.#pageScope(shape), "");
  }

  #pageScope(shape: Shape): Scope {
    const things = rankThings(shape, this.#findings.things, this.#hint);
    return { things, typeWords: typeWordsOf(things, shape), findings: this.#findings };
  }

  #object(shape: Shape, scope: Scope, pointer: string): Record<string, unknown> | undefined {
    const value: Record<string, unknown> = {};
    for (const [name, property] of shape.properties) {
      const wanted = nameAmong(name, shape.properties.keys());
      const found = this.#property(wanted, property, scope, `${pointer}/${escape(name)}`);
      if (found !== undefined) value[name] = found;
    }
    return Object.keys(value).length === 0 ? undefined : value;
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

  #candidates(wanted: Name, scope: Scope, wantsList: boolean): Candidate[] {
    const { things, typeWords, findings } = scope;
    const found = things.flatMap((thing, at) =>
      inThing(wanted, thing, typeWords).map((candidate) => ({
        ...candidate,
        score: candidate.score * (at === 0 ? 1 : 0.9),
      })),
    );
    if (findings !== undefined) {
      found.push(...inThing(wanted, findings.page, typeWords));
      found.push(...inOutline(wanted, findings.outline, { typeWords, wantsList }));
    }
    return found
      .filter(({ score, values }) => score >= MIN_SCORE && values.length > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, MAX_TRIED);
  }

  #scalar(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    const context = this.#context(wanted);
    for (const { values, source, score } of this.#candidates(wanted, scope, false)) {
      const leaves = values.flatMap((value) => scalarsOf(value, wanted, shape));
      for (const leaf of leaves.slice(0, 5)) {
        const value = fitText(
          coerceScalar(prepared(leaf, wanted, source), shape, context),
          source,
          shape,
          wanted,
        );
        if (value === undefined) continue;
        this.#note(pointer, leaf, score);
        return value;
      }
    }
    return undefined;
  }

  #inner(wanted: Name, shape: Shape, scope: Scope, pointer: string): unknown {
    if (shape.properties.size === 0) return undefined;
    for (const { values } of this.#candidates(wanted, scope, false)) {
      const things = values.filter((value) => value.kind === "thing");
      for (const thing of things.slice(0, 3)) {
        const inside: Scope = {
          things: [thing],
          typeWords: typeWordsOf([thing], shape),
          findings: undefined,
        };
        const value = this.#object(shape, inside, pointer);
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
      const generic = nameOf(name).concepts.has("name") || nameOf(name).concepts.has("description");
      const found =
        this.#property(nameOf(long), property, scope, at) ??
        (generic ? undefined : this.#property(nameOf(name), property, scope, at));
      if (found !== undefined) value[name] = found;
    }
    return Object.keys(value).length === 0 ? undefined : value;
  }

  #list(shape: Shape, wanted: Name, scope: Scope, pointer: string): unknown[] | undefined {
    const { items } = shape;
    if (items === undefined) return undefined;
    if (items.kind === "object") return this.#listOfObjects(shape, items, wanted, scope, pointer);
    const context = this.#context(wanted);
    for (const { values, score, source } of this.#candidates(wanted, scope, true)) {
      const leaves = splitList(
        values.flatMap((value) => itemsOf(value)),
        wanted,
        source,
      );
      const list: unknown[] = [];
      for (const leaf of leaves) {
        const value = coerceScalar(leaf.value, items, context);
        if (value === undefined || list.length >= shape.maxItems) continue;
        this.#note(`${pointer}/${list.length}`, leaf, score);
        list.push(value);
      }
      if (list.length > 0) return list;
    }
    return undefined;
  }

  #listOfObjects(
    shape: Shape,
    items: Shape,
    wanted: Name,
    scope: Scope,
    pointer: string,
  ): unknown[] | undefined {
    const named = this.#candidates(wanted, scope, true).map(({ values }) =>
      values.filter((value) => value.kind === "thing"),
    );
    for (const things of named) {
      const filled = this.#fillAll(things.flatMap(membersOf), items, pointer, shape.maxItems);
      if (filled !== undefined) return filled;
    }
    if (scope.findings === undefined) return undefined;
    this.#groups ??= groupsOf(scope.findings);
    const best = bestGroup(this.#groups, items, wanted, (things) => {
      const trial = new Filler(this.#findings, "");
      return trial.#fillAll(things, items, "", 3) ?? [];
    });
    return best === undefined
      ? undefined
      : this.#fillAll(best.things, items, pointer, shape.maxItems);
  }

  #fillAll(
    things: readonly Thing[],
    items: Shape,
    pointer: string,
    most: number,
  ): Record<string, unknown>[] | undefined {
    const list: Record<string, unknown>[] = [];
    for (const thing of things.slice(0, 1_000)) {
      if (list.length >= most) break;
      const inside: Scope = {
        things: [thing],
        typeWords: typeWordsOf([thing], items),
        findings: undefined,
      };
      const at = `${pointer}/${list.length}`;
      const value = this.#object(items, inside, at);
      const lacks = [...items.required].some(
        (name) => value?.[name] === undefined && items.properties.get(name)?.nullable !== true,
      );
      if (value === undefined || lacks) this.#forget(at);
      else list.push(value);
    }
    return list.length === 0 ? undefined : list;
  }

  #context({ words }: Name): CoerceContext {
    const { resolve, order } = this.#findings;
    return { resolve, order, words };
  }

  #note(pointer: string, leaf: Leaf, score: number): void {
    this.evidence.set(pointer, leaf.evidence);
    const isStrong =
      leaf.evidence.source !== "model" && STRONG.has(leaf.evidence.source) && score >= 0.6;
    if (isStrong) this.strong.add(pointer);
    else this.strong.delete(pointer);
  }

  #forget(pointer: string): void {
    for (const at of this.evidence.keys())
      if (at === pointer || at.startsWith(`${pointer}/`)) this.evidence.delete(at);
    for (const at of this.strong)
      if (at === pointer || at.startsWith(`${pointer}/`)) this.strong.delete(at);
  }
}

/** Returns the group whose members fill most of the item's properties, at least half of them. */
function bestGroup(
  groups: readonly Group[],
  items: Shape,
  wanted: Name,
  fill: (things: readonly Thing[]) => readonly Record<string, unknown>[],
): Group | undefined {
  let best: { readonly group: Group; readonly score: number } | undefined;
  for (const group of groups.slice(0, 60)) {
    const filled = fill(group.things.slice(0, 3));
    if (filled.length === 0) continue;
    const share =
      filled.reduce((sum, value) => sum + Object.keys(value).length, 0) /
      filled.length /
      Math.max(1, items.properties.size);
    const named = group.names.some((name) => likeness(wanted, nameOf(name)) >= 0.55) ? 0.25 : 0;
    const score =
      share + named + Math.min(group.things.length, 20) * 0.005 + (group.isMarked ? 0.1 : 0);
    if (share >= 0.5 && (best === undefined || score > best.score)) best = { group, score };
  }
  return best?.group;
}
