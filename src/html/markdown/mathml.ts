// Converts MathML without source to TeX. Covers presentation MathML as editors and converters emit
// it.
import { type ChildNode, type Element, isTag, isText } from "domhandler";
import { readAttribute, foldSpace, readText, walk } from "../parse/tree.ts";

const SYMBOLS: Readonly<Record<string, string>> = {
  α: "\\alpha",
  β: "\\beta",
  γ: "\\gamma",
  δ: "\\delta",
  ε: "\\epsilon",
  ϵ: "\\epsilon",
  ζ: "\\zeta",
  η: "\\eta",
  θ: "\\theta",
  ι: "\\iota",
  κ: "\\kappa",
  λ: "\\lambda",
  μ: "\\mu",
  ν: "\\nu",
  ξ: "\\xi",
  π: "\\pi",
  ρ: "\\rho",
  σ: "\\sigma",
  τ: "\\tau",
  υ: "\\upsilon",
  φ: "\\phi",
  ϕ: "\\phi",
  χ: "\\chi",
  ψ: "\\psi",
  ω: "\\omega",
  Γ: "\\Gamma",
  Δ: "\\Delta",
  Θ: "\\Theta",
  Λ: "\\Lambda",
  Ξ: "\\Xi",
  Π: "\\Pi",
  Σ: "\\Sigma",
  Φ: "\\Phi",
  Ψ: "\\Psi",
  Ω: "\\Omega",
  "∑": "\\sum",
  "∏": "\\prod",
  "∫": "\\int",
  "∮": "\\oint",
  "∂": "\\partial",
  "∇": "\\nabla",
  "∞": "\\infty",
  "±": "\\pm",
  "∓": "\\mp",
  "×": "\\times",
  "÷": "\\div",
  "⋅": "\\cdot",
  "·": "\\cdot",
  "∘": "\\circ",
  "≤": "\\le",
  "≥": "\\ge",
  "≠": "\\ne",
  "≈": "\\approx",
  "≡": "\\equiv",
  "∼": "\\sim",
  "∝": "\\propto",
  "→": "\\to",
  "←": "\\leftarrow",
  "⇒": "\\Rightarrow",
  "⇔": "\\Leftrightarrow",
  "↦": "\\mapsto",
  "∈": "\\in",
  "∉": "\\notin",
  "⊂": "\\subset",
  "⊆": "\\subseteq",
  "∪": "\\cup",
  "∩": "\\cap",
  "∅": "\\emptyset",
  "∀": "\\forall",
  "∃": "\\exists",
  "¬": "\\neg",
  "∧": "\\land",
  "∨": "\\lor",
  "…": "\\dots",
  "⋯": "\\cdots",
  "⟨": "\\langle",
  "⟩": "\\rangle",
  "‖": "\\|",
  "{": "\\{",
  "}": "\\}",
  "−": "-",
  "′": "'",
  "≪": "\\ll",
  "≫": "\\gg",
  "⊗": "\\otimes",
  "⊕": "\\oplus",
  "⊙": "\\odot",
  "⌊": "\\lfloor",
  "⌋": "\\rfloor",
  "⌈": "\\lceil",
  "⌉": "\\rceil",
  "⟹": "\\Longrightarrow",
  "⟺": "\\iff",
  "↔": "\\leftrightarrow",
  "∣": "\\mid",
  "∥": "\\parallel",
  "⊥": "\\perp",
  "∠": "\\angle",
  "≅": "\\cong",
  "≃": "\\simeq",
  "≜": "\\triangleq",
  "≔": "\\coloneqq",
  "∖": "\\setminus",
  "⊃": "\\supset",
  "⊇": "\\supseteq",
  "⋃": "\\bigcup",
  "⋂": "\\bigcap",
  "⋁": "\\bigvee",
  "⋀": "\\bigwedge",
  "⨁": "\\bigoplus",
  "⨂": "\\bigotimes",
  "∬": "\\iint",
  "∭": "\\iiint",
  "∴": "\\therefore",
  "⋮": "\\vdots",
  "⋱": "\\ddots",
  "†": "\\dagger",
  "∗": "*",
  "⊤": "\\top",
  "⊢": "\\vdash",
  "⊨": "\\models",
  "√": "\\surd",
  ℓ: "\\ell",
  ℏ: "\\hbar",
  ℵ: "\\aleph",
  ℜ: "\\Re",
  ℑ: "\\Im",
  ϑ: "\\vartheta",
  ϱ: "\\varrho",
  ς: "\\varsigma",
  ϖ: "\\varpi",
  ℝ: "\\mathbb{R}",
  ℕ: "\\mathbb{N}",
  ℤ: "\\mathbb{Z}",
  ℂ: "\\mathbb{C}",
  ℚ: "\\mathbb{Q}",
  "⁡": "",
  "⁢": "",
  "⁣": "",
  "⁤": "",
};
const FUNCTIONS: ReadonlySet<string> = new Set(
  "sin cos tan cot sec csc log ln exp lim max min sup inf det dim ker arg gcd deg arcsin arccos arctan sinh cosh tanh".split(
    " ",
  ),
);

