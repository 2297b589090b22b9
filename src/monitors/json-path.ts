// JSON paths (RFC 9535) without filters and functions: names, indexes, slices, wildcards and
// descendants. Filters would run patterns of the caller without a time limit.
import { isObject } from "../runtime/is-object.ts";

type Selector =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "slice"; readonly from?: number; readonly to?: number; readonly step: number }
  | { readonly kind: "all" };
export type JsonPath = readonly {
  readonly isDescendant: boolean;
  readonly selectors: readonly Selector[];
}[];

const MAX_SEGMENTS = 50;
/** Maximum values that a path selects, also on the way. */
const MAX_NODES = 100_000;
const NAME = /[\p{L}_][\p{L}\p{N}_-]*/uy;
const BRACKET =
  /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\*)|(-?\d{1,9})?(?::(-?\d{1,9})?(?::(-?\d{1,9})?)?)?/uy;

/** Parses a path such as `$.items[*].price`; undefined for anything else. */
export function parseJsonPath(text: string): JsonPath | undefined {
  if (!text.startsWith("$")) return undefined;
  const path: { isDescendant: boolean; selectors: Selector[] }[] = [];
  for (let at = 1; at < text.length;) {
    if (path.length >= MAX_SEGMENTS) return undefined;
    const isDescendant = text.startsWith("..", at);
    if (isDescendant) at += 2;
    else if (text[at] === ".") at += 1;
    else if (text[at] !== "[") return undefined;
    if (text[at] === "[") {
      const found = parseBrackets(text, at + 1);
      if (found === undefined) return undefined;
      path.push({ isDescendant, selectors: found.selectors });
      at = found.end;
    } else if (text[at] === "*") {
      path.push({ isDescendant, selectors: [{ kind: "all" }] });
      at += 1;
    } else {
      NAME.lastIndex = at;
      const name = NAME.exec(text)?.[0];
      if (name === undefined) return undefined;
      path.push({ isDescendant, selectors: [{ kind: "name", name }] });
      at += name.length;
    }
  }
  return path;
}

/** Parses the selectors between brackets. */
function parseBrackets(
  text: string,
  start: number,
): { readonly selectors: Selector[]; readonly end: number } | undefined {
  const selectors: Selector[] = [];
  for (let at = start; ;) {
    while (text[at] === " ") at += 1;
    BRACKET.lastIndex = at;
    const found = BRACKET.exec(text);
    const selector = found === null ? undefined : toSelector(found);
    if (found === null || selector === undefined) return undefined;
    selectors.push(selector);
    at += found[0].length;
    while (text[at] === " ") at += 1;
    if (text[at] === "]") return { selectors, end: at + 1 };
    if (text[at] !== ",") return undefined;
    at += 1;
  }
}

function toSelector(found: RegExpExecArray): Selector | undefined {
  const [whole, single, double, all, first, to, step] = found;
  const name = single ?? double;
  if (name !== undefined) return { kind: "name", name: name.replaceAll(/\\(.)/gu, "$1") };
  if (all !== undefined) return { kind: "all" };
  if (whole === "") return undefined;
  if (!whole.includes(":")) return { kind: "index", index: Number(first) };
  const by = step === undefined ? 1 : Number(step);
  if (by < 1) return undefined;
  return {
    kind: "slice",
    step: by,
    ...(first !== undefined && { from: Number(first) }),
    ...(to !== undefined && { to: Number(to) }),
  };
}

/** Returns the values that the path selects, in the order of the document. */
export function selectJson(value: unknown, path: JsonPath): unknown[] {
  let values: unknown[] = [value];
  for (const { isDescendant, selectors } of path) {
    const from = isDescendant ? values.flatMap((each) => listDescendants(each)) : values;
    values = from
      .slice(0, MAX_NODES)
      .flatMap((each) => selectors.flatMap((selector) => select(each, selector)))
      .slice(0, MAX_NODES);
  }
  return values;
}

function select(value: unknown, selector: Selector): unknown[] {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (selector.kind === "all") return [...items];
    if (selector.kind === "index") {
      const index = selector.index < 0 ? items.length + selector.index : selector.index;
      return index in items ? [items[index]] : [];
    }
    if (selector.kind === "slice")
      return items
        .slice(selector.from, selector.to)
        .filter((_item, index) => index % selector.step === 0);
    return [];
  }
  if (!isObject(value)) return [];
  if (selector.kind === "all") return Object.values(value);
  return selector.kind === "name" && Object.hasOwn(value, selector.name)
    ? [value[selector.name]]
    : [];
}

/** The value and everything in it, without recursion: JSON may be deep. */
function listDescendants(value: unknown): unknown[] {
  const found: unknown[] = [];
  const left: unknown[] = [value];
  while (left.length > 0 && found.length < MAX_NODES) {
    const next = left.pop();
    found.push(next);
    const children = Array.isArray(next)
      ? (next as unknown[])
      : isObject(next)
        ? Object.values(next)
        : [];
    for (let index = children.length - 1; index >= 0; index--) left.push(children[index]);
  }
  return found;
}

/** Values by path: one value as it is, several as a list, null for none. */
export function selectPaths(value: unknown, paths: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    paths.map((text) => {
      const path = parseJsonPath(text);
      const found = path === undefined ? [] : selectJson(value, path);
      return [text, found.length > 1 ? found : (found[0] ?? null)];
    }),
  );
}
