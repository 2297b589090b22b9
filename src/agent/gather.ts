// The answer as it grows from page to page, where a schema says what is wanted.
import { findEvidence } from "./evidence.ts";
import type { PageNote } from "./read-page.ts";
import { Rows } from "./rows.ts";
import type { Answer, Source } from "./run.ts";
import {
  isFilled,
  isObject,
  pointerOf,
  setAt,
  valueAt,
  WRAPPED,
  type ListTarget,
  type Target,
} from "./target.ts";

export type Gained = {
  /** New rows, filled fields and values, each by its part. */
  readonly gain: number;
  /** Rows of the list that this page speaks of. */
  readonly rows: readonly { readonly list: number; readonly index: number }[];
};

/** Says whether a value fits a schema. */
export type Fits = (value: unknown, schema: unknown) => boolean;

/** `isSure` false: a value that does not stand on the page is dropped. */
export type Reading = {
  readonly page: Pick<PageNote, "url" | "markdown">;
  readonly value: unknown;
  readonly isSure: boolean;
  /** Exact places, where they are known, by JSON pointer. */
  readonly places?: Readonly<Record<string, Source>>;
};

export class Gathered {
  readonly target: Target;
  readonly lists: readonly Rows[];
  readonly #value: Record<string, unknown> = {};
  readonly #sources: Record<string, readonly Source[]> = {};
  /** Values that were dropped because no page says so. */
  dropped = 0;

  constructor(target: Target) {
    this.target = target;
    this.lists = target.lists.map(({ fields }) => new Rows(fields));
  }

  /** Adds what a page says, read by the whole schema. */
  addPage(reading: Reading): Gained {
    let gain = 0;
    const rows: { list: number; index: number }[] = [];
    for (const path of this.target.values) gain += this.#addValue(path, reading);
    for (const [list, { path }] of this.target.lists.entries()) {
      const found = valueAt(reading.value, path);
      for (const [at, entry] of (Array.isArray(found) ? found : []).entries()) {
        const merged = this.addRow(list, entry, reading, pointerOf([...path, at]));
        if (merged === undefined) continue;
        gain += merged.gain;
        rows.push({ list, index: merged.index });
      }
    }
    return { gain, rows };
  }

  /** Adds what a page says of one row. `pointer` is where the row lies in what was read. */
  addRow(list: number, entry: unknown, reading: Reading, pointer = "") {
    const rows = this.lists[list];
    if (rows === undefined || !isObject(entry)) return undefined;
    return rows.add(this.#proven(entry, reading), (field) =>
      this.#sourceOf(reading, entry[field], `${pointer}${pointerOf([field])}`),
    );
  }

  /** Fills known rows with what a page says of one thing; 0 where it is another thing. */
  fillRow(list: number, index: number, entry: unknown, reading: Reading): number {
    const rows = this.lists[list];
    if (rows === undefined || !isObject(entry)) return 0;
    const proven = this.#proven(entry, reading);
    if (rows.contradicts(index, proven)) return 0;
    return rows.mergeInto(index, proven, (field) =>
      this.#sourceOf(reading, entry[field], pointerOf([field])),
    ).gain;
  }

  /** Is there nothing left to look for? Lists have no end that is known. */
  get isComplete(): boolean {
    const { lists, values } = this.target;
    return lists.length === 0 && values.every((path) => isFilled(valueAt(this.#value, path)));
  }

  get isEmpty(): boolean {
    return (
      this.lists.every(({ rows }) => rows.length === 0) &&
      this.target.values.every((path) => !isFilled(valueAt(this.#value, path)))
    );
  }

  answer(fits: Fits): Answer {
    const { target } = this;
    const value = structuredClone(this.#value);
    const sources: Record<string, readonly Source[]> = {};
    const unfilled: string[] = [];
    for (const path of target.values) {
      const source = this.#sources[pointerOf(path)];
      if (source === undefined) unfilled.push(pointerOf(path));
      else sources[pointerOf(path)] = source;
    }
    for (const [list, { path }] of target.lists.entries()) {
      const own = this.#listAnswer(list, path);
      setAt(value, path, own.value);
      unfilled.push(...own.unfilled.map((field) => `${pointerOf(path)}/*${pointerOf([field])}`));
      Object.assign(sources, own.sources);
    }
    const whole = target.isWrapped ? value[WRAPPED] : value;
    const schema = target.isWrapped
      ? (target.schema["properties"] as Record<string, unknown>)[WRAPPED]
      : target.schema;
    return {
      value: whole,
      sources: target.isWrapped ? withoutPrefix(sources, `/${WRAPPED}`) : sources,
      unfilled: target.isWrapped
        ? unfilled.map((pointer) => pointer.replace(`/${WRAPPED}`, ""))
        : unfilled,
      valid: fits(whole, schema),
    };
  }

  #listAnswer(list: number, path: readonly string[]) {
    const { rows } = this.lists[list] ?? { rows: [] };
    const { fields } = this.target.lists[list] as ListTarget;
    const sources: Record<string, readonly Source[]> = {};
    for (const [index, row] of rows.entries())
      for (const [field, own] of Object.entries(row.sources))
        sources[pointerOf([...path, index, field])] = own;
    return {
      value: rows.map(({ value }) =>
        Object.fromEntries(
          fields.filter((field) => field in value).map((field) => [field, value[field]]),
        ),
      ),
      sources,
      unfilled: fields.filter((field) => !rows.some(({ value }) => isFilled(value[field]))),
    };
  }

  #addValue(path: readonly string[], reading: Reading): number {
    const said = valueAt(reading.value, path);
    if (!isFilled(said)) return 0;
    const pointer = pointerOf(path);
    const [source] = this.#sourceOf(reading, said, pointer);
    if (source === undefined) {
      this.dropped += 1;
      return 0;
    }
    const known = valueAt(this.#value, path);
    if (isFilled(known)) {
      if (!Array.isArray(known) || !Array.isArray(said)) return 0;
      const fresh = said.filter(
        (entry) => !known.some((one) => JSON.stringify(one) === JSON.stringify(entry)),
      );
      if (fresh.length === 0) return 0;
      setAt(this.#value, path, [...known, ...fresh]);
      this.#sources[pointer] = [...(this.#sources[pointer] ?? []), source];
      return fresh.length / (known.length + fresh.length);
    }
    setAt(this.#value, path, said);
    this.#sources[pointer] = [source];
    return 1;
  }

  /** The fields of a row that stand on the page. */
  #proven(entry: Readonly<Record<string, unknown>>, reading: Reading): Record<string, unknown> {
    if (reading.isSure) return { ...entry };
    const kept = Object.entries(entry).filter(([, value]) => {
      if (!isFilled(value) || typeof value === "boolean") return true;
      const stands = findEvidence(reading.page.url, reading.page.markdown, value) !== undefined;
      if (!stands) this.dropped += 1;
      return stands;
    });
    return Object.fromEntries(kept);
  }

  #sourceOf({ page, isSure, places }: Reading, value: unknown, pointer: string): Source[] {
    const place = places?.[pointer];
    if (place !== undefined) return [place];
    const found = findEvidence(page.url, page.markdown, value);
    if (found !== undefined) return [found];
    return isSure || typeof value === "boolean" ? [{ url: page.url }] : [];
  }
}

const withoutPrefix = (
  sources: Readonly<Record<string, readonly Source[]>>,
  prefix: string,
): Record<string, readonly Source[]> =>
  Object.fromEntries(
    Object.entries(sources).map(([pointer, own]) => [pointer.replace(prefix, ""), own]),
  );
