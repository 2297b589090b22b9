// Where a text stops being JSON. Browsers name the place in some messages only. Pure.
const BLANK = /[ \t\n\r]*/y;
/** Any character of a text value but quotes, backslashes and control characters (RFC 8259 §7). */
const TEXT = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y;
const OTHER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Returns the end of the match at `from`; undefined without one. */
function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/**
 * Returns the offset of the first character that cannot follow, or the length of a text that ends
 * too early; undefined for JSON. A broken text value is reported at its start.
 */
export function findJsonFault(text: string): number | undefined {
  const open: string[] = [];
  /** `first` allows the end of an empty list or object. */
  let expected: "value" | "first" | "name" | "next" = "value";
  let at = 0;
  for (;;) {
    at = endOf(BLANK, text, at) ?? at;
    const character = text.charAt(at);
    const closing = open.at(-1);
    if (expected === "next" || (expected === "first" && character === closing)) {
      if (closing === undefined) return at === text.length ? undefined : at;
      if (character !== closing && character !== ",") return at;
      if (character === closing) open.pop();
      else expected = closing === "}" ? "name" : "value";
      if (character === closing) expected = "next";
      at += 1;
    } else if (expected === "name" || (expected === "first" && closing === "}")) {
      const end = endOf(TEXT, text, at);
      if (end === undefined) return at;
      at = endOf(BLANK, text, end) ?? end;
      if (text.charAt(at) !== ":") return at;
      at += 1;
      expected = "value";
    } else {
      const opened = CLOSING[character];
      if (opened === undefined) {
        const end = endOf(TEXT, text, at) ?? endOf(OTHER, text, at);
        if (end === undefined) return at;
        at = end;
        expected = "next";
      } else {
        open.push(opened);
        at += 1;
        expected = "first";
      }
    }
  }
}
