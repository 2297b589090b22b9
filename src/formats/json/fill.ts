// Fills the shape of a schema with what the page says. Names, descriptions, types and units decide what goes where; what
// is not on the page is left out.
import { cleanByline } from "../../html/metadata/person-name.ts";
import { inOutline, inThing, type Candidate } from "./candidates.ts";
import { cleanText, coerceScalar, type CoerceContext } from "./coerce.ts";
import type { Evidence, Leaf, SourceKind, Thing, Value } from "./finding.ts";
import type { Findings } from "./findings.ts";
import { groupsOf, type Group } from "./groups.ts";
import { likeness, nameOf, wordsOf, type Name } from "./names.ts";
import type { Shape } from "./shape.ts";

export type Filled = {
  readonly value: unknown;
  /** By JSON pointer within the value (RFC 6901). */
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** Pointers of values from data that the page's author wrote for machines. */
  readonly strong: ReadonlySet<string>;
};

/** The part of the page that a thing's properties are looked for in. */
type Scope = {
  /** The best first. */
  readonly things: readonly Thing[];
  readonly typeWords: ReadonlySet<string>;
  /** The page around: its metadata and what it shows. */
  readonly findings: Findings | undefined;
};

const STRONG: ReadonlySet<SourceKind> = new Set(["json-ld", "microdata", "rdfa", "metadata"]);
const LEAST_SCORE = 0.4;
const MOST_TRIED = 12;

