// Finds a record's title: its heading, its only emphasized text, or the text of its only link.
import { isHidden, isStruck, type PageNode } from "../../../page-model/node.ts";
import { isCodes } from "./note-codes.ts";
import { findTitleLineOfRow, isFirstLine } from "./title-lines.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { VisibleScope } from "./visible-scope.ts";

const MAX_TITLE_CHARACTERS = 200;
/** Class names for large or bold text, which describe appearance, not meaning. */
const EMPHASIS =
  /(?:^|\s)(?:font-(?:medium|semibold|bold|extrabold|black)|text-(?:lg|xl|[2-9]xl)|fw-(?:bold|semibold)|h[1-6])(?=\s|$)/;
const ADDRESS = /^(?:https?:\/\/|www\.|doi:?\s?10\.|10\.\d{4,9}\/)\S*$/i;
const FILE = /^\[[^\]]{2,20}\]$|^(?:pdf|bibtex|doi)$/iu;
/** What links beside a title say. */
const ACTION =
  /^(?:preview|details?|more(?: info(?:rmation)?)?|read more|learn more|see more|view(?: details)?|watch|listen|play|open|download|buy(?: tickets?)?|book(?: now)?|register|sign up|vorschau|mehr(?: erfahren)?|ansehen|aperçu|en savoir plus|voir|ver(?: más)?|más información|vedi|scopri(?: di più)?|bekijk|meer(?: info)?|zobacz|więcej)$/iu;
const isOfAction = (text: string): boolean => FILE.test(text) || ACTION.test(text);
const STYLE = /font-weight\s*:\s*(?:bold|[6-9]00)/i;

/**
 * True for the text of a link to a file of a work ("[PDF]"), or one that is an address or a DOI.
 */
export const isFileOrAddress = (text: string): boolean => ADDRESS.test(text) || FILE.test(text);

export function findTitleNode(scope: VisibleScope): PageNode | undefined {
  const { model } = scope;
  const isTitle = (node: PageNode): boolean => {
    const length = node.to - node.from;
    return (
      length > 0 &&
      length <= MAX_TITLE_CHARACTERS &&
      !isHidden(node) &&
      !isStruck(node) &&
      /\p{L}/u.test(model.textOf(node)) &&
      !ADDRESS.test(model.lineOf(node))
    );
  };
  const headings = scope
    .elements("h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary")
    .filter(isTitle);
  const [heading] = headings;
  if (heading !== undefined) return heading;
  const roled = scope.pieces.find(({ element }) => element.attribs["role"] === "heading");
  if (roled !== undefined && isTitle(roled)) return roled;
  const emphasized = scope.pieces.filter((piece) => isTitle(piece) && isEmphasized(scope, piece));
  // A price may be bold as well.
  const named = emphasized.filter((piece) => model.typedValues(piece).length === 0);
  const links = scope
    .elements("a")
    .filter((node) => node.to > node.from && !isButton(node) && !isOfAction(model.lineOf(node)));
  // A work in a list of references: its link, its bold author and its first words are no title.
  if (links.some((node) => ADDRESS.test(model.lineOf(node)))) return undefined;
  const [link] = links;
  const inCell = findTitleLineOfRow(scope);
  const lines = inCell === undefined ? listTitleLines(scope).filter(isTitle) : [inCell];
  const [line] = lines;
  // Without a link or picture, a bold line may be a label over its value, but not below a header.
  if (
    lines.length === 1 &&
    line !== undefined &&
    (link === undefined
      ? scope.elements("img").length > 0 || line === inCell
      : !model.contains(link, line) || links.length > 1)
  )
    return line;
  if (links.length === 1 && link !== undefined) {
    // In a link around a whole card, the first piece is the title.
    const [first, second] = model.pieces(link);
    const titled = second === undefined ? link : first;
    if (titled !== undefined && isTitle(titled) && model.typedValues(titled).length === 0)
      return titled;
  }
  return named.length === 1 ? named[0] : scope.named;
}

/**
 * Bold texts that name their records, such as a concert; a link beside them leads to something else,
 * such as the hall: the first line of a text, or the first text that differs between the records.
 */
const listTitleLines = (scope: VisibleScope): PageNode[] => {
  const { model, named } = scope;
  const isNamed = (node: PageNode): boolean =>
    named !== undefined && named.from === node.from && named.to === node.to;
  const isFirst = (node: PageNode): boolean =>
    scope.pieces.some((piece) => isFirstLine(model, node, piece));
  return scope
    .elements("b", "strong")
    .filter((node) => model.typedValues(node).length === 0 && (isNamed(node) || isFirst(node)));
};

/** A link that looks like a button leads to an action: "Choose Starter". */
export const isButton = ({ element: { attribs } }: PageNode): boolean =>
  attribs["role"] === "button" ||
  /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i.test(attribs["class"] ?? "");

/** Elements that follow a title: a version, a badge, a note. */
const ADDED: ReadonlySet<string> = new Set(["small", "code", "time"]);

/** "40 m²" is no "40 m": a mark stands behind a word. */
const isMark = ({ text }: PageModel, { from }: PageNode): boolean =>
  /(?:\p{L}{3}|[\s.)])$/u.test(text.slice(Math.max(0, from - 3), from));

/** The text of a title without small print, badges and notes behind it. */
export function readTitleText({ model }: VisibleScope, node: PageNode): string {
  let end = node.to;
  for (const child of model.children(node).toReversed()) {
    if (child.to <= child.from) continue;
    const { name, attribs } = child.element;
    const isAdded =
      ADDED.has(name) ||
      (name === "sup" && isMark(model, child)) ||
      attribs["title"] !== undefined ||
      isCodes(model, child);
    if (!isAdded || child.to < end - 1) break;
    end = child.from;
  }
  const text = model.text.slice(node.from, end).replaceAll("\n", " ").trim();
  // "owner / name", each in an element of its own: the last one is the name.
  const parts = model.children(node).filter((child) => child.to > child.from);
  const [owner, name] = parts;
  const isOwned =
    parts.length === 2 &&
    owner?.element.name === "a" &&
    name !== undefined &&
    /^\s?\/\s?$/.test(model.text.slice(owner.to, name.from).replaceAll("\n", " "));
  if (isOwned) return model.lineOf(name);
  if (!/\p{L}/u.test(text)) return model.lineOf(node);
  // Programs write the time before the title.
  return LEADING_CLOCK.exec(text)?.[2] ?? text;
}

/** "09:30–10:30 Opening keynote". */
export const LEADING_CLOCK =
  /^(\d{1,2}[:.]\d{2}(?:\s?[–-]\s?\d{1,2}[:.]\d{2})?)[\s\u00A0·|]+((?!(?:[ap]\.?m\b|uhr\b|h\b))\p{L}[^\n]*)$/iu;

function isEmphasized(scope: VisibleScope, piece: PageNode): boolean {
  const { model } = scope;
  for (
    let at: PageNode | undefined = piece;
    at !== undefined && scope.has(at);
    at = model.parent(at)
  ) {
    const { name, attribs } = at.element;
    if (name === "b" || name === "strong") return true;
    if (EMPHASIS.test(attribs["class"] ?? "") || STYLE.test(attribs["style"] ?? "")) return true;
    // Emphasis of a whole record does not mark one text in it.
    if (at.from !== piece.from || at.to !== piece.to) return false;
  }
  const [only] = model.children(piece);
  return (
    only !== undefined &&
    only.from === piece.from &&
    only.to === piece.to &&
    /^(?:b|strong)$/.test(only.element.name)
  );
}
