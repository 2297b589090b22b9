// Serializes values: as JSON for the page, as text for the console.
import type { Host } from "./host.ts";

/** Bytes of a picture as base64, with the Buffer methods that code commonly uses. */
export class Binary {
  readonly base64: string;

  constructor(base64: string) {
    this.base64 = base64;
  }

  get length(): number {
    const padding = this.base64.endsWith("==") ? 2 : this.base64.endsWith("=") ? 1 : 0;
    return (this.base64.length / 4) * 3 - padding;
  }

  toString(): string {
    return this.base64;
  }

  toJSON(): string {
    return this.base64;
  }
}

export function encode(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part instanceof RegExp) return { $regexp: [part.source, part.flags] };
    if (typeof part === "function") return { $function: String(part) };
    if (typeof part === "bigint") return String(part);
    return part;
  });
}

export function decode(json: string | undefined): unknown {
  if (json === undefined) return undefined;
  const value = JSON.parse(json) as unknown;
  if (typeof value === "object" && value !== null && "$binary" in value)
    return new Binary(String(value.$binary));
  return value;
}

/**
 * Formats a value as a console does: strings unchanged, objects as JSON, errors with their stack.
 */
export function show(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value === "function") return `[Function ${value.name || "anonymous"}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const seen: unknown[] = [];
  const text = JSON.stringify(
    value,
    function visit(this: unknown, _key, part: unknown) {
      while (seen.length > 0 && seen[seen.length - 1] !== this) seen.pop();
      if (typeof part === "bigint" || typeof part === "symbol") return String(part);
      if (typeof part === "function") return `[Function ${part.name}]`;
      if (part instanceof Map || part instanceof Set) return [...part];
      if (part instanceof Error) return `${part.name}: ${part.message}`;
      if (typeof part !== "object" || part === null) return part;
      if (seen.includes(part)) return "[Circular]";
      seen.push(part);
      return part;
    },
    2,
  ) as string | undefined;
  return text ?? "[object]";
}

/**
 * Compiles Playwright's URL globs: ** matches anything, * anything but a slash, {a,b} either.
 * Matching does not backtrack excessively.
 */
export function globPattern(glob: string): RegExp {
  let pattern = "";
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? "";
    if (character === "*" && glob[at + 1] === "*") {
      while (glob[at + 1] === "*") at++;
      pattern += ".*";
    } else if (character === "*") pattern += "[^/]*";
    else if (character === "{") {
      depth++;
      pattern += "(?:";
    } else if (character === "}" && depth > 0) {
      depth--;
      pattern += ")";
    } else if (character === "," && depth > 0) pattern += "|";
    else pattern += /[$^+.*()|\\?{}[\]]/.test(character) ? `\\${character}` : character;
  }
  return new RegExp(`^${pattern}$`);
}

/**
 * Compiles the argument of waitForURL and similar methods to a URL test. A relative glob is
 * resolved against `base`.
 */
export function urlTest(host: Host, wanted: unknown, base: string): (url: string) => boolean {
  if (typeof wanted === "function") return (url) => Boolean(wanted(new PageUrl(host, url)));
  if (wanted instanceof RegExp) return (url) => wanted.test(url);
  const text = String(wanted);
  const parsed = text.includes("*") ? undefined : host.parseUrl(text, base);
  const full = parsed === undefined ? text : (JSON.parse(parsed) as { href: string }).href;
  const pattern = globPattern(full);
  return (url) => pattern.test(url);
}

/** A URL parsed by the host. Its parts are strings, and its query can be read. */
export class PageUrl {
  readonly href: string = "";
  readonly query: readonly (readonly [string, string])[] = [];

  constructor(host: Host, text: string | PageUrl, base?: string | PageUrl) {
    const parts = host.parseUrl(String(text), base === undefined ? undefined : String(base));
    if (parts === undefined) throw new TypeError(`Invalid URL: ${String(text)}`);
    Object.assign(this, JSON.parse(parts));
  }

  get searchParams() {
    const { query } = this;
    const values = (name: string): string[] =>
      query.filter(([key]) => key === name).map(([, value]) => value);
    return {
      get: (name: string) => values(name)[0] ?? null,
      getAll: values,
      has: (name: string) => values(name).length > 0,
      entries: () => query[Symbol.iterator](),
      [Symbol.iterator]: () => query[Symbol.iterator](),
    };
  }

  toString(): string {
    return this.href;
  }

  toJSON(): string {
    return this.href;
  }
}
