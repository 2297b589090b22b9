// Parses data that scripts write as JavaScript literals: what devalue's `uneval` and
// serialize-javascript emit, and the functions with which Nuxt 2 names repeated values. Nothing is
// evaluated; other expressions end the parse.

const MAX_CHARACTERS = 4_000_000;
const MAX_DEPTH = 200;

/** Returns the value that starts at `start`, or undefined if it is not data. */
export function parseDataLiteral(text: string, start = 0): unknown {
  if (text.length - start > MAX_CHARACTERS) return undefined;
  try {
    return new LiteralParser(text, start).read(0);
  } catch (error) {
    if (error instanceof NotDataSignal) return undefined;
    throw error;
  }
}

class NotDataSignal extends Error {}

type Scope = ReadonlyMap<string, unknown>;

const IDENTIFIER = /[A-Za-z_$][\w$]*/y;
const NUMBER = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?n?/y;
const SPACE = /\s+/y;
const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
  ["NaN", null],
  ["Infinity", null],
]);

class LiteralParser {
  readonly #text: string;
  #at: number;
  #scope: Scope = CONSTANTS;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  read(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotDataSignal();
    this.#skipSpace();
    const sign = this.#text[this.#at];
    if (sign === "{") return this.#readObject(depth);
    if (sign === "[") return this.#readList("]", depth);
    if (sign === '"' || sign === "'" || sign === "`") return this.#readString(sign);
    if (sign === "(") return this.#readCall(depth);
    if (sign === "!") {
      this.#at += 1;
      return !this.read(depth + 1);
    }
    const number = this.#take(NUMBER);
    if (number !== undefined) return Number.parseFloat(number);
    const word = this.#take(IDENTIFIER);
    if (word === undefined) throw new NotDataSignal();
    if (word === "void") {
      this.read(depth + 1);
      return undefined;
    }
    if (word === "new") return this.#readNew(depth);
    if (word === "JSON") return this.#readJson();
    if (!this.#scope.has(word)) throw new NotDataSignal();
    return this.#scope.get(word);
  }

  #readObject(depth: number): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    this.#expect("{");
    while (!this.#accept("}")) {
      this.#skipSpace();
      const sign = this.#text[this.#at];
      const key =
        sign === '"' || sign === "'"
          ? this.#readString(sign)
          : (this.#take(IDENTIFIER) ?? this.#take(NUMBER));
      if (key === undefined) throw new NotDataSignal();
      const value = this.#accept(":") ? this.read(depth + 1) : this.#lookUp(key);
      if (key !== "__proto__") found[key] = value;
      if (!this.#accept(",")) {
        this.#expect("}");
        break;
      }
    }
    return found;
  }

  #lookUp(name: string): unknown {
    if (!this.#scope.has(name)) throw new NotDataSignal();
    return this.#scope.get(name);
  }

