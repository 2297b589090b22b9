// Validates a value against a JSON Schema. The schema is interpreted, never compiled, because it
// comes from callers. Patterns run in linear time. Source: JSON Schema 2020-12 core and validation,
// with draft-07 spellings. Unknown keywords and formats are annotations.
import { RE2JS } from "re2js";
import { escape } from "./pointer.ts";
import { resolveReference } from "./dereference.ts";
import { isObject } from "../is-object.ts";

type Node = Readonly<Record<string, unknown>>;

/** A fault with its location in the value (JSON pointer, RFC 6901). */
export type SchemaFault = { readonly pointer: string; readonly message: string };

const MAX_FAULTS = 100;
const MAX_STEPS = 200_000;
const MAX_DEPTH = 60;
/**
 * Pattern instructions times text characters: half a second, two on a slow machine. Patterns beyond
 * this budget are not checked.
 */
const MAX_MATCH_STEPS = 10_000_000;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Returns every fault, at most `max`; none if the value fits. */
export function validate(schema: Node, value: unknown, max = MAX_FAULTS): SchemaFault[] {
  return new Validator(schema, max).run(value);
}

class Validator {
  readonly #root: Node;
  readonly #max: number;
  readonly #patterns = new Map<string, RE2JS | undefined>();
  #matching = 0;
  #steps = 0;

  constructor(root: Node, max: number) {
    this.#root = root;
    this.#max = max;
  }

  run(value: unknown): SchemaFault[] {
    const faults: SchemaFault[] = [];
    this.#check(this.#root, value, "", faults, 0);
    return faults;
  }

