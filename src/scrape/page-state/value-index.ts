// Finds where a text of the page may come from: every value of the data by the texts that show it.
import { parseHtml } from "../../html/parse/parse.ts";
import { findElement } from "../../html/parse/tree.ts";
import { isObject } from "../../runtime/is-object.ts";
import { serializePlain, toPlainNodes, type PlainNode } from "./plain-tree.ts";
import { listForms, type Form } from "./shown-forms.ts";

export type Path = readonly (string | number)[];
/** A value in the data of the page (level 0) or of a list's entry (1 for the outermost list). */
export type Source = { readonly level: number; readonly path: Path; readonly form: Form };
export type ListSource = { readonly path: Path; readonly items: readonly unknown[] };

const MAX_SOURCES = 24;
const MAX_DEPTH = 30;
const MAX_LISTS = 150;
const MAX_PREFIX_TEXTS = 200;
const LONG_PREFIX = 6;
const SHORT_PREFIX = 3;

export class ValueIndex {
  readonly level: number;
  readonly #byText = new Map<string, Source[]>();
  readonly #byPrefix = new Map<string, string[]>();
  readonly #byHtml = new Map<string, Path[]>();
  readonly #lists: ListSource[] = [];

  constructor(value: unknown, level: number, languages: readonly string[]) {
    this.level = level;
    this.#add(value, [], languages);
    for (const texts of this.#byPrefix.values())
      texts.sort((one, other) => other.length - one.length);
  }

  #add(value: unknown, path: Path, languages: readonly string[]): void {
    if (path.length > MAX_DEPTH) return;
    for (const [form, text] of listForms(value, languages)) this.#note(text, path, form);
    if (typeof value === "string" && /<[a-z][^<>]*>/i.test(value)) {
      const key = serializePlain(parseFragment(value));
      const known = this.#byHtml.get(key) ?? [];
      known.push(path);
      this.#byHtml.set(key, known);
    }
    if (typeof value === "string" && value.includes("\n") && this.#lists.length < MAX_LISTS)
      this.#lists.push({ path: [...path, "lines"], items: splitLines(value) });
    if (Array.isArray(value)) {
      if (value.length > 0 && this.#lists.length < MAX_LISTS)
        this.#lists.push({ path, items: value });
      this.#note(String(value.length), [...path, "length"], "number");
      for (const [at, item] of value.entries()) this.#add(item, [...path, at], languages);
    } else if (isObject(value))
      for (const [key, item] of Object.entries(value)) this.#add(item, [...path, key], languages);
  }

  #note(text: string, path: Path, form: Form): void {
    if (text === "") return;
    const known = this.#byText.get(text);
    if (known !== undefined) {
      if (known.length < MAX_SOURCES) known.push({ level: this.level, path, form });
      return;
    }
    this.#byText.set(text, [{ level: this.level, path, form }]);
    if (text.length < 3 && !/^\d+$/.test(text)) return;
    const prefix = toPrefix(text, 0, text.length);
    const texts = this.#byPrefix.get(prefix) ?? [];
    if (texts.length < MAX_PREFIX_TEXTS) texts.push(text);
    this.#byPrefix.set(prefix, texts);
  }

  /** The values that show exactly this text. */
  findSources(text: string): readonly Source[] {
    return this.#byText.get(text) ?? [];
  }

  /** The longest shown text that starts at a position and ends at the end of a word. */
  findLongest(text: string, at: number): string | undefined {
    let longest: string | undefined;
    for (const length of [LONG_PREFIX, SHORT_PREFIX, 2, 1]) {
      for (const shown of this.#byPrefix.get(toPrefix(text, at, length)) ?? [])
        if (
          shown.length > (longest?.length ?? 0) &&
          text.startsWith(shown, at) &&
          isWordEnd(text, at + shown.length)
        ) {
          longest = shown;
          break;
        }
    }
    return longest;
  }

  findHtml(html: string): readonly Path[] {
    return this.#byHtml.get(html) ?? [];
  }

  get hasHtml(): boolean {
    return this.#byHtml.size > 0;
  }

  get lists(): readonly ListSource[] {
    return this.#lists;
  }
}

/** Six characters, or all of a shorter text: three for 3 to 5, and two or one. */
function toPrefix(text: string, at: number, length: number): string {
  const size = length >= LONG_PREFIX ? LONG_PREFIX : length >= SHORT_PREFIX ? SHORT_PREFIX : length;
  return text.slice(at, at + size);
}

const WORD = /[\p{L}\p{N}]/u;
export const isWordStart = (text: string, at: number): boolean =>
  at === 0 || !WORD.test(text[at - 1] ?? "") || !WORD.test(text[at] ?? "");
const isWordEnd = (text: string, at: number): boolean =>
  at >= text.length || !WORD.test(text[at] ?? "") || !WORD.test(text[at - 1] ?? "");

/** Reads HTML as the content of an element, or as a whole page. */
export function parseFragment(html: string, isPage = false): readonly PlainNode[] {
  if (isPage) return toPlainNodes(parseHtml(html)) ?? [];
  const body = findElement(parseHtml(`<body>${html}`), ({ name }) => name === "body");
  return (body && toPlainNodes(body)) ?? [];
}

/** Paragraphs of a plain text, which pages show one by one. */
const splitLines = (text: string): string[] =>
  text.split(/\n+/).filter((line) => line.trim() !== "");

/** Returns the value at a path, or undefined. */
export function readPath(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (Array.isArray(at)) at = step === "length" ? at.length : (at as unknown[])[Number(step)];
    else if (typeof at === "string" && step === "lines") at = splitLines(at);
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}
