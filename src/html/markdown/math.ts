// Recovers the TeX source of formulas: MathML annotations, KaTeX, MathJax, Wikipedia, images of
// formulas. https://www.w3.org/TR/mathml-core/, https://docs.mathjax.org/
import { type Element, isTag, isText } from "domhandler";
import { readAttribute, findElement, foldSpace, hasAttribute, readText } from "../parse/tree.ts";
import { convertMathmlToTex } from "./mathml.ts";

export type Formula = { readonly tex: string; readonly display: boolean };

const MATH_CLASS =
  /(?:^|\s)(?:katex|katex-display|MathJax\w*|mathjax|mjx-\w+|mwe-math-element|math|tex2jax_process|arithmatex|math-tex|tex|latex)(?:\s|$)/;
const DELIMITED = /^\s*(?:\\\(([\s\S]+)\\\)|\\\[([\s\S]+)\\\]|\$\$([\s\S]+)\$\$|\$([^$]+)\$)\s*$/;

/**
 * True if an element name may be a formula without any class. A cheap test, because it runs for
 * every element.
 */
export function mayBeFormula(name: string): boolean {
  return (
    name === "math" ||
    name === "img" ||
    name === "script" ||
    name === "mjx-container" ||
    name === "math-renderer"
  );
}

/** Returns the formula that an element represents, or undefined. */
export function findFormula(element: Element): Formula | undefined {
  const { name } = element;
  if (name === "math") return parseMathml(element);
  if (name === "script") return parseScript(element);
  if (name === "img") return parseImage(element);
  if (name === "mjx-container") return parseRendered(element, hasAttribute(element, "display"));
  if (name === "math-renderer") return parseDelimited(element, false);
  const classes = element.attribs["class"];
  if (classes === undefined || (name !== "span" && name !== "div") || !MATH_CLASS.test(classes))
    return undefined;
  if (/(?:^|\s)(?:katex|katex-display|mwe-math-element|MathJax|MathJax_\w+)(?:\s|$)/.test(classes))
    return parseRendered(element, /katex-display|MathJax_Display|MathJaxDisplay/.test(classes));
  if (/(?:^|\s)(?:math|arithmatex|math-tex|tex2jax_process)(?:\s|$)/.test(classes)) {
    return (
      parseDelimited(element, name === "div") ??
      (classes === "math" ? parseBareTex(element, name === "div") : undefined)
    );
  }
  return undefined;
}

function parseDelimited(element: Element, display: boolean): Formula | undefined {
  const match = DELIMITED.exec(readText(element, 20_000));
  if (match === null) return undefined;
  const tex = match[1] ?? match[2] ?? match[3] ?? match[4] ?? "";
  return toFormula(tex, match[2] !== undefined || match[3] !== undefined || display);
}

/** TeX without delimiters, as forums write it for a script to render. */
function parseBareTex(element: Element, display: boolean): Formula | undefined {
  if (!element.children.every((child) => isText(child))) return undefined;
  const text = readText(element, 20_000);
  return /\\[a-zA-Z]|[\^_=]/.test(text) ? toFormula(text, display) : undefined;
}

function toFormula(tex: string, display: boolean): Formula | undefined {
  let value = foldSpace(tex);
  // Wikipedia wraps every formula like this.
  const wrapped = /^\{\\(?:displaystyle|textstyle)\s*([\s\S]*)\}$/.exec(value);
  if (wrapped !== null) value = (wrapped[1] ?? "").trim();
  value = value.replace(/^\\displaystyle\s+/, "");
  return value === "" ? undefined : { tex: value, display };
}

function parseScript(element: Element): Formula | undefined {
  const type = readAttribute(element, "type");
  if (!/^math\/tex/i.test(type)) return undefined;
  return toFormula(
    readText(element).replace(/^\s*%\s*<!\[CDATA\[|\/?\/?\s*%?\s*\]\]>\s*$/g, ""),
    /mode\s*=\s*display/i.test(type),
  );
}

function parseMathml(math: Element): Formula | undefined {
  const display =
    readAttribute(math, "display") === "block" || readAttribute(math, "mode") === "display";
  const annotation = findElement(
    math,
    (element) => element.name === "annotation" && /tex/i.test(readAttribute(element, "encoding")),
  );
  if (annotation !== undefined) {
    const formula = toFormula(readText(annotation), display);
    if (formula !== undefined) return formula;
  }
  const alternative = readAttribute(math, "alttext");
  if (alternative !== "") {
    const formula = toFormula(alternative, display);
    if (formula !== undefined) return formula;
  }
  return toFormula(convertMathmlToTex(math), display);
}

/** KaTeX, MathJax 3 and Wikipedia keep MathML (with its source) beside the rendering. */
function parseRendered(element: Element, display: boolean): Formula | undefined {
  const math = findElement(element, (candidate) => candidate.name === "math");
  if (math !== undefined) {
    const formula = parseMathml(math);
    return formula === undefined
      ? undefined
      : { tex: formula.tex, display: formula.display || display };
  }
  const image = findElement(element, (candidate) => candidate.name === "img");
  if (image !== undefined && readAttribute(image, "alt") !== "")
    return toFormula(readAttribute(image, "alt"), display);
  const script = findElement(element, (candidate) => candidate.name === "script");
  if (script !== undefined) return parseScript(script);
  // MathJax 4 keeps the source of the whole formula on its outermost part.
  const source = findElement(element, (candidate) => hasAttribute(candidate, "data-latex"));
  return source === undefined ? undefined : toFormula(readAttribute(source, "data-latex"), display);
}

