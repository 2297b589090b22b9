// Describes one invalid field of a request: which value, what is allowed, what was probably meant.
import type { z } from "zod";
import { findPresentName } from "./accepted-aliases.ts";
import { findKnownKeys, findValue } from "./known-keys.ts";
import { findNearestName } from "./nearest-name.ts";

export type ZodIssue = z.core.$ZodIssue;

/** The validated value and schema, if known, for suggestions. */
export type CheckedValue = {
  readonly schema?: z.core.$ZodType | undefined;
  readonly value?: unknown;
};

/** Limits the size of the response: keys listed, characters of quoted text. */
export const MAX_LISTED = 20;
const MAX_NAME_CHARACTERS = 100;
const MAX_EXAMPLE_CHARACTERS = 60;

export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}…`;
}

export const shortenName = (name: string): string => shorten(name, MAX_NAME_CHARACTERS);

/** Aliases of values. */
const VALUE_ALIASES: ReadonlyMap<string, string> = new Map([
  ["md", "markdown"],
  ["raw", "rawHtml"],
]);

/** Aliases of fields, in order of preference. */
const KEY_ALIASES: ReadonlyMap<string, readonly string[]> = new Map([
  ["q", ["query", "search"]],
  ["query", ["search", "prompt"]],
  ["search", ["query"]],
  ["instructions", ["prompt"]],
]);

/** Suggests a fix for an unknown key; empty if there is none. */
function suggestKey(key: string, path: readonly PropertyKey[], checked: CheckedValue): string {
  const { schema, value } = checked;
  const known = schema === undefined ? undefined : findKnownKeys(schema, path, value);
  const present = findPresentName(key);
  // `sitemap: "skip"` is written with the field sitemap.
  const [field = ""] = /^\w+/.exec(present ?? "") ?? [];
  if (present !== undefined && (known === undefined || known.has(field)))
    return ` (write ${present})`;
  if (known === undefined) return "";
  if (key === "scrapeOptions" && known.has("formats")) return " (put its fields beside it)";
  if (schema !== undefined && known.has("scrapeOptions")) {
    if (findKnownKeys(schema, [...path, "scrapeOptions"], value).has(key))
      return " (put it into scrapeOptions)";
  }
  const alias = KEY_ALIASES.get(key.toLowerCase())?.find((name) => known.has(name));
  const nearest = alias ?? findNearestName(key, known);
  return nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
}

/** Names the unknown keys of an issue, with suggestions and their object. */
export function describeUnknownKeys(
  { keys, path }: z.core.$ZodIssueUnrecognizedKeys,
  checked: CheckedValue,
): string {
  const named = keys
    .slice(0, MAX_LISTED)
    .map((key) => `${JSON.stringify(shortenName(key))}${suggestKey(key, path, checked)}`);
  const more = keys.length > named.length ? ` and ${keys.length - named.length} more` : "";
  const place = path.length === 0 ? "" : ` in ${formatField(path)}`;
  return `${named.join(", ")}${more}${place}`;
}

/** Returns the message of our own schema; undefined for the library's. */
function readOwnMessage({ message }: ZodIssue): string | undefined {
  return message.startsWith("Invalid ") ? undefined : message;
}

export function formatField(path: readonly PropertyKey[]): string {
  let name = "";
  for (const part of path)
    name +=
      typeof part === "number"
        ? `[${part}]`
        : `${name === "" ? "" : "."}${shortenName(String(part))}`;
  return name === "" ? "the body" : name;
}

function describeSize(origin: string, bound: number | bigint): string {
  if (origin === "string") return bound === 1 ? " character" : " characters";
  if (origin !== "array" && origin !== "set") return "";
  return bound === 1 ? " entry" : " entries";
}

const formatChoices = (values: readonly unknown[]): string =>
  `must be ${values.length === 1 ? "" : "one of "}${values.map((value) => JSON.stringify(value)).join(", ")}`;

/** Suggests the closest of `options`; empty if none is close. */
function suggestValue(given: unknown, options: readonly unknown[]): string {
  if (typeof given !== "string") return "";
  const names = options.filter((option) => typeof option === "string");
  const alias = VALUE_ALIASES.get(given.toLowerCase());
  const meant =
    alias !== undefined && names.includes(alias) ? alias : findNearestName(given, names);
  return meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`;
}

const TYPES: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  int: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

const describeExpectedType = (type: string): string =>
  (Object.hasOwn(TYPES, type) ? TYPES[type] : undefined) ?? type;

function describeType(issue: z.core.$ZodIssueInvalidType, value: unknown): string {
  const received = /received (\w+)$/.exec(issue.message)?.[1] ?? "undefined";
  const isWhole = issue.path.length === 0;
  if (received === "undefined")
    return isWhole
      ? "is required: send a JSON object with the header Content-Type: application/json"
      : "is required";
  if (issue.expected === "array" && typeof value === "string") {
    const example = JSON.stringify([value]);
    if (example.length <= MAX_EXAMPLE_CHARACTERS) return `must be an array, such as ${example}`;
  }
  const wanted = describeExpectedType(issue.expected);
  // A fraction, or NaN.
  if (received === "number" || received === "NaN") return `must be ${wanted}`;
  return `must be ${wanted}, not ${describeExpectedType(received)}`;
}

/** True if the text already names the field. */
function isNamed(text: string, path: readonly PropertyKey[]): boolean {
  const names = path.filter((part) => typeof part === "string");
  return (
    names.length === 0 || names.some((name) => text.toLowerCase().includes(name.toLowerCase()))
  );
}

/** Returns the issue as a sentence that starts with the field. */
export function toMessage(issue: ZodIssue, checked: CheckedValue): string {
  const field = formatField(issue.path);
  const value = findValue(checked.value, issue.path);
  switch (issue.code) {
    case "custom":
      return isNamed(issue.message, issue.path) ? issue.message : `${issue.message} (${field})`;
    case "invalid_type":
      return `${field} ${describeType(issue, value)}`;
    case "unrecognized_keys":
      return `unrecognized ${issue.keys.length === 1 ? "key" : "keys"} ${describeUnknownKeys(issue, checked)}`;
    case "too_big":
      return `${field} must ${issue.origin === "array" ? "have" : "be"} ${issue.inclusive === false ? "less than" : "at most"} ${String(issue.maximum)}${describeSize(issue.origin, issue.maximum)}`;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return `${field} must not be empty`;
      return `${field} must ${issue.origin === "array" ? "have" : "be"} ${issue.inclusive === false ? "more than" : "at least"} ${String(issue.minimum)}${describeSize(issue.origin, issue.minimum)}`;
    case "invalid_value":
      return `${field} ${readOwnMessage(issue) ?? formatChoices(issue.values)}${suggestValue(value, issue.values)}`;
    case "invalid_format":
      if (readOwnMessage(issue)?.startsWith(field) === true) return issue.message;
      return `${field} ${readOwnMessage(issue) ?? `must be a valid ${issue.format === "uuid" ? "UUID" : issue.format}`}`;
    case "invalid_union": {
      if (issue.discriminator === undefined) return `${field} does not fit any allowed form`;
      const options = "options" in issue ? (issue.options ?? []) : [];
      if (value === undefined)
        return `${field} is required and ${readOwnMessage(issue) ?? formatChoices(options)}`;
      return `${field} ${readOwnMessage(issue) ?? formatChoices(options)}${suggestValue(value, options)}`;
    }
    default:
      return `${field}: ${issue.message.replace(/^Invalid input: /, "")}`;
  }
}
