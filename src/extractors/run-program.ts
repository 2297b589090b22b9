// Replays an extractor on a page: pure, linear in the page, and without any code of the caller.
import {
  isGroup,
  type ExtractorProgram,
  type ProgramField,
  type RecordsPlace,
  type ValueField,
} from "../contract/extractors/program.ts";
import { escape } from "../runtime/json-schema/pointer.ts";
import { matchTemplate, MIN_TEMPLATE_MATCH } from "./fingerprint.ts";
import type { ExtractorPage, Scope } from "./extractor-page.ts";
import { readField, type FieldEvidence } from "./read-field.ts";
import { readRecordScopes } from "./record-scopes.ts";

/**
 * Number of times a field was found, by its name; names of fields in records are joined by a dot.
 */
export type FieldCount = {
  readonly expected: number;
  readonly found: number;
  /** Texts that did not fit the field's type. */
  readonly violations: number;
};

export type ProgramResult = {
  /** An object, or a list for a program with records; undefined if nothing was found. */
  readonly value: unknown;
  /** By JSON pointer. */
  readonly evidence: Readonly<Record<string, FieldEvidence>>;
  /** Reasons for missing values, by JSON pointer; at most 100. */
  readonly missing: Readonly<Record<string, string>>;
  readonly counts: Readonly<Record<string, FieldCount>>;
  /** Share of the template's marks that the page has, 0 to 1; 1 without a fingerprint. */
  readonly templateMatch: number;
  /** Confidence in the values of this page, 0 to 1. */
  readonly confidence: number;
};

const MAX_MISSING = 100;
/** Maximum values of one page; the rest is left out and reported. */
const MAX_VALUES = 20_000;

export function runProgram(program: ExtractorProgram, page: ExtractorPage): ProgramResult {
  const fingerprint = program.template?.fingerprint ?? [];
  const templateMatch = matchTemplate(fingerprint, page);
  const run = new Run(page);
  if (templateMatch < MIN_TEMPLATE_MATCH) {
    run.miss("", "the page is of another template");
    return { ...run.result(undefined), templateMatch, confidence: 0 };
  }
  const value =
    program.records === undefined
      ? run.object(program.fields, page.scope, "", "")
      : run.records(program.records, program.fields, page.scope, "", "");
  return { ...run.result(value), templateMatch, confidence: run.confidence(templateMatch) };
}

type Count = { expected: number; found: number; violations: number };

class Run {
  readonly #page: ExtractorPage;
  readonly #evidence = new Map<string, FieldEvidence>();
  readonly #missing = new Map<string, string>();
  readonly #counts = new Map<string, Count>();
  /** Sources of single values, by JSON pointer. */
  readonly #read = new Map<string, { readonly words: string; readonly strength: number }>();
  #required = { expected: 0, found: 0 };

  constructor(page: ExtractorPage) {
    this.#page = page;
  }