/** Returns the TeX of a `<math>` element from its presentation markup. */
export function convertMathmlToTex(math: Element): string {
  // Each element collects the output of its children; frames replace recursion.
  const frames: string[][] = [[]];
  walk(
    math,
    (node: ChildNode) => {
      if (isText(node)) {
        const { parent } = node;
        if (parent !== null && isTag(parent) && !isToken(parent.name) && node.data.trim() !== "")
          (frames.at(-1) as string[]).push(foldSpace(node.data));
        return "skip";
      }
      if (!isTag(node) || node.name === "annotation" || node.name === "annotation-xml")
        return "skip";
      if (isToken(node.name)) {
        (frames.at(-1) as string[]).push(convertToken(node));
        return "skip";
      }
      frames.push([]);
      return "children";
    },
    (element) => {
      const parts = frames.pop() as string[];
      (frames.at(-1) as string[]).push(convertLayout(element, parts));
    },
  );
  return frames.flat().join(" ").replace(/\s+/g, " ").trim();
}

function isToken(name: string): boolean {
  return (
    name === "mi" ||
    name === "mn" ||
    name === "mo" ||
    name === "mtext" ||
    name === "ms" ||
    name === "mspace"
  );
}

/** TeX alphabets by mathvariant value. */
const ALPHABETS: Readonly<Record<string, string>> = {
  bold: "mathbf",
  "bold-italic": "boldsymbol",
  "double-struck": "mathbb",
  script: "mathcal",
  fraktur: "mathfrak",
  "sans-serif": "mathsf",
  monospace: "mathtt",
};

function convertToken(element: Element): string {
  if (element.name === "mspace") return "\\,";
  const written = readText(element, 1_000);
  const text = foldSpace(written);
  // In text, unlike in formulas, leading and trailing spaces are shown.
  if (element.name === "mtext" || element.name === "ms")
    return text === ""
      ? ""
      : `\\text{${written.replace(/\s+/g, " ").replace(/[%#&$_{}]/g, "\\$&")}}`;
  const alphabet = ALPHABETS[readAttribute(element, "mathvariant")];
  if (alphabet !== undefined && /^[A-Za-z\d]+$/.test(text)) return `\\${alphabet}{${text}}`;
  const symbol = SYMBOLS[text];
  if (symbol !== undefined) return symbol;
  if (FUNCTIONS.has(text)) return `\\${text}`;
  if (element.name === "mi" && text.length > 1 && /^[a-zA-Z]+$/.test(text))
    return `\\mathrm{${text}}`;
  return text.replace(/[%#&$_]/g, "\\$&");
}

const ACCENTS: Readonly<Record<string, string>> = {
  "¯": "bar",
  "‾": "overline",
  "^": "hat",
  ˆ: "hat",
  "~": "tilde",
  "˜": "tilde",
  "→": "vec",
  "\\to": "vec",
  "˙": "dot",
  "¨": "ddot",
  "⏞": "overbrace",
};

function group(part: string | undefined): string {
  const text = part ?? "";
  return text.length === 1 ? text : `{${text}}`;
}

function convertLayout(element: Element, parts: string[]): string {
  const [one = "", two = "", three = ""] = parts;
  switch (element.name) {
    case "mfrac":
      // A fraction without a bar is not a quotient but, in parentheses, a binomial coefficient
      // (MathML Core 3.3.2).
      return /^0\D*$/.test(readAttribute(element, "linethickness").trim())
        ? `\\genfrac{}{}{0pt}{}{${one}}{${two}}`
        : `\\frac{${one}}{${two}}`;
    case "msqrt":
      return `\\sqrt{${parts.join(" ")}}`;
    case "mroot":
      return `\\sqrt[${two}]{${one}}`;
    case "msup":
      return `${wrapBase(one)}^${group(two)}`;
    case "msub":
      return `${wrapBase(one)}_${group(two)}`;
    case "msubsup":
    case "munderover":
      return `${wrapBase(one)}_${group(two)}^${group(three)}`;
    case "munder":
      return `${wrapBase(one)}_${group(two)}`;
    case "mover": {
      const accent = ACCENTS[two];
      return accent === undefined ? `${wrapBase(one)}^${group(two)}` : `\\${accent}{${one}}`;
    }
    case "mtable":
      return `\\begin{matrix} ${parts.join(" \\\\ ")} \\end{matrix}`;
    case "mtr":
      return parts.join(" & ");
    case "mfenced":
      return `${readAttribute(element, "open") || "("}${parts.join(", ")}${readAttribute(element, "close") || ")"}`;
    case "mmultiscripts":
      return convertMultiscripts(element, parts);
    case "mphantom":
      return "";
    default:
      return parts.filter((part) => part !== "").join(" ");
  }
}

/**
 * A base with pairs of sub- and superscripts after it, and pairs before it after `<mprescripts>`
 * (MathML Core §3.4.3).
 */
function convertMultiscripts(element: Element, parts: readonly string[]): string {
  const names = element.children.filter((child) => isTag(child)).map((child) => child.name);
  const split = names.indexOf("mprescripts");
  const pairs = (from: number, to: number): string => {
    const written: string[] = [];
    for (let at = from; at < to; at += 2) {
      const sub = parts[at] ?? "";
      const sup = parts[at + 1] ?? "";
      written.push(`${sub === "" ? "" : `_${group(sub)}`}${sup === "" ? "" : `^${group(sup)}`}`);
    }
    return written.join("{}");
  };
  const end = split === -1 ? parts.length : split;
  const before = split === -1 ? "" : pairs(split + 1, parts.length);
  return `${before === "" ? "" : `{}${before}`}${wrapBase(parts[0] ?? "")}${pairs(1, end)}`;
}

function wrapBase(part: string): string {
  return part.length <= 1 || /^\\[a-zA-Z]+$/.test(part) ? part : `{${part}}`;
}
