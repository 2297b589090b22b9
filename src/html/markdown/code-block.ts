// Extracts text and language of a code block from any highlighter's markup.
import { type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";
import { mayHaveUncommon } from "../parse/nodes.ts";
import {
  readAttribute,
  findElement,
  hasAttribute,
  type TreeVisitor,
  visitTree,
} from "../parse/tree.ts";
import { GUTTER } from "./tree-facts.ts";

const LINE =
  /(?:^|\s)(?:line|code-line|token-line|view-line|gatsby-highlight-code-line|highlight-line|highlighted-line|hljs-ln-line|CodeMirror-line|cm-line|react-code-line)(?:$|\s)/;
/** Highlighters mark each token of code with a class of one or two letters. */
const MIN_LINE_CLASS = 4;
const MIN_GUTTER_CLASS = 2;
const SKIPPED: ReadonlySet<string> = new Set([
  "button",
  "script",
  "style",
  "svg",
  "noscript",
  "template",
  "textarea",
]);
const OWN_LINE: ReadonlySet<string> = new Set([
  "div",
  "p",
  "li",
  "tr",
  "ol",
  "ul",
  "table",
  "tbody",
  "figure",
]);

/**
 * Returns the code as written: without line numbers, copy buttons and highlighting, with exact
 * whitespace.
 */
export function readCode(block: Element): string {
  const read = new CodeReader(block).read();
  const written = read.includes("\r") ? read.replace(/\r\n?/g, "\n") : read;
  const code = isTerminal(block) ? stripColors(written) : written;
  // HTML parsers drop one line end right after <pre>; ours keeps it.
  const [first] = block.children;
  const start = first !== undefined && isText(first) && code.startsWith("\n") ? 1 : 0;
  return code.slice(start, code.endsWith("\n") && code.length > start ? -1 : undefined);
}

/**
 * True if a script plays the listing as a terminal, with colors as HTML tags in its text
 * (termynal.js).
 */
function isTerminal(block: Element): boolean {
  let node: ParentNode | null = block;
  for (let step = 0; step < 4 && node !== null && isTag(node); step++) {
    const classes = node.attribs["class"];
    if (classes !== undefined && /(?:^|\s)termy(?:nal)?(?:\s|$)/.test(classes)) return true;
    node = node.parent;
  }
  return false;
}

const QUOTED: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&#39;": "'",
  "&amp;": "&",
};

