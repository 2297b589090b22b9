// Serializes values: as JSON for the page, as text for the console.
import { toBase64 } from "./encoding.ts";
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
  return JSON.stringify(value, function visit(this: unknown, key, part: unknown) {
    const whole = (this as Record<string, unknown>)[key];
    if (whole instanceof Binary) return { $binary: whole.base64 };
    if (whole instanceof Uint8Array) return { $binary: toBase64(whole) };
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
export function compileGlob(glob: string): RegExp {
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
export function compileUrlTest(
  host: Host,
  wanted: unknown,
  base: string,
): (url: string) => boolean {
  if (typeof wanted === "function") return (url) => Boolean(wanted(new PageUrl(host, url)));
  if (wanted instanceof RegExp) return (url) => wanted.test(url);
  const text = String(wanted);
  const parsed = text.includes("*") ? undefined : host.parseUrl(text, base);
  const full = parsed === undefined ? text : (JSON.parse(parsed) as { href: string }).href;
  const pattern = compileGlob(full);
  return (url) => pattern.test(url);
}

type UrlParts = Record<string, string> & { query: [string, string][] };

/** Pairs of a query, as `URLSearchParams`. Changes go to the URL that it belongs to. */
export class QueryPairs {
  pairs: [string, string][] = [];
  readonly onChange: (() => void) | undefined;

  constructor(given: unknown = "", onChange?: () => void) {
    this.onChange = onChange;
    if (typeof given === "string")
      for (const part of given.replace(/^\?/, "").split("&")) {
        if (part === "") continue;
        const at = part.indexOf("=");
        const decode = (text: string): string => {
          try {
            return decodeURIComponent(text.replaceAll("+", " "));
          } catch {
            return text;
          }
        };
        this.pairs.push(
          at < 0 ? [decode(part), ""] : [decode(part.slice(0, at)), decode(part.slice(at + 1))],
        );
      }
    else {
      const entries =
        given instanceof QueryPairs
          ? given.pairs
          : Array.isArray(given)
            ? (given as [unknown, unknown][])
            : Object.entries(given as Record<string, unknown>);
      this.pairs = entries.map(([name, value]) => [String(name), String(value)]);
    }
  }

  get size(): number {
    return this.pairs.length;
  }

  get(name: string): string | null {
    return this.pairs.find(([key]) => key === name)?.[1] ?? null;
  }

  getAll(name: string): string[] {
    return this.pairs.filter(([key]) => key === name).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.pairs.some(([key]) => key === name);
  }

  set(name: string, value: unknown): void {
    const at = this.pairs.findIndex(([key]) => key === name);
    const others = this.pairs.filter(([key], index) => key !== name || index === at);
    if (at < 0) others.push([name, String(value)]);
    this.pairs = others.map((pair) => (pair[0] === name ? [name, String(value)] : pair));
    this.onChange?.();
  }

  append(name: string, value: unknown): void {
    this.pairs.push([String(name), String(value)]);
    this.onChange?.();
  }

  delete(name: string): void {
    this.pairs = this.pairs.filter(([key]) => key !== name);
    this.onChange?.();
  }

  sort(): void {
    this.pairs.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
    this.onChange?.();
  }

  forEach(run: (value: string, name: string) => void): void {
    for (const [name, value] of this.pairs) run(value, name);
  }

  keys() {
    return this.pairs.map(([name]) => name)[Symbol.iterator]();
  }

  values() {
    return this.pairs.map(([, value]) => value)[Symbol.iterator]();
  }

  entries() {
    return this.pairs[Symbol.iterator]();
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  toString(): string {
    const escape = (text: string): string =>
      encodeURIComponent(text)
        .replaceAll("%20", "+")
        .replaceAll(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
    return this.pairs.map(([name, value]) => `${escape(name)}=${escape(value)}`).join("&");
  }
}

/** A URL as `URL`, parsed by the host. */
export class PageUrl {
  declare readonly href: string;
  readonly searchParams: QueryPairs;

  constructor(host: Host, text: string | PageUrl, base?: string | PageUrl) {
    const parse = (given: string, under?: string): UrlParts => {
      const parts = host.parseUrl(given, under);
      if (parts === undefined) throw new TypeError(`Invalid URL: ${given}`);
      return JSON.parse(parts) as UrlParts;
    };
    let parts = parse(String(text), base === undefined ? undefined : String(base));
    const searchParams = new QueryPairs(parts.query, () => {
      const query = searchParams.toString();
      parts = parse(write({ search: query === "" ? "" : `?${query}` }));
    });
    this.searchParams = searchParams;
    const write = (changes: Record<string, string>): string => {
      const {
        protocol,
        username,
        password,
        host: name,
        pathname,
        search,
        hash,
      } = { ...parts, ...changes };
      const login = username === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`;
      return `${protocol}//${login}${name}${pathname}${search}${hash}`;
    };
    const set = (name: string, value: string): void => {
      const sign = name === "search" ? "?" : name === "hash" ? "#" : "";
      const given = sign !== "" && value !== "" && !value.startsWith(sign) ? sign + value : value;
      if (name === "href") parts = parse(given);
      else if (name === "hostname")
        parts = parse(write({ host: parts["port"] === "" ? given : `${given}:${parts["port"]}` }));
      else if (name === "port")
        parts = parse(
          write({
            host: given === "" ? String(parts["hostname"]) : `${parts["hostname"]}:${given}`,
          }),
        );
      else if (name === "protocol")
        parts = parse(write({ protocol: given.endsWith(":") ? given : `${given}:` }));
      else
        parts = parse(
          write({ [name]: name === "pathname" && !given.startsWith("/") ? `/${given}` : given }),
        );
      searchParams.pairs = parts.query;
    };
    for (const name of [
      "href",
      "origin",
      "protocol",
      "username",
      "password",
      "host",
      "hostname",
      "port",
      "pathname",
      "search",
      "hash",
    ])
      Object.defineProperty(this, name, {
        enumerable: true,
        get: () => parts[name],
        ...(name === "origin" ? {} : { set: (value: unknown) => set(name, String(value)) }),
      });
  }

  toString(): string {
    return this.href;
  }

  toJSON(): string {
    return this.href;
  }
}