  #readList(end: "]" | ")", depth: number): unknown[] {
    const found: unknown[] = [];
    this.#at += 1;
    while (!this.#accept(end)) {
      if (this.#accept(",")) {
        found.push(undefined);
        continue;
      }
      found.push(this.read(depth + 1));
      if (!this.#accept(",")) {
        this.#expect(end);
        break;
      }
    }
    return found;
  }

  #readString(quote: string): string {
    const parts: string[] = [];
    let from = this.#at + 1;
    for (let at = from; ; at++) {
      const sign = this.#text[at];
      if (sign === undefined || (sign === "$" && quote === "`" && this.#text[at + 1] === "{"))
        throw new NotDataSignal();
      if (sign === quote) {
        parts.push(this.#text.slice(from, at));
        this.#at = at + 1;
        return parts.join("");
      }
      if (sign !== "\\") continue;
      parts.push(this.#text.slice(from, at));
      const [character, length] = readEscape(this.#text, at + 1);
      parts.push(character);
      at += length;
      from = at + 1;
    }
  }

  #readNew(depth: number): unknown {
    const name = this.#take(IDENTIFIER, true);
    this.#skipSpace();
    const [first] = this.#text[this.#at] === "(" ? this.#readList(")", depth) : [];
    if (name === "Date" && (typeof first === "string" || typeof first === "number")) {
      const date = new Date(first);
      return Number.isNaN(date.getTime()) ? null : date.toISOString();
    }
    if (name === "Set" && Array.isArray(first)) return first as unknown[];
    if (name === "Map" && Array.isArray(first))
      return Object.fromEntries(
        first.flatMap((entry) => (Array.isArray(entry) ? [[String(entry[0]), entry[1]]] : [])),
      );
    if (name === "URL" && typeof first === "string") return first;
    throw new NotDataSignal();
  }

  #readJson(): unknown {
    if (!this.#text.startsWith(".parse(", this.#at)) throw new NotDataSignal();
    this.#at += ".parse".length;
    const [text] = this.#readList(")", 0);
    try {
      return JSON.parse(String(text));
    } catch {
      throw new NotDataSignal();
    }
  }

  /** `(value)`, or `(function(a,b){a.c=b;return {…}}(1,2))` with the call inside or outside. */
  #readCall(depth: number): unknown {
    this.#expect("(");
    this.#skipSpace();
    if (!this.#text.startsWith("function", this.#at)) {
      const value = this.read(depth + 1);
      this.#expect(")");
      return value;
    }
    this.#at += "function".length;
    this.#expect("(");
    const names: string[] = [];
    while (!this.#accept(")")) {
      const name = this.#take(IDENTIFIER, true);
      if (name === undefined) throw new NotDataSignal();
      names.push(name);
      this.#accept(",");
    }
    this.#skipSpace();
    const body = this.#at;
    this.#skipBlock();
    const isOutside = this.#accept(")");
    this.#skipSpace();
    if (this.#text[this.#at] !== "(") throw new NotDataSignal();
    const values = this.#readList(")", depth);
    if (!isOutside) this.#expect(")");
    const end = this.#at;
    const outer = this.#scope;
    this.#scope = new Map([...outer, ...names.map((name, at) => [name, values[at]] as const)]);
    this.#at = body;
    const value = this.#readBody(depth);
    this.#scope = outer;
    this.#at = end;
    return value;
  }

  /** Assignments to members of the parameters, then the returned value. */
  #readBody(depth: number): unknown {
    this.#expect("{");
    for (;;) {
      const word = this.#take(IDENTIFIER, true);
      if (word === undefined) throw new NotDataSignal();
      if (word === "return") {
        const value = this.read(depth + 1);
        this.#accept(";");
        this.#expect("}");
        return value;
      }
      let owner: unknown;
      let value = this.#lookUp(word);
      let key = "";
      while (!this.#accept("=")) {
        owner = value;
        if (this.#accept(".")) key = this.#take(IDENTIFIER) ?? "";
        else if (this.#accept("[")) {
          key = String(this.read(depth + 1));
          this.#expect("]");
        } else throw new NotDataSignal();
        if (typeof owner !== "object" || owner === null || key === "__proto__")
          throw new NotDataSignal();
        value = (owner as Record<string, unknown>)[key];
      }
      if (owner === undefined) throw new NotDataSignal();
      (owner as Record<string, unknown>)[key] = this.read(depth + 1);
      if (!this.#accept(";")) this.#expect(",");
    }
  }

  /** Skips a block in braces. */
  #skipBlock(): void {
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text[this.#at];
      if (sign === '"' || sign === "'" || sign === "`") {
        this.#readString(sign);
        this.#at -= 1;
      } else if (sign === "{") depth += 1;
      else if (sign === "}") {
        depth -= 1;
        if (depth === 0) {
          this.#at += 1;
          return;
        }
      }
    }
    throw new NotDataSignal();
  }

  #skipSpace(): void {
    this.#take(SPACE);
  }

  #take(pattern: RegExp, skipsSpace = false): string | undefined {
    if (skipsSpace) this.#skipSpace();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  #accept(sign: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#accept(sign)) throw new NotDataSignal();
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  0: "\0",
  "\n": "",
};

/** Returns the character of an escape whose letter is at `at`, and the length behind the backslash. */
function readEscape(text: string, at: number): [string, number] {
  const letter = text[at];
  if (letter === undefined) throw new NotDataSignal();
  if (letter === "u" && text[at + 1] === "{") {
    const end = text.indexOf("}", at);
    const code = Number.parseInt(text.slice(at + 2, end), 16);
    if (end < 0 || !(code <= 0x10ffff)) throw new NotDataSignal();
    return [String.fromCodePoint(code), end - at + 1];
  }
  const digits = letter === "u" ? 4 : letter === "x" ? 2 : 0;
  if (digits === 0) return [ESCAPES[letter] ?? letter, 1];
  const hex = text.slice(at + 1, at + 1 + digits);
  if (hex.length < digits || !/^[\da-f]+$/i.test(hex)) throw new NotDataSignal();
  return [String.fromCharCode(Number.parseInt(hex, 16)), 1 + digits];
}
