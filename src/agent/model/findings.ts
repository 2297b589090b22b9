// Checks the model's findings against the pages: notes during the run and the final answer.
import { keepValid } from "../../runtime/json-schema/keep-valid.ts";
import { validate } from "../../runtime/json-schema/validate.ts";
import { Accumulator } from "../answer/accumulator.ts";
import type { GivenRows } from "../tables/give-rows.ts";
import { verifyValue, type VerifiedValue, type ReadText } from "../answer/verify-value.ts";
import type { Answer, Source } from "../run.ts";
import { isFilled, compileTarget, WRAPPED, type Schema, type Target } from "../answer/target.ts";
import { extractTerms } from "../answer/terms.ts";
import { toTopicName } from "../rules/topic.ts";
import { isObject } from "../../runtime/is-object.ts";

const MAX_NAMED = 10;

export class Findings {
  readonly #schema: Schema | undefined;
  readonly #target: Target | undefined;
  readonly #topic: string;
  readonly #pages: ReadText[] = [];
  /** Values from notes, in order. */
  readonly #kept: VerifiedValue[] = [];
  /** Data of the last `finish` call; it takes precedence over notes. */
  #given: VerifiedValue | undefined;
  /** Collected rows of the last finish. */
  #rows: VerifiedValue | undefined;
  /** Rows collected so far, for interim answers; the final answer chooses among them. */
  #collected: readonly VerifiedValue[] = [];
  readonly #remarks = new Set<string>();
  #dropped = new Set<string>();

  constructor(schema: Schema | undefined, prompt: string) {
    this.#schema = schema;
    const target = schema === undefined ? undefined : compileTarget(schema);
    this.#target =
      target !== undefined && target.lists.length + target.values.length > 0 ? target : undefined;
    this.#topic = toTopicName(extractTerms(prompt, undefined).topic);
  }

  /** Adds a page that the model has read. */
  addPage(page: ReadText): void {
    this.#pages.push(page);
  }

  /** Stores a note. Returns pointers to values that no page has. */
  keep(data: unknown): readonly string[] {
    const verified = verifyValue(data, this.#pages);
    this.#kept.push(verified);
    for (const pointer of verified.dropped) this.#dropped.add(pointer);
    return verified.dropped;
  }

  get target(): Target | undefined {
    return this.#target;
  }

  /** Sets the rows of interim answers. */
  setCollected(collected: readonly VerifiedValue[]): void {
    this.#collected = collected;
  }

  /** A warning for the caller, such as that a collection is incomplete. */
  addWarning(text: string): void {
    this.#remarks.add(text);
  }

  /** Stores the final answer. Returns its faults; empty if it is acceptable. */
  finish(data: unknown, quotes: ReadonlyMap<string, string>, rows?: GivenRows): readonly string[] {
    const verified = verifyValue(data, this.#pages, quotes);
    this.#given = verified;
    this.#rows = rows;
    this.#dropped = new Set(verified.dropped);
    const answer = this.answer(true);
    const faults: string[] = [...(rows?.faults ?? [])];
    faults.push(
      ...(verified.dropped.length === 0
        ? []
        : [
            `These values stand on no page that was read: ${verified.dropped.slice(0, MAX_NAMED).join(", ")}.`,
          ]),
    );
    if (this.#schema !== undefined && !answer.valid)
      faults.push(
        ...validate(this.#schema, answer.value)
          .slice(0, MAX_NAMED)
          .map(({ pointer, message }) => `${pointer === "" ? "The whole" : pointer} ${message}.`),
      );
    if (!isFilled(answer.value)) faults.push("There is no data in it.");
    return faults;
  }

  /** Returns what was found so far. A `final` answer omits rows that lack required fields. */
  answer(final: boolean): Answer {
    if (this.#target === undefined) return this.#buildAnswer(final);
    const accumulator = new Accumulator(this.#target);
    for (const { value, places } of this.#listValues(final))
      accumulator.addPage({ pages: [], ...wrapValue(this.#target, value, places) });
    return accumulator.answer(final);
  }

  listWarnings(answer: Answer): string[] {
    const warnings: string[] = [...this.#remarks];
    const dropped = [...this.#dropped];
    if (dropped.length > 0)
      warnings.push(
        `Left out, because no page read contains it: ${dropped.slice(0, MAX_NAMED).join(", ")}${dropped.length > MAX_NAMED ? ` and ${dropped.length - MAX_NAMED} more` : ""}.`,
      );
    if (answer.unfilled.length > 0)
      warnings.push(`No page gave a value for ${answer.unfilled.slice(0, MAX_NAMED).join(", ")}.`);
    return warnings;
  }

  #listValues(final: boolean): readonly VerifiedValue[] {
    const given = [this.#rows, this.#given].filter((one) => one !== undefined);
    return [...given, ...this.#kept, ...(final || given.length > 0 ? [] : this.#collected)];
  }

  /** Used without a schema, or with one that names no properties. */
  #buildAnswer(final: boolean): Answer {
    const all = this.#listValues(final).filter(({ value }) => isFilled(value));
    const objects = all.map(({ value }) => value).filter(isObject);
    const [first] = all;
    const whole: unknown =
      objects.length === all.length ? Object.assign({}, ...objects.toReversed()) : first?.value;
    const named =
      this.#schema !== undefined || whole === undefined || isObject(whole)
        ? whole
        : { [this.#topic]: whole };
    const prefix = named === whole ? "" : `/${this.#topic}`;
    const sources: Record<string, readonly Source[]> = {};
    for (const { places } of all.toReversed())
      for (const [pointer, source] of Object.entries(places)) sources[prefix + pointer] = [source];
    if (this.#schema === undefined)
      return { value: named ?? {}, sources, unfilled: [], valid: true };
    const { value } = keepValid(this.#schema, named);
    return { value, sources, unfilled: [], valid: validate(this.#schema, value).length === 0 };
  }
}

/** Wraps the model's value to match the target: a list as the whole value becomes a property. */
function wrapValue(
  { isWrapped }: Target,
  value: unknown,
  places: Readonly<Record<string, Source>>,
): { readonly value: unknown; readonly places: Readonly<Record<string, Source>> } {
  if (!isWrapped) return { value, places };
  return {
    value: { [WRAPPED]: value },
    places: Object.fromEntries(
      Object.entries(places).map(([pointer, source]) => [`/${WRAPPED}${pointer}`, source]),
    ),
  };
}
