// Parses JSON-LD as found on pages: with comments, trailing commas, raw line breaks and several
// graphs (JSON-LD 1.1, schema.org).
import { trimEndMatching } from "../../runtime/trim-end-matching.ts";
import { isObject } from "../../runtime/is-object.ts";
import { decodeLeftovers } from "../parse/decode-leftovers.ts";

export type LinkedNode = {
  readonly types: readonly string[];
  /**
   * Reads a property as strings, numbers or names of nested objects; never inherited properties.
   */
  readonly values: (property: string) => readonly unknown[];
};

type JsonObject = { readonly [key: string]: unknown };

const MAX_NODES = 3_000;

/**
 * Returns every typed object in the scripts, outer before inner, at most 3,000. Broken scripts are
 * repaired or skipped.
 */
export function readLinkedData(scripts: readonly string[]): LinkedNode[] {
  const queue: unknown[] = [];
  for (const script of scripts) queue.push(parseLoosely(script));
  const found: JsonObject[] = [];
  const byId = new Map<string, JsonObject>();
  for (let at = 0; at < queue.length && at < MAX_NODES; at++) {
    const value = queue[at];
    if (Array.isArray(value)) {
      for (const item of value.slice(0, MAX_NODES)) queue.push(item);
    } else if (isObject(value)) {
      const id = getOwn(value, "@id");
      if (typeof id === "string" && getOwn(value, "name") !== undefined && !byId.has(id))
        byId.set(id, value);
      if (getOwn(value, "@type") !== undefined) found.push(value);
      for (const key of Object.keys(value)) {
        const inner = value[key];
        if (typeof inner === "object" && inner !== null) queue.push(inner);
      }
    }
  }
  return found.map((object) => toNode(object, byId));
}

function toNode(object: JsonObject, byId: ReadonlyMap<string, JsonObject>): LinkedNode {
  const resolve = (value: unknown): unknown => {
    if (!isObject(value) || getOwn(value, "name") !== undefined) return value;
    const id = getOwn(value, "@id");
    return typeof id === "string" ? (byId.get(id) ?? value) : value;
  };
  return {
    types: list(getOwn(object, "@type"))
      .filter((type) => typeof type === "string")
      .map((type) => type.replace(/^.*[/#:]/, "")),
    values: (property) => list(getOwn(object, property)).map(resolve),
  };
}

/**
 * Returns the names in a property with strings or named objects, such as author or publisher;
 * those of objects of one type with `only`.
 */
export function listNames(
  node: LinkedNode,
  property: string,
  without?: RegExp,
  only?: string,
): string[] {
  const names: string[] = [];
  for (const value of node.values(property).slice(0, 20)) {
    if (only !== undefined && !(isObject(value) && list(getOwn(value, "@type")).includes(only)))
      continue;
    if (without !== undefined && isObject(value) && without.test(String(getOwn(value, "@type"))))
      continue;
    const given = isObject(value) ? list(getOwn(value, "name"))[0] : value;
    if (typeof given === "string" && given.trim() !== "") names.push(decodeLeftovers(given));
  }
  return names;
}

/** Returns the first string of a property. */
export function readLinkedText(node: LinkedNode, property: string): string | undefined {
  for (const value of node.values(property)) {
    if (typeof value === "string" && value.trim() !== "") return decodeLeftovers(value);
    if (typeof value === "number") return String(value);
  }
  return undefined;
}

/** Parses a JSON-LD script, repairing it if it is broken. Returns undefined if that fails. */
export function parseLoosely(script: string): unknown {
  const text = script.replace(
    /^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/,
    "",
  );
  const body = trimEndMatching(text, /[\s;]/)
    .replace(/(?:-->|\/\*\s{0,9}\]\]>\s{0,9}\*\/|(?:\/\/\s{0,9})?\]\]>)$/, "")
    .trim();
  return attempt(body) ?? attempt(repair(body));
}

function attempt(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_REPAIRED_CHARACTERS = 500_000;

// One string-aware pass: escapes control characters inside strings, drops comments outside and
// commas before a closing bracket.
function repair(text: string): string {
  if (text.length > MAX_REPAIRED_CHARACTERS) return "";
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    let end = at + 1;
    if (character === '"') {
      end = findStringEnd(text, at);
      parts.push(text.slice(at, end).replace(CONTROL, escapeControl));
    } else if (text.startsWith("/*", at)) {
      const close = text.indexOf("*/", at + 2);
      end = close < 0 ? text.length : close + 2;
    } else if (text.startsWith("//", at)) {
      const close = text.indexOf("\n", at);
      end = close < 0 ? text.length : close;
    } else if (character === "}" || character === "]") {
      if (parts.at(-1) === ",") parts.pop();
      parts.push(character);
    } else if (character > " ") {
      parts.push(character);
    }
    at = end;
  }
  return parts.join("");
}

function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, text.length);
}

const CONTROL = /[\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-f]{4})|\\/gi; // oxlint-disable-line no-control-regex

function escapeControl(piece: string): string {
  if (piece.length > 1) return piece;
  if (piece === "\\") return "\\\\";
  return piece === "\n" ? "\\n" : piece === "\t" ? "\\t" : " ";
}

function getOwn(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function list(value: unknown): unknown[] {
  return value === undefined || value === null
    ? []
    : Array.isArray(value)
      ? value.slice(0, 100)
      : [value];
}
