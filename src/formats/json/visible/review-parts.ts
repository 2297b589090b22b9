// Parts of a review or comment that have no labels: who wrote it and what it says.
import type { PageNode } from "../../../page-model/node.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { findTitleNode } from "./visible-title.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

const REVIEW_LISTS: ReadonlySet<string> = new Set(
  "review comment testimonial opinion feedback post reply answer bewertung rezension kommentar avis commentaire temoignage resena opiniones comentario recensione commento avaliacao beoordeling reactie recenzja komentarz omdome".split(
    " ",
  ),
);

/** True for the records of a list whose name says that they are reviews or comments. */
export const isReviewList = (typeWords: ReadonlySet<string>): boolean =>
  [...typeWords].some((word) => REVIEW_LISTS.has(word));

const MIN_WORDS = 3;
/** Maximum characters of a line with the author, date and rating of a review. */
const MAX_BYLINE = 120;
/** A name or nickname: up to four words, no sentence. */
const NAME =
  /^(?:by |von |par |door |av |di )?([\p{L}][\p{L}\d_.'’-]{0,24}(?:[\s,]{1,2}[\p{L}\d][\p{L}\d_.'’-]{0,24}){0,3})$/iu;
const NO_NAME =
  /^(?:am|pm|uhr|on|by|written|posted|published|geschrieben|verfasst|publié|publicado|pubblicato|geplaatst|today|yesterday|edited|new|top|heute|gestern|neu|hier|oggi|ieri|hoy|ayer)$|verif|purchase|kauf|achat|compra|acquist|aankoop|recommend|helpful|hilfreich|utile|reply|report|review|rating|star|bewert|avis|reseñ|recens|beoordel|usa\b|united/iu;
/** "Mara Lind on" before a date. */
const BEHIND_NAME = /(?:[,:–-]|(?<!\S)(?:on|am|vom|le|du|el|il|del|op|den|em|dnia|w dniu))\s*$/u;
const STARS =
  /(?<!\p{L})(?:stars?|sterne?n?|étoiles?|estrel(?:la|a)s?|stelle|sterren|gwiazd\p{L}*|stjärn\p{L}*)(?!\p{L})/giu;
const SEPARATOR = /\s*[·•|]\s*|\s+[–—]\s+|\n/u;
const EMPHASIS: ReadonlySet<string> = new Set(["strong", "b", "a", "cite", "h3", "h4", "h5"]);

/** The only long text of a review beside its title. */
export function findReviewText(scope: VisibleScope): VisibleAnswer | undefined {
  const node = findTextNode(scope);
  if (node === undefined) return undefined;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, node, scope.model.lineOf(node), "list")],
      confidence: "medium",
      node,
    },
  };
}

function findTextNode(scope: VisibleScope): PageNode | undefined {
  const { model } = scope;
  const long = scope.pieces.filter((piece) => {
    const line = model.lineOf(piece);
    const isHeading = /^h[1-6]$/.test(piece.element.name);
    const isText = !isHeading && countWords(line) >= MIN_WORDS;
    return isText && !isByline(scope, piece) && !isRating(scope, piece);
  });
  const sorted = long.toSorted((one, other) => other.to - other.from - (one.to - one.from));
  const [first, second] = sorted;
  if (first === undefined) return undefined;
  // A title is shorter than its text.
  const isOnly = second === undefined || first.to - first.from >= (second.to - second.from) * 2;
  return isOnly ? first : undefined;
}

/** A line with a date, and little else. */
function isByline({ model }: VisibleScope, piece: PageNode): boolean {
  if (piece.to - piece.from > MAX_BYLINE) return false;
  const dates = model.typedValues(piece).filter(({ type }) => type === "date");
  const rest = dates.reduce((line, { text }) => line.replace(text, " "), model.lineOf(piece));
  return dates.length > 0 && rest.trim().split(/\s+/).length <= 8;
}

/** "Rated 4 out of 5 stars". */
function isRating({ model }: VisibleScope, piece: PageNode): boolean {
  const rating = model.typedValues(piece).find(({ type }) => type === "rating");
  return rating !== undefined && countWords(model.lineOf(piece).replace(rating.text, " ")) <= 2;
}

const countWords = (line: string): number => line.split(/\s+/).filter((word) => word !== "").length;

/** The only name in a review: in an element of its own, or beside the date. */
export function findReviewAuthor(scope: VisibleScope): VisibleAnswer | undefined {
  const text = findTextNode(scope);
  const parts = scope.pieces.filter(
    (piece) => piece !== text && piece.to - piece.from <= MAX_BYLINE,
  );
  const title = findTitleNode(scope);
  const bylines = parts.filter((piece) => isByline(scope, piece));
  const inBylines = bylines.flatMap((piece) => listNames(scope, piece));
  const others = parts
    .filter((piece) => !bylines.includes(piece))
    .flatMap((piece) => listNames(scope, piece));
  const beside = others.filter(({ node }) => isBesideDate(scope, node));
  for (const found of [
    inBylines,
    beside,
    others.filter(({ node }) => title === undefined || !scope.model.contains(title, node)),
    others,
  ]) {
    const [first] = found;
    if (first === undefined) continue;
    if (new Set(found.map(({ name }) => name)).size > 1) return undefined;
    const leaf = toVisibleLeaf(scope, first.node, first.name, "list", first.name);
    return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
  }
  return undefined;
}

type FoundName = { readonly node: PageNode; readonly name: string };

/** The emphasized name in a piece, or the part of its line that reads as one. */
function listNames({ model }: VisibleScope, piece: PageNode): FoundName[] {
  const emphasized = model
    .below(piece)
    .filter(
      ({ element, from, to, index }) =>
        index !== piece.index && to > from && EMPHASIS.has(element.name),
    );
  for (const node of emphasized) {
    const name = readName(model.lineOf(node));
    if (name !== undefined) return [{ node, name }];
  }
  return model
    .textOf(piece)
    .split(SEPARATOR)
    .flatMap((part) => {
      const known = model.read(part).filter(({ type }) => type === "date" || type === "rating");
      const hasRating = known.some(({ type }) => type === "rating");
      const line = hasRating ? part.replaceAll(STARS, " ") : part;
      const rest = known.reduce((text, each) => text.replace(each.text, " "), line);
      const name = readName(
        rest
          .replace(/\s*[(（][^)）]*[)）]/u, "")
          .replace(/,\s[\p{Lu}][\p{L} ]+$/u, "")
          .trim(),
      );
      return name === undefined ? [] : [{ node: piece, name }];
    });
}

function readName(text: string): string | undefined {
  const name = NAME.exec(text.replace(BEHIND_NAME, "").trim())?.[1];
  return name === undefined || NO_NAME.test(name) ? undefined : name;
}

/** True if the smallest part around a node with more text has a date. */
function isBesideDate({ model, roots }: VisibleScope, node: PageNode): boolean {
  for (let at = model.parent(node); at !== undefined; at = model.parent(at)) {
    if (at.to - at.from > MAX_BYLINE || roots.includes(at)) return false;
    if (at.to - at.from <= node.to - node.from) continue;
    return model
      .below(at)
      .some(
        (each) =>
          each.element.name === "time" ||
          model.typedValues(each).some(({ type }) => type === "date"),
      );
  }
  return false;
}
