// Cells and texts that start with a title in a line of its own: "<b>Night songs</b><br>Ada Whit".
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { Grid } from "../../../page-model/grids.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Name } from "../names/names.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";
import type { VisibleScope } from "./visible-scope.ts";

const TITLE_ELEMENTS: ReadonlySet<string> = new Set(["b", "strong", "h3", "h4", "h5"]);

/** The rest of the title's line: nothing, or a note such as "(for families)". */
const REST_OF_LINE = /^(?:[^\S\n]?\([^()\n]{1,60}\))?[^\S\n]*\n/u;
/** A subtitle as catalogs write it; only behind a link, because French labels look the same. */
const REST_WITH_SUBTITLE = /^\s[:：]\s[^\n]{2,120}\n/u;

/** True if an element at the start of a text is the title in its first line. */
export function isFirstLine(model: PageModel, element: PageNode, text: PageNode): boolean {
  const rest = model.text.slice(element.to, text.to);
  if (element.from !== text.from || !model.contains(text, element)) return false;
  return REST_OF_LINE.test(rest) || (REST_WITH_SUBTITLE.test(rest) && isLink(model, element));
}

const isLink = (model: PageModel, node: PageNode): boolean =>
  model.parent(node)?.element.name === "a" ||
  model.below(node).some(({ element }) => element.name === "a");

const SUBTITLE = /^\s?[:：]\s([^\n/]{2,120})/u;

/** The subtitle behind a title, "Tides : a history", up to " / " and the authors. */
export function readSubtitle(
  { model, pieces }: VisibleScope,
  title: PageNode,
): { readonly text: string; readonly node: PageNode } | undefined {
  const node = pieces.find((piece) => piece !== title && model.contains(piece, title));
  if (node === undefined) return undefined;
  const [, text] = SUBTITLE.exec(model.text.slice(title.to, node.to)) ?? [];
  return text === undefined ? undefined : { text: text.trim(), node };
}

/** The element that is the first line of a text of several lines, but for a note in brackets. */
export function findTitleLine(model: PageModel, text: PageNode): PageNode | undefined {
  const [first] = model
    .below(text)
    .filter(
      (node) =>
        node.index !== text.index &&
        TITLE_ELEMENTS.has(node.element.name) &&
        !isHidden(node) &&
        node.to > node.from,
    );
  return first !== undefined &&
    !model.textOf(first).includes("\n") &&
    isFirstLine(model, first, text)
    ? first
    : undefined;
}

const MIN_TITLED_ROWS = 2;
/** Share of the rows of a table with a title line in the column of titles. */
const MIN_TITLED_SHARE = 0.3;

const MIN_HEADERS = 2;

const titledCells = new WeakMap<Grid, ReadonlySet<PageNode>>();

/**
 * The cells of a table that start with a title: those of one column; forms have them in several.
 */
function listTitledCells(model: PageModel, grid: Grid): ReadonlySet<PageNode> {
  const known = titledCells.get(grid);
  if (known !== undefined) return known;
  const columns = grid.headers
    .map((_, column) =>
      grid.rows.flatMap(({ cells }) => {
        const cell = cells[column]?.node;
        return cell !== undefined && findTitleLine(model, cell) !== undefined ? [cell] : [];
      }),
    )
    .filter((cells) => cells.length > 0);
  const [cells = [], other] = columns;
  const isColumn =
    other === undefined &&
    cells.length >= MIN_TITLED_ROWS &&
    cells.length >= grid.rows.length * MIN_TITLED_SHARE &&
    areTitles(cells.map((cell) => model.textOf(cell))) &&
    grid.headers.filter((header) => header !== "").length >= MIN_HEADERS;
  const titled = new Set(isColumn ? cells : []);
  titledCells.set(grid, titled);
  return titled;
}

/** "Sold out" over the titles of several rows is no title, and "Ann" over "Vale" is half a name. */
function areTitles(texts: readonly string[]): boolean {
  const titles = texts.map((text) => text.split("\n", 1)[0] ?? "");
  const halves = texts.filter((text) => /^\S+\n\S+$/.test(text));
  return new Set(titles).size === titles.length && halves.length * 2 <= texts.length;
}

/** The title line of a row in a table with a column of titles; that of a cancelled event, too. */
export function findTitleLineOfRow({ model, cells }: VisibleScope): PageNode | undefined {
  const [first] = cells;
  if (first === undefined) return undefined;
  const titled = model.grids
    .filter(({ node }) => model.contains(node, first.cell.node))
    .map((grid) => listTitledCells(model, grid));
  const cell = cells.find(({ cell: { node } }) => titled.some((all) => all.has(node)))?.cell;
  return cell === undefined ? undefined : findTitleLine(model, cell.node);
}

const OF_PEOPLE = ["performer", "author", "instructor"];
const MAX_NAME = 80;
const MIN_NAME_WORDS = 2;

/** True if all longer words, and two at least, have a capital: "Ada Whit and the Gulls of Orn". */
function isNameLike(text: string): boolean {
  if (text.length > MAX_NAME || !/^[\p{L}\p{M}\s'’.,&-]+$/u.test(text)) return false;
  const words = text.split(/[\s,&]+/u).filter((word) => word !== "");
  const capital = words.filter((word) => /^\p{Lu}/u.test(word));
  return (
    capital.length >= MIN_NAME_WORDS &&
    words.every((word) => word.length < MIN_LONG || /^\p{Lu}/u.test(word))
  );
}

const MIN_LONG = 4;

/**
 * The people in the only line below a record's title: a line of capitalized words below a title that
 * has others. German writes all nouns with a capital.
 */
export function findPeopleBelowTitle(
  { concepts }: Name,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const { model } = scope;
  if (scope.isPage || model.language === "de") return undefined;
  if (!OF_PEOPLE.some((concept) => concepts.has(concept))) return undefined;
  const found = scope.pieces.flatMap((node) => {
    const title = findTitleLine(model, node);
    if (title === undefined) return [];
    const [line, ...others] = model.text
      .slice(title.to, node.to)
      .replace(REST_OF_LINE, "")
      .split("\n")
      .map((each) => each.trim())
      .filter((each) => each !== "");
    const isBelowSentence = model
      .lineOf(title)
      .split(/\s+/)
      .some((word) => word.length >= MIN_LONG && /^\p{Ll}/u.test(word));
    return line !== undefined && others.length === 0 && isBelowSentence && isNameLike(line)
      ? [{ node, line }]
      : [];
  });
  const [only, other] = found;
  if (only === undefined || other !== undefined) return undefined;
  const leaf = toVisibleLeaf(scope, only.node, only.line, "list", only.line);
  return { found: { leaves: [leaf], confidence: "medium", node: only.node } };
}
