// Accumulates the answer over pages when there is a schema.
import { keepValid } from "../../runtime/json-schema/keep-valid.ts";
import { validate } from "../../runtime/json-schema/validate.ts";
import { findEvidence } from "./evidence.ts";
import type { PageNote } from "../pages/read-page.ts";
import { isSame, Rows, type RowReference } from "./rows.ts";
import type { Answer, Source } from "../run.ts";
import {
  isFilled,
  buildPointer,
  setAt,
  getValueAt,
  WRAPPED,
  type ListTarget,
  type Schema,
  type Target,
} from "./target.ts";
import { isObject } from "../../runtime/is-object.ts";

export type GainReport = {
  /** New rows, filled fields and values, each by its weight. */
  readonly gain: number;
  /** Rows of the lists that the page mentions. */
  readonly rows: readonly RowReference[];
};

export type PageReading = {
  /** The pages with the values, the likeliest first. */
  readonly pages: readonly Pick<PageNote, "url" | "markdown">[];
  readonly value: unknown;
  /**
   * True if the page is about the requested thing: 1 yes, 0 no. Without it the first value stays;
   * with it, two pages that disagree cancel each other.
   */
  readonly rank?: 0 | 1;
  /** Exact places, if known, by JSON pointer into the value. */
  readonly places?: Readonly<Record<string, Source>>;
};

export class Accumulator {
  readonly target: Target;
  readonly lists: readonly Rows[];
  readonly #value: Record<string, unknown> = {};
  readonly #sources: Record<string, readonly Source[]> = {};
  /** Pointers of single values on which two pages about the thing disagree. */
  readonly #disputed = new Set<string>();
  /** Rows left out of the last final answer because they lack required fields. */
  leftOut = 0;

  constructor(target: Target) {
    this.target = target;
    this.lists = target.lists.map(({ fields }) => new Rows(fields));
  }

  /** Adds the values of a page, read with the whole schema. */
  addPage(reading: PageReading): GainReport {
    let gain = 0;
    const rows: RowReference[] = [];
    gain += this.addValues(reading);
    for (const [list, { path }] of this.target.lists.entries()) {
      const found = getValueAt(reading.value, path);
      for (const [at, entry] of (Array.isArray(found) ? found : []).entries()) {
        const merged = this.addRow(list, entry, reading, buildPointer([...path, at]));
        if (merged === undefined) continue;
        gain += merged.gain;
        rows.push({ list, index: merged.index });
      }
    }
    return { gain, rows };
  }

