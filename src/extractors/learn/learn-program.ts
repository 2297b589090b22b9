// Learns an extractor from example pages with values from a person, a rule or a model.
import {
  PROGRAM_LIMITS,
  programSchema,
  type ExtractorProgram,
  type ProgramField,
} from "../../contract/extractors/program.ts";
import { isObject } from "../../runtime/is-object.ts";
import { computeFingerprint, collectMarks } from "../fingerprint.ts";
import { foldLabel } from "../fold-label.ts";
import type { ExtractorPage, Scope } from "../extractor-page.ts";
import type { FieldExample, WantedField } from "./field-types.ts";
import { learnField } from "./learn-field.ts";
import { findRecords } from "./learn-records.ts";

export type PageExample = {
  readonly page: ExtractorPage;
  /**
   * An object, or a list of objects for a page of records; null means that the page has no such
   * value.
   */
  readonly data: unknown;
  /** References of the nodes that values come from, by JSON pointer, if known. */
  readonly refs?: Readonly<Record<string, string>> | undefined;
};

export type FieldProblem = {
  /** The field; names of fields in records are joined by a dot. */
  readonly field: string;
  readonly reason: "not_found" | "inconsistent" | "ambiguous";
  readonly detail: string;
};

export type LearnedProgram = {
  /** Undefined if no field could be learned. */
  readonly program: ExtractorProgram | undefined;
  readonly problems: readonly FieldProblem[];
};

/** Schemas by field name; names of fields in records are joined by dots. */
export type WantedFields = Readonly<Record<string, WantedField>>;

export function learnProgram(
  examples: readonly PageExample[],
  wanted: WantedFields = {},
): LearnedProgram {
  const learner = new Learner(wanted, collectValues(examples.map(({ data }) => data)));
  const isList = examples.some(({ data }) => Array.isArray(data));
  const parts: Part[] = examples.map(({ page, data, refs = {} }) => ({
    page,
    scope: page.scope,
    data,
    refs,
    pointer: "",
  }));
  const learned = isList
    ? learner.list(parts, "")
    : { fields: learner.object(parts, "", []), records: undefined };
  if (learned === undefined || Object.keys(learned.fields).length === 0)
    return { program: undefined, problems: learner.problems };
  const fingerprint = computeFingerprint(examples.map(({ page }) => collectMarks(page)));
  const program = {
    version: 1 as const,
    ...(learned.records === undefined ? {} : { records: learned.records }),
    fields: learned.fields,
    ...(fingerprint.length === 0 ? {} : { template: { fingerprint } }),
  };
  return { program: programSchema.parse(program), problems: learner.problems };
}

type Part = {
  readonly page: ExtractorPage;
  readonly scope: Scope;
  readonly data: unknown;
  readonly refs: Readonly<Record<string, string>>;
  readonly pointer: string;
};

class Learner {
  readonly problems: FieldProblem[] = [];
  readonly #wanted: WantedFields;
  readonly #values: ReadonlySet<string>;

  constructor(wanted: WantedFields, values: ReadonlySet<string>) {
    this.#wanted = wanted;
    this.#values = values;
  }

  object(
    parts: readonly Part[],
    name: string,
    others: readonly Part[],
    depth = 1,
  ): Record<string, ProgramField> {
    const keys = new Set(parts.flatMap(({ data }) => (isObject(data) ? Object.keys(data) : [])));
    const fields = new Map<string, ProgramField>();
    for (const key of [...keys].slice(0, PROGRAM_LIMITS.fields)) {
      const field = this.#learnField(
        parts,
        key,
        name === "" ? key : `${name}.${key}`,
        others,
        depth,
      );
      if (field !== undefined) fields.set(key, field);
    }
    return Object.fromEntries(fields);
  }

  /** Undefined if the records were not found. */
  list(parts: readonly Part[], name: string, depth = 1) {
    const examples = parts.map(({ page, scope, data }) => ({
      page,
      scope,
      records: (Array.isArray(data) ? (data as unknown[]) : []).filter(isObject),
    }));
    const known = examples.filter(({ records }) => records.length > 0);
    const found = known.length === 0 ? undefined : findRecords(known);
    if (found === undefined) {
      this.#report(
        name === "" ? "records" : name,
        "not_found",
        "no element holds the values of one record each",
      );
      return undefined;
    }
    const described = parts.filter((_, at) => (examples[at]?.records.length ?? 0) > 0);
    const inner = described.flatMap(({ page, refs, pointer }, at) =>
      (found.scopes[at] ?? []).map((scope, nth): Part => ({
        page,
        scope,
        data: known[at]?.records[nth],
        refs,
        pointer: `${pointer}/${nth}`,
      })),
    );
    const others = described.flatMap(({ page, refs }, at) =>
      (found.others[at] ?? []).slice(0, 20).map((scope): Part => ({
        page,
        scope,
        data: undefined,
        refs,
        pointer: "-",
      })),
    );
    return { records: found.place, fields: this.object(inner, name, others, depth) };
  }

  #learnField(
    parts: readonly Part[],
    key: string,
    name: string,
    others: readonly Part[],
    depth: number,
  ): ProgramField | undefined {
    const inner = parts.map((part): Part => ({
      ...part,
      data: isObject(part.data) ? part.data[key] : undefined,
      pointer: `${part.pointer}/${key}`,
    }));
    const values = inner
      .map(({ data }) => data)
      .filter((data) => data !== null && data !== undefined);
    const isList = values.some((data) => Array.isArray(data) && (data as unknown[]).some(isObject));
    if (isList || values.some(isObject)) return this.#group(inner, name, isList, depth);
    const toExample = ({ page, scope, data, refs, pointer }: Part): FieldExample => ({
      page,
      scope,
      value: data as FieldExample["value"],
      ref: refs[pointer],
    });
    const outcome = learnField({
      name: key,
      examples: inner.map(toExample),
      others: others.map((part) => toExample({ ...part, data: undefined })),
      wanted: this.#wanted[name],
      values: this.#values,
    });
    if ("field" in outcome) return outcome.field;
    this.#report(name, outcome.fault, outcome.detail);
    return undefined;
  }

  #group(
    inner: readonly Part[],
    name: string,
    isList: boolean,
    depth: number,
  ): ProgramField | undefined {
    if (depth >= PROGRAM_LIMITS.depth) {
      this.#report(
        name,
        "inconsistent",
        `records are nested more than ${PROGRAM_LIMITS.depth} deep`,
      );
      return undefined;
    }
    if (!isList) {
      const fields = this.object(inner, name, [], depth + 1);
      return Object.keys(fields).length === 0 ? undefined : { fields };
    }
    const learned = this.list(inner, name, depth + 1);
    if (learned === undefined || Object.keys(learned.fields).length === 0) return undefined;
    return { records: learned.records, fields: learned.fields };
  }

  #report(field: string, reason: FieldProblem["reason"], detail: string): void {
    this.problems.push({ field, reason, detail });
  }
}

/** All texts and numbers of a value, folded like labels. */
function collectValues(root: unknown): Set<string> {
  const found = new Set<string>();
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string" || typeof value === "number") found.add(foldLabel(String(value)));
    else if (typeof value === "object" && value !== null)
      open.push(...Object.values(value).filter((each) => each !== undefined));
  }
  return found;
}