const TEX_IMAGE_CLASS = /(?:^|\s)(?:tex|latex|math|mwe-math-fallback-image-\w+|ee_img)(?:\s|$)/;
const TEX_IMAGE_SOURCE =
  /(?:latex\.codecogs\.com|chart\.googleapis\.com\/chart\?cht=tx|\/math\/render\/|s0\.wp\.com\/latex\.php|\.wordpress\.com\/latex\.php|quicklatex\.com|mathurl\.com)/i;

function parseImage(image: Element): Formula | undefined {
  const alt = readAttribute(image, "alt");
  if (alt === "") return undefined;
  const source = readAttribute(image, "src");
  const isFormula =
    /^\{?\\(?:displaystyle|textstyle)\b/.test(alt) ||
    (TEX_IMAGE_CLASS.test(readAttribute(image, "class")) &&
      !/\.(?:jpe?g|webp)(?:\?|$)/i.test(source)) ||
    TEX_IMAGE_SOURCE.test(source) ||
    (source.includes("/math/") && isInMath(image));
  if (!isFormula) return undefined;
  const tex = DELIMITED.exec(alt);
  const { parent } = image;
  const isSetOff = parent !== null && isTag(parent) && parent.name !== "span" && isInMath(image);
  return toFormula(
    tex === null ? alt : (tex[1] ?? tex[2] ?? tex[3] ?? tex[4] ?? alt),
    isSetOff || /display/.test(readAttribute(image, "class")),
  );
}

function isInMath({ parent }: Element): boolean {
  if (parent === null || !isTag(parent)) return false;
  const outer = parent.parent;
  const classes = `${readAttribute(parent, "class")} ${outer !== null && isTag(outer) ? readAttribute(outer, "class") : ""}`;
  return /(?:^|\s)math(?:\s|$)/.test(classes);
}

/** A longer stretch between delimiters is prose that happens to contain both. */
const MAX_TEX_CHARACTERS = 4_000;

/** Environments that MathJax renders as separate formulas anywhere. */
const ENVIRONMENT =
  /^\\begin\{((?:equation|align|alignat|gather|multline|eqnarray|displaymath)\*?)\}/;

/** True if a text may contain formulas for `splitTex`. */
export function mayContainTex(text: string): boolean {
  return text.includes("\\") && /\\(?:[([]|begin\{)/.test(text);
}

/**
 * Splits text at the formulas that MathJax would render: `\\(…\\)`, `\\[…\\]` and environments such
 * as `align`.
 */
export function splitTex(text: string): (string | Formula)[] {
  const parts: (string | Formula)[] = [];
  let from = 0;
  let at = 0;
  const unclosed = new Set<string>();
  for (;;) {
    at = text.indexOf("\\", at);
    if (at === -1 || at + 1 >= text.length) break;
    const opener = findOpener(text, at);
    if (opener === undefined || unclosed.has(opener.close)) {
      at += 2;
      continue;
    }
    const { close, display, isWhole } = opener;
    const end = text.indexOf(close, at + 2);
    if (end === -1) unclosed.add(close);
    const start = isWhole ? at : at + 2;
    const stop = isWhole ? end + close.length : end;
    const tex =
      end === -1
        ? ""
        : foldSpace(text.slice(start, Math.min(stop, start + 2 * MAX_TEX_CHARACTERS)));
    if (tex === "" || tex.length > MAX_TEX_CHARACTERS) {
      at += 2;
      continue;
    }
    parts.push(text.slice(from, at), { tex, display });
    at = end + close.length;
    from = at;
  }
  parts.push(text.slice(from));
  return parts;
}

/** `isWhole`: the delimiters are part of the formula. */
type Opener = { readonly close: string; readonly display: boolean; readonly isWhole: boolean };

function findOpener(text: string, at: number): Opener | undefined {
  const next = text[at + 1];
  if (next === "(") return { close: "\\)", display: false, isWhole: false };
  if (next === "[") return { close: "\\]", display: true, isWhole: false };
  if (next !== "b") return undefined;
  const name = ENVIRONMENT.exec(text.slice(at, at + 30))?.[1];
  return name === undefined ? undefined : { close: `\\end{${name}}`, display: true, isWhole: true };
}

/** Formats a formula as Markdown dialects with math write it. */
export function toMath(formula: Formula): string {
  // A space after "<" is ignored by TeX and keeps Markdown renderers from seeing a tag.
  const tex = formula.tex.replace(/<(?=[a-zA-Z/!?])/g, "< ");
  return formula.display ? `$$${tex}$$` : `$${tex}$`;
}

/**
 * True for a rendered copy of a formula whose source is elsewhere: previews, assistive copies, the
 * visual half of KaTeX.
 */
export function isDrawnFormula(element: Element): boolean {
  const classes = element.attribs["class"];
  if (classes === undefined) return false;
  if (/(?:^|\s)(?:MathJax_Preview|MJX_Assistive_MathML)(?:\s|$)/.test(classes)) return true;
  // KaTeX can output the visual half only; then there is no other copy.
  if (/(?:^|\s)katex-html(?:\s|$)/.test(classes)) return element.prev !== null;
  if (!/(?:^|\s)MathJax(?:_\w+)?(?:\s|$)/.test(classes)) return false;
  for (let node = element.next; node !== null; node = node.next) {
    if (!isTag(node)) continue;
    return node.name === "script" ? readAttribute(node, "type").startsWith("math/") : false;
  }
  return false;
}
