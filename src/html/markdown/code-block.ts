// The text and language of a code block, whatever the highlighter made of it.
import { type Element, isTag, isText, type ParentNode } from "domhandler";
import { attributeOf, findElement, hasAttribute, walk } from "../tree.ts";
import { GUTTER } from "./survey.ts";

const LINE =
  /(?:^|\s)(?:line|code-line|token-line|view-line|gatsby-highlight-code-line|highlight-line|highlighted-line|hljs-ln-line|CodeMirror-line|cm-line|react-code-line)(?:$|\s)/;
const SKIPPED: ReadonlySet<string> = new Set([
  "button",
  "script",
  "style",
  "svg",
  "noscript",
  "template",
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

/** The code as its author wrote it: line numbers, copy buttons and colours gone, white space exactly kept. */
export function codeText(block: Element): string {
  const parts: string[] = [];
  let last = "";
  const lineEnded = new WeakSet<Element>();
  const write = (text: string): void => {
    if (text === "") return;
    parts.push(text);
    last = text.at(-1) ?? "";
  };
  const severalCodes =
    block.children.filter((child) => isTag(child) && child.name === "code").length > 1;
  const isLine = (element: Element): boolean =>
    OWN_LINE.has(element.name) ||
    (element.name === "span" && LINE.test(attributeOf(element, "class"))) ||
    (severalCodes && element.name === "code" && element.parent === block);
  walk(
    block,
    (node) => {
      if (isText(node)) {
        write(node.data);
        return "skip";
      }
      if (!isTag(node)) return "skip";
      if (node.name === "br") {
        write("\n");
        return "skip";
      }
      if (SKIPPED.has(node.name) || isGutter(node)) return "skip";
      if (isLine(node)) {
        const { prev } = node;
        const follows = prev !== null && isTag(prev) && isLine(prev);
        if (follows ? !lineEnded.has(prev) : prev !== null && last !== "" && last !== "\n")
          write("\n");
      }
      return "children";
    },
    (element) => {
      if (isLine(element) && last === "\n" && element.children.length > 0) lineEnded.add(element);
    },
  );
  let code = parts.join("").replace(/\r\n?/g, "\n");
  // The parser of HTML drops one line end right after <pre>; ours leaves that to us.
  const [first] = block.children;
  if (first !== undefined && isText(first) && code.startsWith("\n")) code = code.slice(1);
  return code.endsWith("\n") ? code.slice(0, -1) : code;
}

function isGutter(element: Element): boolean {
  const classes = attributeOf(element, "class");
  if (classes !== "" && GUTTER.test(classes))
    return !/(?:^|\s)(?:code|highlight)(?:\s|$)/.test(classes);
  if (/user-select:\s*none/i.test(attributeOf(element, "style")))
    return element.children.every((child) => isText(child) && /^[\s\d$>#%]*$/.test(child.data));
  return element.name === "td" && hasAttribute(element, "data-line-number");
}

const PREFIXED =
  /^(?:language|lang|brush|gatsby-code|code|highlight-source|highlight-text|highlight|syntax|src|type)[-:]+(\S+?);?$/i;
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

/** The language a code block says it is in, or "" when it says none. Nothing is guessed from the code itself. */
export function codeLanguage(block: Element): string {
  const inner = block.children.find(
    (child): child is Element => isTag(child) && child.name === "code",
  );
  const own = (inner && ownLanguage(inner, true)) || ownLanguage(block, true);
  if (own) return own;
  if (block.name === "table") {
    const code = findElement(
      block,
      (element) =>
        (element.name === "code" || element.name === "pre") && ownLanguage(element, true) !== "",
    );
    if (code !== undefined) return ownLanguage(code, true);
  }
  let wrapper: ParentNode | null = block.parent;
  for (let step = 0; step < 4 && wrapper !== null && isTag(wrapper); step++) {
    if (wrapper.name === "body" || wrapper.name === "main" || wrapper.name === "article") break;
    const language = ownLanguage(wrapper, false);
    if (language !== "") return language;
    wrapper = wrapper.parent;
  }
  return "";
}

/** What one element says. `bare`: a plain class such as `python` counts. */
function ownLanguage(element: Element, bare: boolean): string {
  for (const name of [
    "data-language",
    "data-lang",
    "data-code-language",
    "data-programming-language",
  ]) {
    const value = toLanguage(attributeOf(element, name));
    if (value !== "") return value;
  }
  const tokens = attributeOf(element, "class").split(/\s+/);
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as string;
    if (/^brush:$/i.test(token)) {
      const value = toLanguage((tokens[index + 1] ?? "").replace(/;$/, ""));
      if (value !== "") return value;
    }
    const match = PREFIXED.exec(token);
    const sure = /^(?:language|lang|brush)/i.test(token);
    const value = toLanguage(match?.[1] ?? "");
    if (value !== "" && (sure || KNOWN.has(value))) return value;
  }
  if (bare || tokens.includes("sourceCode") || tokens.includes("mermaid"))
    for (const token of tokens)
      if (KNOWN.has(token.toLowerCase()) && token.length > 1) return token.toLowerCase();
  const lang = attributeOf(element, "lang").toLowerCase();
  return bare && lang.length > 2 && KNOWN.has(lang) ? lang : "";
}

function toLanguage(value: string): string {
  const language = value.trim().toLowerCase();
  return NO_LANGUAGE.has(language) || !/^[^\s`~<>"'{}]{1,30}$/u.test(language) ? "" : language;
}
