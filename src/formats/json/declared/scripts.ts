// Reads data in a page's scripts: JSON-LD, and state that frameworks embed for hydration.
import { isTag, type Document, type Element } from "domhandler";
import { parseLoosely } from "../../../html/metadata/json-ld.ts";
import { readAttribute, getNextNode, readText } from "../../../html/parse/tree.ts";
import { type JsonSource } from "./from-json.ts";
import { isObject } from "../../../runtime/is-object.ts";

const MAX_SCRIPTS = 200;
const MAX_CHARACTERS = 4_000_000;

/** Returns every script with data, in page order. Unreadable ones are skipped. */
export function readScripts(document: Document): JsonSource[] {
  const found: JsonSource[] = [];
  const streamed: string[] = [];
  let seen = 0;
  for (
    let node = getNextNode(document, document);
    node !== null;
    node = getNextNode(node, document)
  ) {
    if (!isTag(node) || node.name !== "script") continue;
    seen += 1;
    if (seen > MAX_SCRIPTS) break;
    if (readAttribute(node, "src") !== "") continue;
    const text = readText(node);
    if (text.length > MAX_CHARACTERS) continue;
    found.push(...readScript(node, text, seen));
    for (const match of text.matchAll(/self\.__next_f\.push\(\[1,("(?:[^"\\]|\\.)*")\]\)/g)) {
      const part = parse(match[1] ?? "");
      if (typeof part === "string") streamed.push(part);
    }
  }
  if (streamed.length > 0) found.push(...readStreamed(streamed.join("")));
  return found;
}

function readScript(script: Element, text: string, nth: number): JsonSource[] {
  const type = readAttribute(script, "type").toLowerCase();
  const id = readAttribute(script, "id");
  const selector = id === "" ? `script:nth(${nth})` : `script#${id}`;
  if (type.includes("ld+json")) {
    const value = parseLoosely(text);
    return value === undefined
      ? []
      : [{ source: "json-ld", selector: `${selector}[ld+json]`, value }];
  }
  if (type.endsWith("json")) {
    const value = parse(text.trim());
    if (value === undefined) return [];
    return [{ source: "state", selector, value: id.startsWith("__NUXT") ? unpack(value) : value }];
  }
  if (type !== "" && !/javascript|module|babel/.test(type)) return [];
  return readAssignments(text).map((value) => ({ source: "state", selector, value }));
}

/**
 * Names are bounded and start at a word boundary, so that a long run of letters is scanned once.
 */
const ASSIGNMENT =
  /(?<![\w$])(?:__\w{1,40}?__|\w{0,40}?(?:STATE|DATA|PROPS|CACHE|State|Data|Props|Config)\w{0,20}|dataLayer)(?:["']\])?\s{0,5}=\s{0,5}(?=[{["]|JSON\.parse\()/g;
const MAX_ASSIGNMENTS = 20;

/** Returns the JSON values that a script assigns to state variables. */
function readAssignments(text: string): unknown[] {
  const found: unknown[] = [];
  for (const match of text.matchAll(ASSIGNMENT)) {
    if (found.length >= MAX_ASSIGNMENTS) break;
    const value = readValue(text, match.index + match[0].length);
    if (typeof value === "object" && value !== null) found.push(value);
  }
  return found;
}

function readValue(text: string, start: number): unknown {
  if (text.startsWith("JSON.parse(", start)) {
    const quoted = /^\(\s*("(?:[^"\\]|\\.)*")/.exec(text.slice(start + "JSON.parse".length));
    const inner = parse(quoted?.[1] ?? "");
    return typeof inner === "string" ? parse(inner) : undefined;
  }
  const end = endOfValue(text, start);
  if (end === undefined) return undefined;
  const written = text.slice(start, end);
  // Values that scripts use but JSON lacks.
  return (
    parse(written) ??
    parse(written.replaceAll(/([:[,]\s*)(?:undefined|void 0)(?=\s*[,}\]])/g, "$1null"))
  );
}

function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === "\\") at += 1;
    } else if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/** Rows of a streamed React page: "1a:{…}". Only those with JSON are kept. */
function readStreamed(text: string): JsonSource[] {
  const values = text
    .split("\n")
    .map((line) => /^[\da-f]+:(?:[A-Z]\w*,)?([[{].*)$/.exec(line)?.[1])
    .flatMap((json) => (json === undefined ? [] : [parse(json)]))
    .filter((value) => value !== undefined);
  return values.map((value) => ({ source: "state", selector: "script[__next_f]", value }));
}

/** Nuxt stores its state as a flat list of values that reference each other by index. */
function unpack(packed: unknown): unknown {
  if (!Array.isArray(packed)) return packed;
  const list = packed as unknown[];
  let left = 50_000;
  const read = (at: unknown, depth: number): unknown => {
    left -= 1;
    if (typeof at !== "number" || depth > 24 || left < 0) return undefined;
    const value = list[at];
    if (Array.isArray(value)) {
      const [first] = value as unknown[];
      // Wrappers such as ["Reactive", 1].
      if (typeof first === "string") return read(value[1], depth + 1);
      return (value as unknown[]).map((item) => read(item, depth + 1));
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, read(item, depth + 1)]),
    );
  };
  return read(0, 0);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