  #fits(schema: unknown, value: unknown, depth: number): boolean {
    const faults: SchemaFault[] = [];
    this.#check(schema, value, "", faults, depth);
    return faults.length === 0;
  }

  #check(
    schema: unknown,
    value: unknown,
    pointer: string,
    faults: SchemaFault[],
    depth: number,
  ): void {
    this.#steps += 1;
    if (schema === true || faults.length >= this.#max) return;
    const add = (message: string, at = pointer): void => {
      if (faults.length < this.#max) faults.push({ pointer: at, message });
    };
    if (schema === false) return add("is not allowed");
    if (!isObject(schema) || depth > MAX_DEPTH || this.#steps > MAX_STEPS) return;
    const { $ref: reference } = schema;
    if (typeof reference === "string")
      this.#check(resolveReference(this.#root, reference), value, pointer, faults, depth + 1);
    const mismatch = findTypeFault(schema, value);
    if (mismatch !== undefined) return add(mismatch);
    this.#checkAlternatives(schema, value, pointer, faults, depth, add);
    if (typeof value === "string")
      for (const fault of this.#findTextFaults(schema, value)) add(fault);
    else if (typeof value === "number")
      for (const fault of listNumberFaults(schema, value)) add(fault);
    else if (isList(value)) this.#checkList(schema, value, pointer, faults, depth, add);
    else if (isObject(value)) this.#checkObject(schema, value, pointer, faults, depth, add);
  }

  #checkAlternatives(
    schema: Node,
    value: unknown,
    pointer: string,
    faults: SchemaFault[],
    depth: number,
    add: (message: string) => void,
  ): void {
    const { allOf, anyOf, oneOf, not } = schema;
    if (isList(allOf))
      for (const part of allOf) this.#check(part, value, pointer, faults, depth + 1);
    if (isList(anyOf) && !anyOf.some((part) => this.#fits(part, value, depth + 1)))
      add("matches none of the alternatives");
    if (isList(oneOf)) {
      const fitting = oneOf.filter((part) => this.#fits(part, value, depth + 1)).length;
      if (fitting !== 1)
        add(
          fitting === 0 ? "matches none of the alternatives" : "matches more than one alternative",
        );
    }
    if (not !== undefined && this.#fits(not, value, depth + 1)) add("is excluded by the schema");
    if (schema["if"] !== undefined) {
      const branch = this.#fits(schema["if"], value, depth + 1) ? schema["then"] : schema["else"];
      if (branch !== undefined) this.#check(branch, value, pointer, faults, depth + 1);
    }
  }

  #checkList(
    schema: Node,
    value: readonly unknown[],
    pointer: string,
    faults: SchemaFault[],
    depth: number,
    add: (message: string) => void,
  ): void {
    const { minItems, maxItems, uniqueItems, items } = schema;
    if (typeof minItems === "number" && value.length < minItems)
      add(`must have at least ${minItems} items`);
    if (typeof maxItems === "number" && value.length > maxItems)
      add(`must have at most ${maxItems} items`);
    if (
      uniqueItems === true &&
      new Set(value.map((item) => JSON.stringify(item))).size < value.length
    )
      add("must not repeat an item");
    // Draft-07 has tuples as a list in items, and the rest in additionalItems.
    const places = isList(schema["prefixItems"])
      ? schema["prefixItems"]
      : isList(items)
        ? items
        : [];
    const rest = isList(items) ? schema["additionalItems"] : items;
    for (const [at, item] of value.entries()) {
      const inner = at < places.length ? places[at] : rest;
      if (inner !== undefined) this.#check(inner, item, `${pointer}/${at}`, faults, depth + 1);
    }
    if (
      schema["contains"] !== undefined &&
      !value.some((item) => this.#fits(schema["contains"], item, depth + 1))
    )
      add("lacks a required item");
  }

  #checkObject(
    schema: Node,
    value: Node,
    pointer: string,
    faults: SchemaFault[],
    depth: number,
    add: (message: string, at?: string) => void,
  ): void {
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const patterns = isObject(schema["patternProperties"])
      ? Object.entries(schema["patternProperties"])
      : [];
    for (const name of isList(schema["required"]) ? schema["required"] : [])
      if (typeof name === "string" && !Object.hasOwn(value, name)) add(`lacks ${name}`);
    for (const [name, inner] of Object.entries(value)) {
      const at = `${pointer}/${escape(name)}`;
      const matching = patterns.filter(([pattern]) => this.#matches(pattern, name));
      if (Object.hasOwn(properties, name))
        this.#check(properties[name], inner, at, faults, depth + 1);
      for (const [, part] of matching) this.#check(part, inner, at, faults, depth + 1);
      const isKnown = Object.hasOwn(properties, name) || matching.length > 0;
      const { additionalProperties } = schema;
      if (isKnown || additionalProperties === undefined) continue;
      if (additionalProperties === false) add("is not allowed by the schema", at);
      else this.#check(additionalProperties, inner, at, faults, depth + 1);
    }
    const count = Object.keys(value).length;
    const { minProperties, maxProperties } = schema;
    if (typeof minProperties === "number" && count < minProperties)
      add(`must have at least ${minProperties} properties`);
    if (typeof maxProperties === "number" && count > maxProperties)
      add(`must have at most ${maxProperties} properties`);
  }

  #findTextFaults(schema: Node, value: string): string[] {
    const { minLength, maxLength, pattern, format } = schema;
    const faults: string[] = [];
    // Length counts code points (JSON Schema validation, section 6.3).
    const length = value.replaceAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, "_").length;
    if (typeof minLength === "number" && length < minLength)
      faults.push(`must have at least ${minLength} characters`);
    if (typeof maxLength === "number" && length > maxLength)
      faults.push(`must have at most ${maxLength} characters`);
    if (typeof pattern === "string" && !this.#matches(pattern, value))
      faults.push(`must match ${pattern}`);
    const check =
      typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
    if (check !== undefined && !check(value)) faults.push(`must be a ${String(format)}`);
    return faults;
  }

  /** Patterns that the linear engine does not support, such as lookbehind, are not checked. */
  #matches(pattern: string, text: string): boolean {
    if (!this.#patterns.has(pattern)) this.#patterns.set(pattern, compile(pattern));
    const compiled = this.#patterns.get(pattern);
    if (compiled === undefined) return true;
    this.#matching += compiled.programSize() * text.length;
    return this.#matching > MAX_MATCH_STEPS || compiled.matcher(text).find();
  }
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

function findTypeFault(schema: Node, value: unknown): string | undefined {
  const { type } = schema;
  if (value === null && schema["nullable"] === true) return undefined;
  const types = isList(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.some((name) => isOfType(value, name)))
    return `must be ${types.join(" or ")}`;
  const key = JSON.stringify(value);
  if (isList(schema["enum"]) && !schema["enum"].some((entry) => JSON.stringify(entry) === key))
    return `must be one of ${JSON.stringify(schema["enum"]).slice(0, 200)}`;
  if (Object.hasOwn(schema, "const") && JSON.stringify(schema["const"]) !== key)
    return `must be ${JSON.stringify(schema["const"]).slice(0, 200)}`;
  return undefined;
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return isList(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type && (type !== "number" || Number.isFinite(value));
  }
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  "date-time": (text) =>
    /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/.test(text) &&
    !Number.isNaN(Date.parse(text)),
  time: (text) => /^\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})?$/.test(text),
  email: (text) => text.length <= 320 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  uri: (text) => /^[a-z][a-z\d+.-]*:/i.test(text) && URL.canParse(text),
  url: (text) => URL.canParse(text),
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  ipv4: (text) =>
    /^(?:\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split(".").every((part) => Number(part) < 256),
};

function listNumberFaults(schema: Node, value: number): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const faults: string[] = [];
  if (typeof minimum === "number" && value < minimum) faults.push(`must be ${minimum} or more`);
  if (typeof maximum === "number" && value > maximum) faults.push(`must be ${maximum} or less`);
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    faults.push(`must be more than ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    faults.push(`must be less than ${exclusiveMaximum}`);
  if (
    typeof multipleOf === "number" &&
    multipleOf > 0 &&
    Math.abs(value / multipleOf - Math.round(value / multipleOf)) > 1e-9
  )
    faults.push(`must be a multiple of ${multipleOf}`);
  return faults;
}