  result(value: unknown): Pick<ProgramResult, "value" | "evidence" | "missing" | "counts"> {
    return {
      value,
      evidence: Object.fromEntries(this.#evidence),
      missing: Object.fromEntries(this.#missing),
      counts: Object.fromEntries(this.#counts),
    };
  }

  /** The share of required values that were found, weighted by strength and template match. */
  confidence(templateMatch: number): number {
    const { expected, found } = this.#required;
    const coverage = expected === 0 ? (this.#evidence.size > 0 ? 1 : 0) : found / expected;
    const given = [...this.#evidence.values()];
    const firm = given.filter(({ confidence }) => confidence === "high").length;
    const firmness = given.length === 0 ? 0 : 0.5 + (0.5 * firm) / given.length;
    return Math.round(coverage * firmness * templateMatch * 100) / 100;
  }

  miss(pointer: string, reason: string): void {
    if (this.#missing.size < MAX_MISSING) this.#missing.set(pointer, reason);
  }

  object(
    fields: Readonly<Record<string, ProgramField>>,
    scope: Scope,
    pointer: string,
    name: string,
  ): Record<string, unknown> | undefined {
    const value = new Map<string, unknown>();
    for (const [key, field] of Object.entries(fields)) {
      const found = this.#runField(field, scope, `${pointer}/${escape(key)}`, join(name, key));
      if (found !== undefined) value.set(key, found);
    }
    this.#dropShared(fields, value, pointer, name);
    return value.size === 0 ? undefined : Object.fromEntries(value);
  }

  /**
   * If two fields read the same words from different places, the weaker one has shifted to the
   * place of the other, as positions do when a part is missing.
   */
  #dropShared(
    fields: Readonly<Record<string, ProgramField>>,
    value: Map<string, unknown>,
    pointer: string,
    name: string,
  ): void {
    const firmest = new Map<string, { readonly key: string; readonly strength: number }>();
    for (const [key] of Array.from(value)) {
      const at = `${pointer}/${escape(key)}`;
      const read = this.#read.get(at);
      if (read === undefined) continue;
      const other = firmest.get(read.words);
      if (other === undefined || isSameSource(fields[key], fields[other.key])) {
        firmest.set(read.words, { key, strength: read.strength });
        continue;
      }
      if (other.strength === read.strength) continue;
      const dropped = other.strength < read.strength ? other.key : key;
      if (dropped === other.key) firmest.set(read.words, { key, strength: read.strength });
      value.delete(dropped);
      this.#evidence.delete(`${pointer}/${escape(dropped)}`);
      this.#count(join(name, dropped)).found -= 1;
      if (fields[dropped]?.required === true) this.#required.found -= 1;
      this.miss(
        `${pointer}/${escape(dropped)}`,
        `its place holds the value of ${dropped === key ? other.key : key}`,
      );
    }
  }

  /** Parts without a required value are not records: header rows, notices between them. */
  records(
    place: RecordsPlace,
    fields: Readonly<Record<string, ProgramField>>,
    scope: Scope,
    pointer: string,
    name: string,
  ): unknown[] | undefined {
    const scopes = readRecordScopes(place, scope, this.#page);
    const values: unknown[] = [];
    for (const part of scopes) {
      if (this.#evidence.size >= MAX_VALUES) {
        this.miss(pointer, `records after the first ${values.length} were left out`);
        break;
      }
      const inner = new Run(this.#page);
      const value = inner.object(fields, part, `${pointer}/${values.length}`, name);
      if (value === undefined || !hasRequiredFields(fields, value)) continue;
      values.push(value);
      this.#add(inner);
    }
    if (values.length > 0) return values;
    this.miss(
      pointer,
      scopes.length === 0 ? "no records stand at their place" : "its records have no values",
    );
    return undefined;
  }

  #runField(field: ProgramField, scope: Scope, pointer: string, name: string): unknown {
    const isRequired = field.required === true;
    if (isRequired) this.#required.expected += 1;
    const count = this.#count(name);
    count.expected += 1;
    if (isGroup(field)) {
      const { records, fields } = field;
      const inner =
        records === undefined
          ? this.object(fields, scope, pointer, name)
          : this.records(records, fields, scope, pointer, name);
      if (inner === undefined) return undefined;
      count.found += 1;
      if (isRequired) this.#required.found += 1;
      return inner;
    }
    const reading = readField(field, scope, this.#page);
    if ("missing" in reading) {
      this.miss(pointer, reading.missing);
      if (reading.isViolation) count.violations += 1;
      return undefined;
    }
    count.found += 1;
    if (isRequired) this.#required.found += 1;
    if ("value" in reading) {
      const { evidence, source, strength } = reading;
      this.#evidence.set(pointer, evidence);
      if (evidence.ref !== undefined)
        this.#read.set(pointer, {
          words: JSON.stringify([evidence.ref, source.attribute, evidence.position, reading.value]),
          strength,
        });
      return reading.value;
    }
    const kept = reading.list.slice(0, Math.max(1, MAX_VALUES - this.#evidence.size));
    if (kept.length < reading.list.length)
      this.miss(pointer, `values after the first ${kept.length} were left out`);
    for (const [at, { evidence }] of kept.entries())
      this.#evidence.set(`${pointer}/${at}`, evidence);
    return kept.map(({ value }) => value);
  }

  #count(name: string): Count {
    const known = this.#counts.get(name) ?? { expected: 0, found: 0, violations: 0 };
    this.#counts.set(name, known);
    return known;
  }

  #add(inner: Run): void {
    for (const [pointer, evidence] of inner.#evidence) this.#evidence.set(pointer, evidence);
    for (const [pointer, reason] of inner.#missing) this.miss(pointer, reason);
    for (const [name, { expected, found, violations }] of inner.#counts) {
      const count = this.#count(name);
      count.expected += expected;
      count.found += found;
      count.violations += violations;
    }
    this.#required.expected += inner.#required.expected;
    this.#required.found += inner.#required.found;
  }
}

const join = (name: string, key: string): string => (name === "" ? key : `${name}.${key}`);

function hasRequiredFields(
  fields: Readonly<Record<string, ProgramField>>,
  value: Readonly<Record<string, unknown>>,
): boolean {
  const required = Object.entries(fields).filter(([, field]) => field.required === true);
  const found = required.filter(([key]) => Object.hasOwn(value, key)).length;
  return found * 2 >= required.length && (required.length === 0 || found > 0);
}

/** Fields with the same configured place share its words on purpose. */
function isSameSource(one: ProgramField | undefined, other: ProgramField | undefined): boolean {
  if (one === undefined || other === undefined || isGroup(one) || isGroup(other)) return false;
  const buildKey = ({ path, anchor, attribute, data, take }: ValueField): string =>
    JSON.stringify([path, anchor, attribute, data, take]);
  return buildKey(one) === buildKey(other);
}
