// Paths of extractors: a small subset of CSS selectors, easy to read and matched in one pass over a
// page. `main > ul.items > li:nth-of-type(2) a[rel="author"]`; `.` is the page or record itself.

/** One element of a path. */
export type PathStep = {
  /** `child` of the element before; `descendant` anywhere below it. */
  readonly combinator: "child" | "descendant";
  /** Undefined for any element. */
  readonly tag?: string;
  readonly id?: string;
  readonly classes: readonly string[];
  readonly attributes: readonly { readonly name: string; readonly value?: string }[];
  /** Position among the siblings of the same tag, from 1; negative from the end. */
  readonly nth?: number;
};

export const MAX_PATH_CHARACTERS = 1_000;
export const MAX_PATH_STEPS = 24;

export type ParsedPath =
  | { readonly steps: readonly PathStep[] }
  /** Description of the syntax error and its position. */
  | { readonly fault: string };

const TAG = /^[a-zA-Z][\w-]{0,60}|^\*/;
const ID = /^#(-?[\p{L}_][\p{L}\d_-]{0,200})/u;
const CLASS = /^\.(-?[\p{L}_][\p{L}\d_-]{0,200})/u;
const ATTRIBUTE = /^\[([a-zA-Z_:][\w:.-]{0,100})(?:=(?:"([^"]{0,400})"|([\w-]{1,400})))?\]/;
const NTH = /^:nth-(last-)?of-type\((\d{1,5})\)/;
const COMBINATOR = /^ *(>) *|^ +/;

/** Parses a path; `.` has no steps. */
export function parsePath(text: string): ParsedPath {
  if (text === ".") return { steps: [] };
  if (text.length > MAX_PATH_CHARACTERS)
    return { fault: `has ${text.length} characters; the limit is ${MAX_PATH_CHARACTERS}` };
  const steps: PathStep[] = [];
  let rest = text.trim();
  let combinator: PathStep["combinator"] = "descendant";
  const leading = /^> */.exec(rest);
  if (leading !== null) {
    combinator = "child";
    rest = rest.slice(leading[0].length);
  }
  while (rest !== "") {
    if (steps.length >= MAX_PATH_STEPS)
      return { fault: `has more than ${MAX_PATH_STEPS} elements` };
    const read = parseStep(rest, combinator);
    if (read === undefined)
      return {
        fault: `cannot be read at ${JSON.stringify(rest.slice(0, 40))}; use tags, #id, .class, [attribute="value"], :nth-of-type(n), " > " and blanks`,
      };
    steps.push(read.step);
    ({ rest } = read);
    if (rest === "") break;
    const between = COMBINATOR.exec(rest);
    rest = rest.slice(between?.[0].length ?? 0);
    combinator = between?.[1] === ">" ? "child" : "descendant";
    if (between === null || rest === "")
      return { fault: `cannot be read at ${JSON.stringify(rest.slice(0, 40))}` };
  }
  return steps.length === 0 ? { fault: "is empty; . is the page or record itself" } : { steps };
}

function parseStep(
  text: string,
  combinator: PathStep["combinator"],
): { readonly step: PathStep; readonly rest: string } | undefined {
  let rest = text;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest);
    if (match !== null) rest = rest.slice(match[0].length);
    return match;
  };
  const tag = take(TAG)?.[0].toLowerCase();
  let id: string | undefined;
  let nth: number | undefined;
  const classes: string[] = [];
  const attributes: { name: string; value?: string }[] = [];
  for (;;) {
    const before = rest;
    id = take(ID)?.[1] ?? id;
    const className = take(CLASS)?.[1];
    if (className !== undefined) classes.push(className);
    const attribute = take(ATTRIBUTE);
    if (attribute !== null) {
      const [, name = "", quoted, bare] = attribute;
      const value = quoted ?? bare;
      attributes.push({ name: name.toLowerCase(), ...(value === undefined ? {} : { value }) });
    }
    const position = take(NTH);
    if (position !== null) nth = Number(position[2]) * (position[1] === undefined ? 1 : -1);
    if (rest === before) break;
  }
  if (rest === text || nth === 0) return undefined;
  return {
    rest,
    step: {
      combinator,
      classes,
      attributes,
      ...(tag === undefined || tag === "*" ? {} : { tag }),
      ...(id === undefined ? {} : { id }),
      ...(nth === undefined ? {} : { nth }),
    },
  };
}
