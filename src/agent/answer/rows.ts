// Collects the rows of one list over many pages. Rows about the same thing are merged.
import { trimEndMatching } from "../../runtime/trim-end-matching.ts";
import { isFilled } from "./target.ts";
import type { Source } from "../run.ts";
import { isObject } from "../../runtime/is-object.ts";

export type Row = {
  readonly value: Record<string, unknown>;
  /** By field. */
  readonly sources: Record<string, readonly Source[]>;
};

/** A row of one of the lists of a schema. */
export type RowReference = { readonly list: number; readonly index: number };

export type MergeResult = {
  readonly index: number;
  /** A new row counts 1; a filled field of a known row counts as its fraction of a row. */
  readonly gain: number;
};

/** Fields that identify a thing by themselves. */
const IDENTIFYING_FIELDS =
  /^(?:id|.*_?id|sku|isbn.*|ean|gtin.*|upc|doi|orcid|e-?mail.*|.*e-?mail|url|link|href|.*_?(?:url|link)|website|homepage|handle|username|slug|(?:product|item|order|part)_?(?:number|no|code)|code)$/i;
/** Fields that name a thing. */
const NAMES =
  /^(?:(?:full|display|product|item|company|person|staff|employee|event|job|course|book|article)?_?(?:name|title|headline|heading|label|question|term)|role_name|member|person|product|company|author)$/i;

export class Rows {
  readonly rows: Row[] = [];
  readonly #fields: readonly string[];
  readonly #strong: readonly string[];
  readonly #named: string | undefined;
  readonly #byKey = new Map<string, number[]>();
  /** Rows whose own page is a list of others. */
  readonly #headings = new Set<number>();

  constructor(fields: readonly string[]) {
    this.#fields = fields;
    const plain = fields.map((field) => field.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1_$2"));
    this.#strong = fields.filter((_, index) => IDENTIFYING_FIELDS.test(plain[index] ?? ""));
    this.#named = fields.find((_, index) => NAMES.test(plain[index] ?? "")) ?? fields[0];
  }

  /** The field that names the rows. */
  get nameField(): string | undefined {
    return this.#named;
  }

  /**
   * Adds the values of a page about one item and merges them into an existing row if there is one.
   */
  add(value: unknown, sourceOf: (field: string) => readonly Source[]): MergeResult | undefined {
    if (!isObject(value)) return undefined;
    const filled = this.#fields.filter((field) => isFilled(value[field]));
    if (filled.length === 0) return undefined;
    const known = this.#find(value);
    if (known !== undefined) return this.mergeInto(known, value, sourceOf);
    const row: Row = { value: {}, sources: {} };
    const index = this.rows.push(row) - 1;
    for (const field of filled) this.#set(row, field, value[field], sourceOf(field));
    this.#index(index);
    return { index, gain: 1 };
  }

  /**
   * Fills missing fields of a known row. Existing values stay; a page that agrees becomes a further
   * source.
   */
  mergeInto(
    index: number,
    value: Readonly<Record<string, unknown>>,
    sourceOf: (field: string) => readonly Source[],
  ): MergeResult {
    const row = this.rows[index];
    if (row === undefined) return { index, gain: 0 };
    let filled = 0;
    for (const field of this.#fields) {
      if (!isFilled(value[field])) continue;
      if (!isFilled(row.value[field])) {
        this.#set(row, field, value[field], sourceOf(field));
        filled += 1;
      } else if (isSame(row.value[field], value[field]))
        row.sources[field] = joinSources(row.sources[field] ?? [], sourceOf(field));
    }
    this.#index(index);
    return { index, gain: filled / Math.max(1, this.#fields.length) };
  }

  /** True if a page is about a different thing: another name, URL or number. */
  isContradictedBy(index: number, value: Readonly<Record<string, unknown>>): boolean {
    const telling = this.#named === undefined ? this.#strong : [...this.#strong, this.#named];
    return !telling.every((field) => this.#hasSameValue(index, field, value[field]));
  }

  /** The page of the row lists others, so the row may be a group heading instead of an entry. */
  markHeading(index: number): void {
    this.#headings.add(index);
  }

  /** True if the row is such a heading: nothing but its name is known. */
  isHeading(index: number): boolean {
    const { value = {} } = this.rows[index] ?? {};
    const name = this.#named === undefined ? undefined : value[this.#named];
    return (
      this.#headings.has(index) &&
      Object.values(value).every((said) => !isFilled(said) || isSame(said, name))
    );
  }

  /** Fields of a row that no page has filled yet. */
  listMissingFields(index: number): string[] {
    const row = this.rows[index];
    return this.#fields.filter((field) => !isFilled(row?.value[field]));
  }

  #set(row: Row, field: string, value: unknown, sources: readonly Source[]): void {
    row.value[field] = value;
    row.sources[field] = sources;
  }

  #find(value: Readonly<Record<string, unknown>>): number | undefined {
    for (const field of this.#strong) {
      const found = this.#byKey.get(toKey(field, value[field]) ?? "");
      const index = found?.find((row) => !this.isContradictedBy(row, value));
      if (index !== undefined) return index;
    }
    const name = this.#named;
    if (name === undefined) return undefined;
    // Two people may share a name. They are merged only if nothing else differs.
    return this.#byKey
      .get(toKey(name, value[name]) ?? "")
      ?.find((row) => this.#fields.every((field) => this.#hasSameValue(row, field, value[field])));
  }

  #hasSameValue(index: number, field: string, value: unknown): boolean {
    const own = this.rows[index]?.value[field];
    return !isFilled(own) || !isFilled(value) || isSame(own, value);
  }

  #index(index: number): void {
    const row = this.rows[index];
    const fields = this.#named === undefined ? this.#strong : [...this.#strong, this.#named];
    for (const field of fields) {
      const key = toKey(field, row?.value[field]);
      if (key === undefined) continue;
      const rows = this.#byKey.get(key) ?? [];
      if (!rows.includes(index)) this.#byKey.set(key, [...rows, index]);
    }
  }
}

const fold = (value: unknown): string =>
  trimEndMatching(
    (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[\s\u00a0]+/g, " ")
      .replace(/^https?:\/\/(?:www\.)?/, ""),
    /[/\s.]/,
  ).trim();

const toKey = (field: string, value: unknown): string | undefined =>
  isFilled(value) ? `${field}\n${fold(value)}` : undefined;

/**
 * The same text regardless of case and spaces: "Ada" and "ADA " are the same, "Engineer" and
 * "Senior engineer" are not.
 */
export const isSame = (one: unknown, other: unknown): boolean => fold(one) === fold(other);

function joinSources(known: readonly Source[], further: readonly Source[]): readonly Source[] {
  const fresh = further.filter(({ url }) => !known.some((source) => source.url === url));
  return [...known, ...fresh].slice(0, 5);
}
