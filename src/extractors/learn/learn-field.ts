// Learns the position of one field from its values on example pages or records. A place is kept
// only if it gives every example value and nothing where the example has none; ambiguous places are
// not learned.
import type { ProgramSource, ScalarType, ValueField } from "../../contract/extractors/program.ts";
import { isAside } from "../../page-model/node.ts";
import type { Conversion, Scalar } from "../convert.ts";
import { rateStrength } from "../locate.ts";
import { readField } from "../read-field.ts";
import { parseSteps } from "../select-nodes.ts";
import {
  inferConversion,
  inferTypes,
  splitFieldName,
  type FieldExample,
  type WantedField,
} from "./field-types.ts";
import {
  buildTarget,
  findCandidates,
  findSharedCandidates,
  type Candidate,
} from "./find-candidates.ts";
import { isEqual, type Target } from "./occurrences.ts";

export type FieldOutcome =
  | { readonly field: ValueField }
  | { readonly fault: "not_found" | "inconsistent" | "ambiguous"; readonly detail: string };

export type FieldTask = {
  readonly name: string;
  readonly examples: readonly FieldExample[];
  /** Other, unlabeled records of the same list. */
  readonly others?: readonly FieldExample[];
  readonly wanted?: WantedField | undefined;
  /**
   * All values of the examples, folded: texts that differ between pages are not used as anchors.
   */
  readonly values?: ReadonlySet<string> | undefined;
};

const MAX_EVALUATED = 600;
const MAX_FALLBACKS = 3;
/** Minimum share of the examples that the places of a field must give. */
const MIN_COVERED = 0.6;
/**
 * Minimum share of a list's other records that must have a value at a position known from one
 * record.
 */
const MIN_COVERED_OTHERS = 0.8;

export function learnField(task: FieldTask): FieldOutcome {
  const given = task.examples.filter(({ value }) => value !== null && value !== undefined);
  if (given.length === 0) return { fault: "not_found", detail: "no example has a value" };
  let last: FieldOutcome = { fault: "not_found", detail: "" };
  for (const type of inferTypes(given, task.wanted?.type)) {
    const conversion = inferConversion(type, task, given);
    const outcome =
      typeof conversion === "string"
        ? { fault: "inconsistent" as const, detail: conversion }
        : learnAs(conversion, task, given);
    if ("field" in outcome) return outcome;
    if (last.detail === "" || outcome.fault !== "not_found") last = outcome;
  }
  return last;
}

/**
 * A candidate with the examples whose value it extracts; it extracts no wrong value on any of them.
 */
type FittingCandidate = Candidate & {
  readonly score: number;
  readonly covered: readonly boolean[];
};

function learnAs(
  conversion: Conversion,
  task: FieldTask,
  given: readonly FieldExample[],
): FieldOutcome {
  const many = given.some(({ value }) => Array.isArray(value));
  const targets = given.map(({ value, page }) =>
    ([value].flat() as Scalar[]).map((each) => buildTarget(each, conversion, page)),
  );
  const unfit = targets.flat().find((target) => typeof target === "string");
  if (unfit !== undefined) return { fault: "inconsistent", detail: String(unfit) };
  const known = targets as Target[][];
  const isTotal = ({ covered }: FittingCandidate): boolean => covered.every(Boolean);
  const partial: FittingCandidate[] = [];
  let lost: string | undefined;
  for (const isExact of [true, false]) {
    const offered = given.map((example, at) =>
      many
        ? findSharedCandidates(known[at] ?? [], conversion, example, isExact)
        : findCandidates(known[at]?.[0], conversion, example, isExact, false),
    );
    const at = offered.findIndex((each) => each === undefined);
    if (at !== -1)
      lost ??= `${JSON.stringify(given[at]?.value).slice(0, 80)} was not found on the page`;
    const candidates = new Map(offered.flatMap((each) => [...(each ?? [])]));
    const shared = [...candidates].filter(([key]) => offered.every((each) => each?.has(key)));
    const fitting = findFitting(
      shared.map(([, candidate]) => candidate),
      conversion,
      many,
      task,
      known,
    );
    if (fitting.some(isTotal))
      return choose(fitting.filter(isTotal), conversion, many, task, given);
    if (given.length > 1)
      partial.push(...findFitting([...candidates.values()], conversion, many, task, known));
  }
  const cover = selectCover(partial, given.length);
  if (cover.length > 0) return choose(cover, conversion, many, task, given);
  return lost === undefined
    ? {
        fault: "inconsistent",
        detail: "the values stand on the pages, but no place gives all of them and nothing else",
      }
    : { fault: "not_found", detail: lost };
}

