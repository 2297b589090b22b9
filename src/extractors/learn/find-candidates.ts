// Finds the places of a value on an example page, each as the source of a field.
import type { ProgramSource } from "../../contract/extractors/program.ts";
import type { PageNode } from "../../page-model/node.ts";
import { convert, foldBlanks, type Conversion, type Scalar } from "../convert.ts";
import type { ExtractorPage } from "../extractor-page.ts";
import type { FieldExample } from "./field-types.ts";
import { findOccurrences, type Occurrence, type Target } from "./occurrences.ts";
import { findPlaces } from "./places.ts";
import { buildTakes, type Take } from "./takes.ts";

export type Candidate = { readonly source: ProgramSource; readonly occurrence: Occurrence };

const MAX_CANDIDATES = 2_500;
const MAX_PART_PLACES = 24;

export function buildTarget(
  value: Scalar,
  conversion: Conversion,
  page: ExtractorPage,
): Target | string {
  const { type } = conversion;
  if (type === "string")
    return { value: typeof value === "string" ? foldBlanks(value) : String(value) };
  if (typeof value !== "string") return { value };
  const literal = foldBlanks(value);
  const converted = convert(literal, conversion, page);
  if (converted === undefined) return `${JSON.stringify(literal.slice(0, 80))} is no ${type}`;
  return { value: converted, literal };
}

/** A reference covers its node, and nodes with the same text around or within it. */
function isPointedAt(node: PageNode, ref: string, page: ExtractorPage): boolean {
  const pointed = page.model.find(ref);
  if (pointed === undefined) return false;
  return (
    page.model.contains(pointed, node) ||
    (page.model.contains(node, pointed) && node.from === pointed.from && node.to === pointed.to)
  );
}

const LABELED: ReadonlySet<string> = new Set(["href", "content", "datetime", "value"]);

/** Sources that fit every member of a list. */
export function findSharedCandidates(
  targets: readonly Target[],
  conversion: Conversion,
  example: FieldExample,
  isExact: boolean,
): Map<string, Candidate> | undefined {
  let shared: Map<string, Candidate> | undefined;
  for (const target of targets.slice(0, 20)) {
    const offered = findCandidates(target, conversion, example, isExact, true);
    if (offered === undefined) return undefined;
    shared =
      shared === undefined ? offered : new Map([...shared].filter(([key]) => offered.has(key)));
  }
  return shared ?? new Map<string, Candidate>();
}

/** Undefined if the value does not occur on the page. */
export function findCandidates(
  target: Target | undefined,
  conversion: Conversion,
  { page, scope, ref }: FieldExample,
  isExact: boolean,
  many: boolean,
): Map<string, Candidate> | undefined {
  if (target === undefined) return undefined;
  const occurrences = findOccurrences(target, conversion, page, scope).filter(
    ({ node }) => ref === undefined || (node !== undefined && isPointedAt(node, ref, page)),
  );
  if (occurrences.length === 0) return undefined;
  const found = new Map<string, Candidate>();
  for (const occurrence of occurrences) {
    if (occurrence.isExact !== isExact) continue;
    if (occurrence.data !== undefined) add({ data: occurrence.data }, occurrence);
    if (occurrence.node === undefined) continue;
    const takes = isExact ? [undefined] : listTakes(occurrence, target, conversion, page, many);
    const places = findPlaces(occurrence.node, scope, page);
    // Words before an element label its text, not its attributes.
    const isLabeled = occurrence.attribute === undefined || LABELED.has(occurrence.attribute);
    for (const place of isExact ? places : places.slice(0, MAX_PART_PLACES)) {
      if (!isLabeled && place.anchor !== undefined) continue;
      for (const take of takes)
        add(
          {
            ...place,
            ...(occurrence.attribute === undefined ? {} : { attribute: occurrence.attribute }),
            ...(take === undefined ? {} : { take }),
          },
          occurrence,
        );
    }
  }
  return found;

  function add(source: ProgramSource, occurrence: Occurrence): void {
    const key = JSON.stringify(source);
    if (found.size < MAX_CANDIDATES && !found.has(key)) found.set(key, { source, occurrence });
  }
}

function listTakes(
  { text }: Occurrence,
  target: Target,
  conversion: Conversion,
  page: ExtractorPage,
  many: boolean,
): Take[] {
  const takes = buildTakes(text, target, conversion, page);
  if (!many) return takes.slice(0, 20);
  // A part of a list has no fixed position; the list itself may follow a word.
  const separators = new Set(takes.flatMap(({ separator }) => separator ?? []));
  const label = /^[^:]{1,40}:/.exec(text)?.[0];
  return [...separators].flatMap((separator) => [
    { separator },
    ...(label === undefined ? [] : [{ after: label, separator }]),
  ]);
}