const stripColors = (code: string): string =>
  code
    .replaceAll(/<\/?(?:font|span|u|b|i)(?:\s[^<>]{0,200})?>/g, "")
    .replaceAll(/&(?:lt|gt|quot|apos|#39|amp);/g, (entity) => QUOTED[entity] ?? entity);

class CodeReader implements TreeVisitor {
  readonly #block: Element;
  readonly #hasSeveralCodes: boolean;
  #code = "";
  #endsLine = false;
  /** Lines whose own text ends with a line break. */
  readonly #ended = new Set<Element>();

  constructor(block: Element) {
    this.#block = block;
    let codes = 0;
    for (const child of block.children) if (isTag(child) && child.name === "code") codes++;
    this.#hasSeveralCodes = codes > 1;
  }

  read(): string {
    visitTree(this.#block, this);
    return this.#code;
  }

  #write(text: string): void {
    if (text === "") return;
    this.#code += text;
    this.#endsLine = text.endsWith("\n");
  }

  enter(node: ChildNode): boolean {
    if (isText(node)) this.#write(node.data);
    if (!isTag(node)) return false;
    if (node.name === "br") {
      this.#write("\n");
      return false;
    }
    if (SKIPPED.has(node.name) || isGutter(node) || isUnshown(node)) return false;
    const { prev } = node;
    if (prev !== null && this.#isLine(node)) {
      const follows = isTag(prev) && this.#isLine(prev);
      if (follows ? !this.#ended.has(prev) : this.#code !== "" && !this.#endsLine)
        this.#write("\n");
    }
    return true;
  }

  leave(element: Element): void {
    if (this.#endsLine && element.children.length > 0 && this.#isLine(element))
      this.#ended.add(element);
  }

  #isLine(element: Element): boolean {
    const { name } = element;
    if (name === "span") {
      const classes = readAttribute(element, "class");
      return classes.length >= MIN_LINE_CLASS && LINE.test(classes);
    }
    if (name === "code") return this.#hasSeveralCodes && element.parent === this.#block;
    return OWN_LINE.has(name);
  }
}

/** Lines that only make a Rust example compile. mdBook hides them. */
const isUnshown = ({ name, attribs }: Element): boolean =>
  name === "span" && attribs["class"] === "boring";

function isGutter(element: Element): boolean {
  const { attribs } = element;
  const classes = attribs["class"] ?? "";
  if (classes.length >= MIN_GUTTER_CLASS && GUTTER.test(classes))
    return !/(?:^|\s)(?:code|highlight)(?:\s|$)/.test(classes);
  const style = attribs["style"];
  if (style !== undefined && /user-select:\s*none/i.test(style))
    return element.children.every((child) => isText(child) && /^[\s\d$>#%]*$/.test(child.data));
  return (
    element.name === "td" &&
    hasAttribute(element, "data-line-number") &&
    !/[-_]code\b/.test(classes)
  );
}

const PREFIXED =
  /^(?:language|lang|brush|gatsby-code|mw-highlight-lang|code|highlight-source|highlight-text|highlight|syntax|src|type)[-:]+(\S+?);?$/i;
const NO_LANGUAGE: ReadonlySet<string> = new Set(
  (
    "none plain plaintext text txt nohighlight default auto undefined null source code block notranslate wrapper inline " +
    "container copy output highlight highlighter-rouge html-basic toolbar box snippet area pre lines line-numbers"
  ).split(" "),
);
const KNOWN: ReadonlySet<string> = new Set(
  (
    "abap ada apache applescript asm assembly awk bash bat batch bibtex c c# c++ clojure cmake cobol coffeescript console " +
    "cpp crystal cs csharp css csv cuda d dart diff django docker dockerfile dot elixir elm erb erlang excel f# fish " +
    "fortran fsharp gherkin git glsl go golang graphql groovy haml handlebars haskell hcl hlsl html http ini irb java " +
    "javascript jinja jinja2 jl js json json5 jsonc jsx julia kotlin kt latex less lisp llvm lua make makefile markdown " +
    "mathematica matlab md mdx mermaid mysql nasm nginx nim nix objc objective-c objectivec ocaml octave pascal perl pgsql " +
    "php plsql postgresql powershell proto protobuf ps1 puppet py pycon pytb python python3 qml r racket rb rest rst ruby rs rust " +
    "sas sass scala scheme scss sh shell shell-session smalltalk solidity sparql sql stata svelte swift systemverilog tcl " +
    "terraform tex toml ts tsx twig typescript v vb vba vbnet verilog vhdl vim vue wasm wgsl xml xquery yaml yml zig zsh"
  ).split(" "),
);

/** Returns the declared language of a code block, else one that its first words prove, else "". */
export function detectCodeLanguage(block: Element, code: string): string {
  return readDeclaredLanguage(block) || guessLanguage(code);
}

const OPENINGS: readonly (readonly [opening: RegExp, language: string])[] = [
  [/^#!\s*\/(?:\S*\/)?(?:env\s+)?(?:ba|z|da|k)?sh\b/, "sh"],
  [/^#!\s*\/(?:\S*\/)?(?:env\s+)?python[\d.]*\b/, "python"],
  [/^#!\s*\/(?:\S*\/)?(?:env\s+)?perl\b/, "perl"],
  [/^#!\s*\/(?:\S*\/)?(?:env\s+)?ruby\b/, "ruby"],
  [/^#!\s*\/(?:\S*\/)?(?:env\s+)?node\b/, "js"],
  [/^<\?php\s/, "php"],
  [/^<\?xml\s+version=/, "xml"],
  [/^<!doctype html/i, "html"],
  [/^diff --git /, "diff"],
];
/** Longer listings are not parsed to check for JSON. */
const MAX_JSON_CHARACTERS = 20_000;

function guessLanguage(code: string): string {
  const first = code.charCodeAt(0);
  if (first === 0x7b || first === 0x5b) return isJson(code) ? "json" : "";
  if (first !== 0x23 && first !== 0x3c && first !== 0x64) return "";
  for (const [opening, language] of OPENINGS) if (opening.test(code)) return language;
  return "";
}

/** True for a non-empty object or a list of objects. `[1, 2]` is valid in many languages. */
function isJson(code: string): boolean {
  if (code.length > MAX_JSON_CHARACTERS || !/^\s*[[{][\s[{]*"[^"]*"\s*:/.test(code.slice(0, 300)))
    return false;
  try {
    JSON.parse(code);
    return true;
  } catch {
    return false;
  }
}

function readDeclaredLanguage(block: Element): string {
  const [only] = block.children;
  // A playground wraps the listing (mdBook).
  const isFrame = only !== undefined && isTag(only) && only.name === "pre";
  const inner = findCode(isFrame ? only : block);
  const own = (inner && readOwnLanguage(inner, true)) || readOwnLanguage(block, true);
  if (own) return own;
  if (block.name === "table") {
    const code = findElement(
      block,
      (element) =>
        (element.name === "code" || element.name === "pre") &&
        readOwnLanguage(element, true) !== "",
    );
    if (code !== undefined) return readOwnLanguage(code, true);
  }
  let wrapper: ParentNode | null = block.parent;
  for (let step = 0; step < 4 && wrapper !== null && isTag(wrapper); step++) {
    if (wrapper.name === "body" || wrapper.name === "main" || wrapper.name === "article") break;
    const language = readOwnLanguage(wrapper, false);
    if (language !== "") return language;
    wrapper = wrapper.parent;
  }
  return "";
}

const LANGUAGE_ATTRIBUTES = [
  "data-language",
  "data-lang",
  "data-code-language",
  "data-programming-language",
  "data-enlighter-language",
];

const NO_TOKENS: readonly string[] = [];

function listClassTokens(element: Element): readonly string[] {
  const classes = readAttribute(element, "class");
  const parameters = mayHaveUncommon(element)
    ? readAttribute(element, "data-syntaxhighlighter-params")
    : "";
  if (classes === "" && parameters === "") return NO_TOKENS;
  return `${classes} ${parameters}`.split(/\s+/);
}

function findCode({ children }: Element): Element | undefined {
  for (const child of children) if (isTag(child) && child.name === "code") return child;
  return undefined;
}

function readLanguageAttribute({ attribs }: Element): string {
  for (const name of LANGUAGE_ATTRIBUTES) {
    const written = attribs[name];
    const value = written === undefined ? "" : toLanguage(written);
    if (value !== "") return value;
  }
  return "";
}

/**
 * Returns the language that one element declares. With `bare`, a plain class such as `python`
 * counts.
 */
function readOwnLanguage(element: Element, bare: boolean): string {
  const named = mayHaveUncommon(element) ? readLanguageAttribute(element) : "";
  if (named !== "") return named;
  const tokens = listClassTokens(element);
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as string;
    if (/^brush:$/i.test(token)) {
      const value = toLanguage((tokens[index + 1] ?? "").replace(/;$/, ""));
      if (value !== "") return value;
    }
    const match = PREFIXED.exec(token);
    if (match === null) continue;
    const sure = /^(?:language|lang|brush)/i.test(token);
    const value = toLanguage(match[1] as string);
    if (value !== "" && (sure || KNOWN.has(value))) return value;
  }
  if (bare || tokens.includes("sourceCode") || tokens.includes("mermaid"))
    for (const token of tokens)
      if (KNOWN.has(token.toLowerCase()) && token.length > 1) return token.toLowerCase();
  const lang = readAttribute(element, "lang").toLowerCase();
  return bare && lang.length > 2 && KNOWN.has(lang) ? lang : "";
}

function toLanguage(value: string): string {
  const language = value.trim().toLowerCase();
  return NO_LANGUAGE.has(language) || !/^[^\s`~<>"'{}]{1,30}$/u.test(language) ? "" : language;
}
