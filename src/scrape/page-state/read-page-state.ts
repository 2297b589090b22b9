// Reads the data that a page's HTML carries for its scripts, by name: JSON scripts, variables,
// React's flight rows, streams of React Router, Astro islands, attributes such as Inertia's.
import { isTag, type Document, type Element } from "domhandler";
import { parseLoosely } from "../../html/metadata/json-ld.ts";
import { getNextNode, readAttribute, readText } from "../../html/parse/tree.ts";
import { isObject } from "../../runtime/is-object.ts";
import { parseDataLiteral } from "./data-literal.ts";
import { normalizeState, type State } from "./normalize-state.ts";

const MAX_CHARACTERS = 2_000_000;
const MAX_SOURCES = 60;

/**
 * Returns the page's data, and the parts of its URL under `url`. Undefined if the HTML carries no
 * data.
 */
export function readPageState(document: Document, url: URL): State | undefined {
  const sources: Record<string, unknown> = {};
  const streams = new Map<string, string[]>();
  let count = 0;
  let characters = 0;
  const add = (name: string, value: unknown): void => {
    if (typeof value !== "object" || value === null || count >= MAX_SOURCES) return;
    count += 1;
    let free = name;
    for (let at = 2; Object.hasOwn(sources, free); at++) free = `${name} ${at}`;
    sources[free] = value;
  };
  for (
    let node = getNextNode(document, document);
    node !== null;
    node = getNextNode(node, document)
  ) {
    if (!isTag(node)) continue;
    if (node.name !== "script") {
      for (const [name, value] of readElement(node)) add(name, value);
      continue;
    }
    if (readAttribute(node, "src") !== "") continue;
    const text = readText(node);
    characters += text.length;
    if (characters > MAX_CHARACTERS) return undefined;
    readScript(node, text, add);
    collectStreams(text, streams);
  }
  for (const [name, parts] of streams)
    for (const [row, value] of STREAMS[name]?.(parts.join("")) ?? []) add(`${name} ${row}`, value);
  if (count === 0) return undefined;
  return normalizeState({ ...sources, url: readUrl(url) });
}

