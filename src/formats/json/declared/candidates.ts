// Fields of machine-readable things that could be the value of one property.
import type { SourceKind, Thing, Value } from "./finding.ts";
import { scoreSimilarity, parseName, withoutWords, type Name } from "../names/names.ts";

export type Candidate = {
  readonly values: readonly Value[];
  readonly score: number;
  /** True if the field has the name of the property, not a synonym or a longer name. */
  readonly isExact: boolean;
  readonly source: SourceKind;
  /** Types of the thing that the field belongs to. */
  readonly types: readonly string[];
};

/** Trust in each source. */
export const WEIGHTS: Readonly<Record<SourceKind, number>> = {
  "json-ld": 1,
  microdata: 0.98,
  rdfa: 0.95,
  thread: 0.94,
  metadata: 0.72,
  state: 0.8,
  table: 0.8,
  label: 0.8,
  section: 0.8,
  mark: 0.7,
  list: 0.7,
};

/** Maximum fields of a thing and its nested things to check per property. */
const MAX_FIELDS = 1_500;
/** Similarity of equal names, in any order of their words. */
const MIN_EXACT_SIMILARITY = 0.95;
/** Minimum similarity. */
const MIN_SIMILARITY = 0.55;

/** Nested things that describe something else. */
const OTHER_SUBJECTS = new Set(
  [
    "review",
    "reviews",
    "comment",
    "comments",
    "itemListElement",
    "isRelatedTo",
    "isSimilarTo",
    "breadcrumb",
    "potentialAction",
    "mainEntityOfPage",
    "isPartOf",
    "video",
    "hasVariant",
    "workExample",
    "itemReviewed",
    "relatedLink",
    "recommendations",
    "related",
  ].map((name) => parseName(name).key),
);
/** Properties that many things have; only read from the thing itself. */
const OWN = [
  "name",
  "description",
  "image",
  "url",
  "date",
  "published",
  "modified",
  "body",
  "keywords",
  "category",
  "language",
  "rating",
  "yields",
  "status",
];

const isOwn = ({ concepts }: Name): boolean =>
  OWN.some((concept) => concepts.has(concept)) && !concepts.has("price");

/** Returns fields of a thing, and of things nested in it, whose names match the property. */
export function findInThing(
  property: Name,
  thing: Thing,
  typeWords: ReadonlySet<string>,
): Candidate[] {
  const found: Candidate[] = [];
  const wanted = withoutWords(property, typeWords);
  const weight = WEIGHTS[thing.source];
  let left = MAX_FIELDS;
  search(thing, [], 0);
  return found;

  function search(at: Thing, above: readonly Name[], depth: number): void {
    for (const [key, values] of at.fields) {
      left -= 1;
      if (left < 0) return;
      const field = withoutWords(parseName(key), typeWords);
      let score = Math.max(
        scoreSimilarity(wanted, field),
        scoreSimilarity(property, parseName(key)),
      );
      const isExact = score >= MIN_EXACT_SIMILARITY;
      if (isEndOfRange(key, at)) score = isExact ? score : 0;
      // A field with more words than the property is narrower: "shipping price" is not the price.
      if (score < 0.9 && field.words.length > wanted.words.length) score = 0;
      if (depth > 0) {
        const inside = above.some((container) => joins(property, container, field));
        score = inside ? 0.95 : isOwn(wanted) || score < 0.9 ? 0 : score * 0.9 ** depth;
      }
      if (score >= MIN_SIMILARITY)
        found.push({
          values,
          score: score * weight,
          isExact,
          source: thing.source,
          types: at.types,
        });
      if (depth === 3 || OTHER_SUBJECTS.has(parseName(key).key)) continue;
      for (const value of values.slice(0, 40)) {
        if (value.kind === "leaf") continue;
        const named = findNamedValue(value);
        if (named !== undefined) {
          const like = scoreSimilarity(wanted, parseName(named.name));
          if (like >= 0.9)
            found.push({
              values: named.values,
              score: like * 0.95 * weight,
              isExact: like >= MIN_EXACT_SIMILARITY,
              source: thing.source,
              types: at.types,
            });
        } else search(value, [...above, parseName(key)], depth + 1);
      }
    }
  }
}

/** True for the lowest or highest of several prices: neither is that of the item. */
function isEndOfRange(key: string, { fields }: Thing): boolean {
  if (key !== "lowPrice" && key !== "highPrice") return false;
  const [low, high] = ["lowPrice", "highPrice"].map((name) => fields.get(name)?.[0]);
  return low?.kind === "leaf" && high?.kind === "leaf" && Number(low.value) !== Number(high.value);
}

/** Reads a value that carries its own name (schema.org PropertyValue). */
function findNamedValue(
  thing: Thing,
): { readonly name: string; readonly values: readonly Value[] } | undefined {
  const name = thing.fields.get("name")?.[0];
  const values = thing.fields.get("value");
  return name?.kind === "leaf" && values !== undefined && thing.fields.size <= 5
    ? { name: String(name.value), values }
    : undefined;
}

/**
 * True if the name combines a thing and its field, such as "company_name" for
 * hiringOrganization.name.
 */
function joins(property: Name, container: Name, field: Name): boolean {
  for (let at = 1; at < property.words.length; at += 1) {
    const first = parseName(property.words.slice(0, at).join(" "));
    const second = parseName(property.words.slice(at).join(" "));
    const fits = (outer: Name, inner: Name): boolean =>
      scoreSimilarity(outer, container) >= 0.9 && scoreSimilarity(inner, field) >= 0.9;
    if (fits(first, second) || fits(second, first)) return true;
  }
  return false;
}