/** The value for a shape; `value` is undefined where the page has nothing for it. `hint` is what the caller says beside the schema. */
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
      const found = this.#property(name, property, scope, `${pointer}/${escape(name)}`);
      if (found !== undefined) value[name] = found;
    }
    return Object.keys(value).length === 0 ? undefined : value;
  }

  #property(name: string, shape: Shape, scope: Scope, pointer: string): unknown {
    const wanted = nameOf(name);
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
      .filter(({ score, values }) => score >= LEAST_SCORE && values.length > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, MOST_TRIED);
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
    // Parts of a whole that the page has side by side: {price: {amount, currency}} of price and priceCurrency.
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
        this.#property(long, property, scope, at) ??
        (generic ? undefined : this.#property(name, property, scope, at));
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
        const value =
          items.kind === "any" || items.kind === "string" || typeof leaf.value !== "string"
            ? coerceScalar(leaf.value, items, context)
            : coerceScalar(leaf.value, items, context);
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

/** A key as a part of a JSON pointer. */
export const escape = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** Types that are around the thing a page is about. */
const AROUND = new Set([
  "WebSite",
  "WebPage",
  "BreadcrumbList",
  "ListItem",
  "Organization",
  "ImageObject",
  "SearchAction",
  "Person",
  "ReadAction",
  "EntryPoint",
  "SiteNavigationElement",
  "WPHeader",
  "WPFooter",
  "Comment",
  "Review",
  "Rating",
  "Offer",
  "Brand",
  "VideoObject",
  "HowToStep",
  "PostalAddress",
  "CollectionPage",
  "ItemPage",
  "NewsMediaOrganization",
  "PropertyValueSpecification",
]);

/** The things whose fields are most like the properties, best first, three at most. */
function rankThings(shape: Shape, things: readonly Thing[], hint: string): Thing[] {
  const said = new Set(wordsOf(`${shape.description} ${hint}`));
  const properties = [...shape.properties.keys()].map(nameOf);
  if (properties.length === 0) return [];
  const scored = things.slice(0, 600).map((thing, at) => {
    const words = typeWordsOf([thing], shape);
    const likes = properties.map((property) => {
      let best = 0;
      for (const { score } of inThing(property, thing, words)) best = Math.max(best, score);
      return best;
    });
    const named = thing.types.some((type) => wordsOf(type).some((word) => said.has(word)));
    const around =
      !named &&
      (thing.types.length === 0
        ? thing.source === "state"
        : thing.types.every((type) => AROUND.has(type)));
    const sum = likes.reduce((total, like) => total + like, 0);
    return { thing, score: sum * (around ? 0.6 : 1) + (named ? 0.5 : 0) - at * 0.001 };
  });
  const ranked = scored
    .filter(({ score }) => score >= 0.8)
    .toSorted((one, other) => other.score - one.score);
  const [best] = ranked;
  if (best === undefined) return [];
  return ranked
    .filter(
      ({ thing, score }) =>
        thing === best.thing || (score >= best.score * 0.5 && isSameKind(thing, best.thing)),
    )
    .map(({ thing }) => thing)
    .slice(0, 3);
}

/** Another description of the same thing: the type is the same, the source another. */
const isSameKind = (one: Thing, other: Thing): boolean =>
  one.source !== other.source &&
  (one.types.some((type) => other.types.includes(type)) ||
    one.source === "state" ||
    other.source === "state");

function typeWordsOf(things: readonly Thing[], shape: Shape): ReadonlySet<string> {
  const title = shape.description.split(".")[0] ?? "";
  const types = things.flatMap(({ types: given }) => given);
  return new Set(
    [...types, ...(title.length <= 30 ? [title] : [])]
      .flatMap(wordsOf)
      .filter((word) => word !== "list"),
  );
}

/** What of a value can stand for it in one word or text. */
function scalarsOf(value: Value, wanted: Name, shape: Shape): Leaf[] {
  if (value.kind === "leaf") return [value];
  const alike = [...value.fields].flatMap(([key, inner]) =>
    likeness(wanted, nameOf(key)) >= 0.9 ? inner : [],
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
  return named?.kind === "thing" ? scalarsOf(named, wanted, shape) : [];
}

const ADDRESS = [
  "streetAddress",
  "postalCode",
  "addressLocality",
  "addressRegion",
  "addressCountry",
];

/** A postal address, or a place with one, in one line. */
function joinAddress(thing: Thing): Leaf | undefined {
  const inner = thing.fields.get("address")?.[0];
  if (inner !== undefined && inner.kind === "thing") return joinAddress(inner);
  if (inner?.kind === "leaf") return inner;
  const parts = ADDRESS.flatMap((key) => (thing.fields.get(key) ?? []).slice(0, 1)).flatMap(
    (value) => scalarsOf(value, nameOf("name"), TEXT),
  );
  if (parts.length === 0) return undefined;
  const text = parts.map(({ value }) => String(value)).join(", ");
  return { kind: "leaf", value: text, evidence: { ...thing.evidence, text } };
}

const TEXT: Shape = {
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

/** Names as they are written on pages come with their "by". */
function prepared({ value }: Leaf, wanted: Name, source: SourceKind): string | number | boolean {
  const isShown = source === "label" || source === "mark" || source === "microdata";
  if (!isShown || typeof value !== "string" || !wanted.concepts.has("author")) return value;
  return cleanByline(value) || value;
}

/** What is shown on a page may be a whole block: too long for a value of a few words. */
function fitText<T>(
  value: T | undefined,
  source: SourceKind,
  shape: Shape,
  wanted: Name,
): T | undefined {
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

/** The members of a list that is a thing itself, as schema.org's ItemList. */
function membersOf(thing: Thing): Thing[] {
  const members = thing.fields.get("itemListElement") ?? [];
  const things = members.filter((value) => value.kind === "thing");
  if (things.length === 0) return [unwrap(thing)];
  return things.map(unwrap);
}

function unwrap(thing: Thing): Thing {
  const inner = thing.fields.get("item")?.[0];
  return inner?.kind === "thing" ? inner : thing;
}

/** Texts in a value that is a list of them, sections and steps opened. */
function itemsOf(value: Value): Leaf[] {
  if (value.kind === "leaf") return [value];
  const members = value.fields.get("itemListElement") ?? value.fields.get("steps");
  if (members !== undefined) {
    const inner = members.flatMap(itemsOf);
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

/** One text that holds a list is taken apart: by lines, and keywords by commas. */
function splitList(leaves: readonly Leaf[], wanted: Name, source: SourceKind): Leaf[] {
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

/** The group whose members fill most of the item's properties; half of them at least. */
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