  /** Adds the single values of a page, not its rows. */
  addValues(reading: PageReading): number {
    return this.target.values.reduce((gain, path) => gain + this.#addValue(path, reading), 0);
  }

  /** Adds the values of a page for one row. `pointer` is the row's position in the reading. */
  addRow(list: number, entry: unknown, reading: PageReading, pointer = "") {
    const rows = this.lists[list];
    if (rows === undefined || !isObject(entry)) return undefined;
    return rows.add(entry, (field) =>
      findSources(reading, entry[field], `${pointer}${buildPointer([field])}`),
    );
  }

  /** Fills a known row from a page about one thing. Returns 0 if it is a different thing. */
  fillRow(list: number, index: number, entry: unknown, reading: PageReading): number {
    const rows = this.lists[list];
    if (rows === undefined || !isObject(entry)) return 0;
    if (rows.isContradictedBy(index, entry)) return 0;
    return rows.mergeInto(index, entry, (field) =>
      findSources(reading, entry[field], buildPointer([field])),
    ).gain;
  }

  /** True if no field is missing. Lists are never complete. */
  get isComplete(): boolean {
    const { lists, values } = this.target;
    return lists.length === 0 && values.every((path) => isFilled(getValueAt(this.#value, path)));
  }

  get isEmpty(): boolean {
    return (
      this.lists.every(({ rows }) => rows.length === 0) &&
      this.target.values.every((path) => !isFilled(getValueAt(this.#value, path)))
    );
  }

  /** JSON pointers of values on which pages about the same thing disagree. */
  get disputed(): readonly string[] {
    return [...this.#disputed];
  }

  /** Returns what was found so far. A `final` answer omits rows that lack required fields. */
  answer(final: boolean): Answer {
    const { target } = this;
    const value = structuredClone(this.#value);
    const sources: Record<string, readonly Source[]> = {};
    const unfilled: string[] = [];
    for (const path of target.values) {
      const source = this.#sources[buildPointer(path)];
      if (source !== undefined) sources[buildPointer(path)] = source;
      else unfilled.push(buildPointer(path));
    }
    this.leftOut = 0;
    for (const [list, { path }] of target.lists.entries()) {
      const own = this.#listAnswer(list, path, final);
      setAt(value, path, own.value);
      unfilled.push(
        ...own.unfilled.map((field) => `${buildPointer(path)}/*${buildPointer([field])}`),
      );
      Object.assign(sources, own.sources);
    }
    const { value: kept } = keepValid(target.schema, value);
    const whole = target.isWrapped ? ((kept ?? value) as Schema)[WRAPPED] : (kept ?? value);
    const rename = (pointer: string): string =>
      target.isWrapped ? pointer.replace(`/${WRAPPED}`, "") : pointer;
    return {
      value: whole,
      sources: Object.fromEntries(
        Object.entries(sources).map(([pointer, own]) => [rename(pointer), own]),
      ),
      unfilled: unfilled.map(rename),
      valid: validate(target.given, whole).length === 0,
    };
  }

  #listAnswer(list: number, path: readonly string[], final: boolean) {
    const known = this.lists[list];
    const rows = (known?.rows ?? []).filter((_, index) => known?.isHeading(index) !== true);
    const { fields, item } = this.target.lists[list] as ListTarget;
    const sources: Record<string, readonly Source[]> = {};
    const value: unknown[] = [];
    for (const row of rows) {
      const ordered = Object.fromEntries(
        fields.filter((field) => field in row.value).map((field) => [field, row.value[field]]),
      );
      const { value: kept, faults } = keepValid(item, ordered);
      if (final && (kept === undefined || faults.length > 0)) {
        this.leftOut += 1;
        continue;
      }
      for (const [field, own] of Object.entries(row.sources))
        sources[buildPointer([...path, value.length, field])] = own;
      value.push(kept ?? ordered);
    }
    return {
      value,
      sources,
      unfilled: fields.filter((field) => !rows.some((row) => isFilled(row.value[field]))),
    };
  }

  #addValue(path: readonly string[], reading: PageReading): number {
    const said = getValueAt(reading.value, path);
    if (!isFilled(said)) return 0;
    const pointer = buildPointer(path);
    const sources = findSources(reading, said, pointer);
    const known = getValueAt(this.#value, path);
    const { rank } = reading;
    if (rank === 0 || this.#disputed.has(pointer)) return 0;
    if (isFilled(known)) {
      if (!Array.isArray(known) || !Array.isArray(said)) {
        if (rank === 1 && !isSame(known, said)) this.#recordDispute(path, pointer);
        return 0;
      }
      const fresh = said.filter(
        (entry) => !known.some((one) => JSON.stringify(one) === JSON.stringify(entry)),
      );
      if (fresh.length === 0) return 0;
      setAt(this.#value, path, [...known, ...fresh]);
      this.#sources[pointer] = [...(this.#sources[pointer] ?? []), ...sources];
      return fresh.length / (known.length + fresh.length);
    }
    setAt(this.#value, path, said);
    this.#sources[pointer] = sources;
    return 1;
  }

  /** Drops a value because two pages about the thing disagree. */
  #recordDispute(path: readonly string[], pointer: string): void {
    this.#disputed.add(pointer);
    setAt(this.#value, path, undefined);
    delete this.#sources[pointer];
  }
}

/** The sources of a value: its known place, else the pages with its words, else the first page. */
function findSources(
  { pages, places = {} }: PageReading,
  value: unknown,
  pointer: string,
): Source[] {
  const place =
    places[pointer] ??
    Object.entries(places).find(([other]) => other.startsWith(`${pointer}/`))?.[1];
  if (place !== undefined) return [place];
  for (const { url, markdown } of pages) {
    const found = findEvidence(url, markdown, value);
    if (found !== undefined) return [found];
  }
  return pages.slice(0, 1).map(({ url }) => ({ url }));
}