function readUrl(url: URL): object {
  const segments = url.pathname.split("/").filter((part) => part !== "");
  return {
    href: url.href,
    path: url.pathname,
    segments: segments.map(decode),
    query: Object.fromEntries(url.searchParams),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Add = (name: string, value: unknown) => void;

function readScript(script: Element, text: string, add: Add): void {
  const type = readAttribute(script, "type").toLowerCase();
  const id = readAttribute(script, "id");
  if (type.includes("ld+json")) {
    const value = parseLoosely(text);
    const kind = isObject(value) && typeof value["@type"] === "string" ? value["@type"] : "";
    add(`ld ${kind}`, Array.isArray(value) ? { list: value } : value);
    return;
  }
  if (type.endsWith("json")) {
    const value = parseJson(text);
    add(id === "" ? "json" : `#${id}`, id.startsWith("__NUXT") ? unpackDevalue(value) : value);
    return;
  }
  if (type === "" || /javascript|module|babel/.test(type)) readVariables(text, add);
}

/** `window.name = {…}`, `const name = […]`, and the `data:` of SvelteKit's start options. */
const VARIABLE =
  /(?:(?<![\w$.])(?:window|self|globalThis)(?:\.([A-Za-z_$][\w$]{0,80})|\[["']([^"']{1,80})["']\])|\b(?:var|let|const)\s{1,5}([A-Za-z_$][\w$]{0,80}))\s{0,5}=\s{0,5}(?=[{[(]|JSON\.parse\()|\b(data):\s{0,5}(?=\[)/g;
const MAX_VARIABLES = 20;

function readVariables(text: string, add: Add): void {
  let found = 0;
  for (const match of text.matchAll(VARIABLE)) {
    if (found >= MAX_VARIABLES) return;
    const value = parseDataLiteral(text, match.index + match[0].length);
    if (typeof value !== "object" || value === null) continue;
    found += 1;
    const [, member, quoted, declared, property] = match;
    add(member ?? quoted ?? declared ?? property ?? "", Array.isArray(value) ? { value } : value);
  }
}

const CALLS: readonly (readonly [string, RegExp])[] = [
  ["flight", /self\.__next_f\.push\(\[1,\s{0,3}("(?:[^"\\]|\\.)*")\]\)/g],
  ["router", /__reactRouterContext\.streamController\.enqueue\(("(?:[^"\\]|\\.)*")\)/g],
];

function collectStreams(text: string, streams: Map<string, string[]>): void {
  for (const [name, call] of CALLS)
    for (const [, quoted = ""] of text.matchAll(call)) {
      const part = parseJson(quoted);
      if (typeof part !== "string") continue;
      const parts = streams.get(name) ?? [];
      parts.push(part);
      streams.set(name, parts);
    }
}

const STREAMS: Readonly<Record<string, (text: string) => [string, unknown][]>> = {
  flight: (text) => {
    const rows = readFlight(text);
    return [["rows", rows]];
  },
  router: (text) => {
    const [first = ""] = text.split("\n", 1);
    return [["data", unpackTurbo(parseJson(first))]];
  },
};

/**
 * Rows of React's flight format, `1a:{…}`; a text row `1b:T1f,…` has its length in bytes. Their
 * numbers change with each build, so the values are listed in order.
 */
function readFlight(text: string): unknown[] {
  const bytes = Buffer.from(text, "utf8");
  const found: unknown[] = [];
  for (let at = 0; at < bytes.length;) {
    const colon = bytes.indexOf(58, at);
    if (colon < 0) break;
    const sign = String.fromCharCode(bytes[colon + 1] ?? 0);
    if (sign === "T") {
      const comma = bytes.indexOf(44, colon);
      const length = Number.parseInt(bytes.toString("latin1", colon + 2, comma), 16);
      if (comma < 0 || !(length >= 0)) break;
      at = comma + 1 + length;
      found.push(bytes.toString("utf8", comma + 1, at));
      continue;
    }
    const newline = bytes.indexOf(10, colon);
    const end = newline < 0 ? bytes.length : newline;
    if (sign === "{" || sign === "[") {
      const value = parseJson(bytes.toString("utf8", colon + 1, end));
      if (typeof value === "object" && value !== null) found.push(value);
    }
    at = end + 1;
  }
  return found;
}

function readElement(element: Element): [string, unknown][] {
  const found: [string, unknown][] = [];
  if (element.name === "astro-island") {
    const props = parseJson(readAttribute(element, "props"));
    if (isObject(props)) {
      const values = Object.entries(props).map(([key, value]) => [key, unpackIsland(value)]);
      found.push(["island", Object.fromEntries(values)]);
    }
    return found;
  }
  for (const [name, value] of Object.entries(element.attribs))
    if (name.startsWith("data-") && /^\s{0,5}[{[]\s{0,5}["{[]/.test(value)) {
      const parsed = parseJson(value);
      if (typeof parsed === "object") found.push([name, parsed]);
    }
  return found;
}

/** Astro writes each property as `[type, value]`: 1 is a list, 3 a date, 0 anything plain. */
function unpackIsland(written: unknown, depth = 0): unknown {
  if (!Array.isArray(written) || depth > 40) return undefined;
  const [type, value] = written as unknown[];
  if (type === 1 || type === 5)
    return Array.isArray(value) ? value.map((item) => unpackIsland(item, depth + 1)) : undefined;
  if (type === 0 && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, unpackIsland(item, depth + 1)]),
    );
  return value;
}

const MAX_VALUES = 60_000;
const MAX_DEPTH = 60;

/** Nuxt's list of values that reference each other by index, with wrappers such as ["Ref", 1]. */
function unpackDevalue(packed: unknown): unknown {
  return unpack(packed, (value, read) => {
    const [first, second] = value;
    if (typeof first !== "string") return undefined;
    return first === "Date" || first === "URL" ? { value: second } : { value: read(second) };
  });
}

/** React Router's list of values: keys are `_3`, wrappers are such as ["D", 1700000000000]. */
function unpackTurbo(packed: unknown): unknown {
  return unpack(packed, ([first, second], read) => {
    if (typeof first !== "string") return undefined;
    if (first === "D" && typeof second === "number")
      return { value: new Date(second).toISOString() };
    if (first === "P" || first === "Z") return { value: read(second) };
    return { value: second };
  });
}

type ReadWrapped = (
  value: readonly unknown[],
  read: (at: unknown) => unknown,
) => { readonly value: unknown } | undefined;

function unpack(packed: unknown, readWrapped: ReadWrapped): unknown {
  if (!Array.isArray(packed)) return undefined;
  const list = packed as unknown[];
  let left = MAX_VALUES;
  const read = (at: unknown, depth: number): unknown => {
    left -= 1;
    if (typeof at !== "number" || at < 0 || depth > MAX_DEPTH || left < 0) return undefined;
    const value = list[at];
    if (Array.isArray(value))
      return (
        readWrapped(value, (inner) => read(inner, depth + 1)) ?? {
          value: value.map((item) => read(item, depth + 1)),
        }
      ).value;
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const known = /^_(\d+)$/.exec(key);
        const name = known === null ? key : String(list[Number(known[1])]);
        return [name, read(item, depth + 1)];
      }),
    );
  };
  return read(0, 0);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