/** Candidates without a wrong value, the best first. */
function findFitting(
  candidates: readonly Candidate[],
  conversion: Conversion,
  many: boolean,
  task: FieldTask,
  targets: readonly (readonly Target[])[],
): FittingCandidate[] {
  const ranked = candidates
    .map((candidate) => ({ ...candidate, score: scoreCandidate(candidate, task.name) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_EVALUATED);
  const given = task.examples.filter(({ value }) => value !== null && value !== undefined);
  const absent = task.examples.filter(({ value }) => value === null);
  const silent = task.examples.filter(({ value }) => value === undefined);
  const fitting: FittingCandidate[] = [];
  for (const candidate of ranked) {
    const field = { ...conversion, ...(many ? { many } : {}), ...candidate.source };
    if (!absent.every((example) => isMissing(field, example))) continue;
    const covered: boolean[] = [];
    for (const [at, example] of given.entries()) {
      const fit = fits(field, example, targets[at] ?? []);
      if (fit === "wrong") break;
      covered.push(fit === "right");
    }
    if (covered.length < given.length || !covered.some(Boolean)) continue;
    const pages = new Set(given.filter((_, at) => covered[at]).map(({ page }) => page));
    const { label, heading } = candidate.source.anchor ?? {};
    if (pages.size === 1 && task.values?.has(label ?? heading ?? "") === true) continue;
    // Examples that omit a field mostly do not have it.
    const quiet = silent.filter((example) => isMissing(field, example)).length;
    const score =
      candidate.score +
      30 * measureCoverage(field, task.others ?? []) +
      (5 * quiet) / Math.max(1, silent.length);
    fitting.push({ ...candidate, score, covered });
  }
  return fitting.toSorted((one, other) => other.score - one.score);
}

const isMissing = (field: ValueField, { page, scope }: FieldExample): boolean =>
  "missing" in readField(field, scope, page);

function fits(
  field: ValueField,
  { page, scope }: FieldExample,
  targets: readonly Target[],
): "right" | "wrong" | "missing" {
  const reading = readField(field, scope, page);
  if ("missing" in reading) return "missing";
  const values = "value" in reading ? [reading.value] : reading.list.map(({ value }) => value);
  const isRight =
    values.length === targets.length &&
    targets.every((target, at) => isEqual(values[at], target.value, page, field.type));
  return isRight ? "right" : "wrong";
}

/** Selects a few places that together give the examples; empty if they miss too many. */
function selectCover(fitting: readonly FittingCandidate[], examples: number): FittingCandidate[] {
  const chosen: FittingCandidate[] = [];
  const left = new Set(Array.from({ length: examples }, (_, at) => at));
  const countGain = ({ covered }: FittingCandidate): number =>
    covered.filter((isCovered, at) => isCovered && left.has(at)).length;
  while (left.size > 0 && chosen.length <= MAX_FALLBACKS) {
    // A position that holds on one page only is not evidence.
    const usable = fitting.filter((each) => countGain(each) > 0 && rateStrength(each.source) >= 2);
    const [best] = usable.toSorted(
      (one, other) => countGain(other) - countGain(one) || other.score - one.score,
    );
    if (best === undefined) break;
    chosen.push(best);
    for (const [at, isCovered] of best.covered.entries()) if (isCovered) left.delete(at);
  }
  return examples - left.size >= examples * MIN_COVERED ? chosen : [];
}

function measureCoverage(field: ValueField, others: readonly FieldExample[]): number {
  if (others.length === 0) return 0;
  const found = others.filter((example) => !isMissing(field, example));
  return found.length / others.length;
}

/** Scores how likely a place is to hold on unseen pages. */
function scoreCandidate({ source, occurrence }: Candidate, name: string): number {
  const { path, anchor, attribute, take } = source;
  let score = rateStrength(source) * 100;
  const words = splitFieldName(name);
  const named = [anchor?.label, anchor?.column, path?.split(/[ >]/).at(-1), source.data?.path]
    .join(" ")
    .toLowerCase();
  if (words.some((word) => word.length > 2 && named.includes(word))) score += 40;
  if (anchor?.label !== undefined) {
    if (path !== undefined) score += 10;
    // Long words before a value are more likely a sentence than its label.
    score -= 4 * Math.max(0, anchor.label.length - 24);
  }
  if (anchor?.heading !== undefined) score -= 10;
  if (attribute !== undefined) score -= 15;
  if (source.data?.kind === "meta") score -= 30;
  if (occurrence.node !== undefined && isAside(occurrence.node)) score -= 60;
  if (take !== undefined) score -= 10 + (take.item === undefined ? 0 : 20);
  const steps = path === undefined ? [] : parseSteps(path);
  score -= steps.length * 2;
  score -= steps.filter(({ nth }) => nth !== undefined).length * 20;
  if (steps.at(-1)?.tag === "h1") score += 30;
  return score;
}

function choose(
  fitting: readonly FittingCandidate[],
  conversion: Conversion,
  many: boolean,
  task: FieldTask,
  given: readonly FieldExample[],
): FieldOutcome {
  const [best] = fitting;
  if (best === undefined) return { fault: "inconsistent", detail: "" };
  const ambiguity = findAmbiguity(best, fitting, task.name, given);
  if (ambiguity !== undefined) return { fault: "ambiguous", detail: ambiguity };
  const { type } = conversion;
  const samples = best.covered.filter(Boolean).length;
  const isPosition = parseSteps(best.source.path ?? ".").some(({ nth }) => nth !== undefined);
  const others = measureCoverage({ ...conversion, ...best.source }, task.others ?? []);
  if (isPosition && samples < 2 && others < MIN_COVERED_OTHERS)
    return {
      fault: "ambiguous",
      detail:
        "only its position on the page is known from one example; add an example from another page",
    };
  const isTotal = best.covered.every(Boolean);
  const chosen: Candidate[] = isTotal ? [best] : [...fitting];
  const kinds = new Set(chosen.map(({ source }) => describeKind(source)));
  for (const candidate of fitting) {
    if (chosen.length > MAX_FALLBACKS) break;
    const kind = describeKind(candidate.source);
    // Positions break where a part is missing; they are only used without anything better.
    if (kinds.has(kind) || rateStrength(candidate.source) < 2) continue;
    kinds.add(kind);
    chosen.push(candidate);
  }
  const [first, ...rest] = chosen.map(({ source }) => source);
  const format = inferFormat(type, given);
  return {
    field: {
      ...conversion,
      ...first,
      ...(format === undefined ? {} : { format }),
      ...(many ? { many } : {}),
      ...(given.length === task.examples.length && given.length > 1 ? { required: true } : {}),
      ...(rest.length > 0 ? { fallback: rest, agree: true } : {}),
    },
  };
}

/** Sources of one kind fail together, so only one of each kind is kept. */
function describeKind({ data, anchor, path, attribute, take }: ProgramSource): string {
  if (data !== undefined) return data.kind;
  const place =
    anchor === undefined
      ? (path ?? "").split(/[ >]/).at(-1)
      : `${Object.keys(anchor).join()} ${path === undefined ? "" : "path"}`;
  return `${place} ${attribute ?? ""} ${take === undefined ? "" : "part"}`;
}

/**
 * Detects ambiguity: a short value that occurs at several places of the only example, or is the
 * same in all examples, may have been found at the wrong place, unless the place is named like the
 * field.
 */
function findAmbiguity(
  best: Candidate,
  fitting: readonly FittingCandidate[],
  name: string,
  given: readonly FieldExample[],
): string | undefined {
  const values = new Set(given.map(({ value }) => JSON.stringify(value)));
  if (values.size > 1 || given.some(({ ref }) => ref !== undefined)) return undefined;
  const [value = ""] = values;
  const isWeak = value.length <= 6 || /^"?\d{1,4}"?$/.test(value);
  const places = new Set(
    fitting
      .filter(({ occurrence }) => occurrence.node !== undefined)
      .map(({ occurrence }) => occurrence.node?.from),
  );
  const isNamed = scoreCandidate(best, name) - scoreCandidate(best, "") >= 40;
  if (isNamed || places.size < 2) return undefined;
  if (isWeak) return `${value} stands at ${places.size} places; add an example with another value`;
  return undefined;
}

function inferFormat(type: ScalarType, given: readonly FieldExample[]): ValueField["format"] {
  if (type !== "string") return undefined;
  for (const format of ["price", "email", "phone", "date"] as const) {
    const isAll = given.every(({ value, page }) =>
      ([value].flat() as Scalar[]).every((each) => {
        const [typed, ...more] = page.model.read(String(each));
        return (
          typed?.type === format &&
          more.length === 0 &&
          typed.text.length * 2 >= String(each).length
        );
      }),
    );
    if (isAll) return format;
  }
  return undefined;
}
