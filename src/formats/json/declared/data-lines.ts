// Machine-readable data of a page as lines for a language model: `d3 Product.offers.price: 184.00`.
import type { PageLine } from "../../../page-model/page-lines.ts";
import type { Leaf, Thing } from "./finding.ts";

const MAX_LINES = 400;
const MAX_DEPTH = 6;
/** Maximum listed values of one name. */
const MAX_VALUES = 40;
const MAX_VALUE_CHARACTERS = 2_000;
const ADDRESS = /^(?:https?:\/\/|\/(?!\/))\S+$/;

export type DataSource = {
  readonly things: readonly Thing[];
  /** Metadata of the page's head. */
  readonly page: Thing;
  readonly resolve: (written: string) => string;
};

/** `left`: values past the limit. */
export function readDataLines({ things, page, resolve }: DataSource): {
  readonly lines: readonly PageLine[];
  readonly left: number;
} {
  const lines: PageLine[] = [];
  const seen = new Set<Thing>();
  const written = new Set<string>();
  let left = 0;
  const add = (path: string, { value }: Leaf): void => {
    const words = String(value).trim().slice(0, MAX_VALUE_CHARACTERS);
    const key = `${path} ${words}`;
    if (words === "" || written.has(key)) return;
    if (lines.length >= MAX_LINES) {
      left += 1;
      return;
    }
    written.add(key);
    const ref = `d${lines.length + 1}`;
    const address = ADDRESS.test(words) ? { address: resolve(words) } : {};
    lines.push({
      text: `${ref} ${path}: ${words}`,
      places: [{ ref, words, ...address }],
      level: 0,
      isAside: false,
    });
  };
  const read = (thing: Thing, path: string, depth: number): void => {
    if (seen.has(thing)) return;
    seen.add(thing);
    for (const [name, values] of thing.fields)
      for (const value of values.slice(0, MAX_VALUES)) {
        const inner = `${path}.${name}`;
        if (value.kind === "leaf") add(inner, value);
        else if (depth < MAX_DEPTH) read(value, inner, depth + 1);
      }
  };
  read(page, "page", 0);
  // Outer things come before nested ones, which are read with them.
  for (const thing of things) read(thing, thing.types[0] ?? "data", 0);
  return { lines, left };
}
