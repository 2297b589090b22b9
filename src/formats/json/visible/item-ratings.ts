// Finds the rating of an item and the number of its ratings by their form: "4.6 (128 reviews)",
// "Rated 4.5 out of 5" beside "(128)".
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { TypedValue } from "../../../page-model/typed-values.ts";
import { selectPlacesOfType, type Place, type VisibleScope } from "./visible-scope.ts";
import { parseNumber } from "../../../page-model/parse-number.ts";

const REVIEWS =
  /^(?:reviews?|ratings?|opinions?|votes?|voti|stimmen|votos|głos(?:y|ów)|bewertung(?:en)?|rezensionen|kundenbewertungen|avis|évaluations?|reseñas?|opiniones|valoraciones|calificaciones|recensioni|valutazioni|avaliações|beoordelingen|recenzi[ei]|opinii|omdömen|recensioner|anmeldelser|отзыв(?:а|ов)?|оценок|レビュー|评价|評價|リビュー|리뷰|تقييم(?:ات)?)$/iu;

/** Maximum characters of a rating with the number of ratings beside it. */
const MAX_BLOCK = 80;
const MAX_STARS = 5;

export const isRatingCount = (unit: string): boolean => REVIEWS.test(unit);

/** Ratings; those with the number of ratings beside them come before those of single reviews. */
export function findRatings(scope: VisibleScope, isReview: boolean): Place[] {
  const all = [...selectPlacesOfType(scope, "rating"), ...listSpokenRatings(scope)];
  const exact = all.filter(({ value: { text } }) => /\d/.test(text));
  // Stars alone are rounded, except those of one review. Where no star of the page is open, the
  // filled part may be drawn by color.
  const isCounted = isReview && /[☆✩]/u.test(scope.model.text);
  const written = exact.length > 0 || !isCounted ? exact : all;
  const whole = written.filter(
    ({ node, value }) => findCountBeside(scope, node, value) !== undefined,
  );
  if (whole.length > 0) return whole;
  // A number beside a count is the rating of all; the others are of single reviews.
  const counted = [
    ...findBareRatings(scope),
    ...listCounts(scope).flatMap((place) => findRatingBeside(scope, place)),
  ];
  return written.length > 0 && !(scope.isPage && counted.length > 0) ? written : counted;
}

/** Numbers of ratings: "128 reviews", or a number alone beside the rating. */
export function findRatingCounts(scope: VisibleScope): Place[] {
  const written = listCounts(scope);
  if (written.length > 0) return written;
  const bare = findBareRatings(scope, true);
  if (bare.length > 0) return bare;
  return [...selectPlacesOfType(scope, "rating"), ...listSpokenRatings(scope)].flatMap(
    ({ node, value }) => findCountBeside(scope, node, value) ?? [],
  );
}

/** "4.7 (64)": a decimal of up to five with a count in brackets, and nothing else. */
const RATING_WITH_COUNT =
  /^[★⭐☆✩\s]*([1-5][.,]\d{1,2})[\s★⭐☆✩·]*[(（](\d[\d.,\u00A0\u202F]*)\s?[)）]$/u;

function findBareRatings(scope: VisibleScope, isCount = false): Place[] {
  const { model } = scope;
  const found: Place[] = [];
  for (const root of scope.roots)
    for (const node of model.below(root)) {
      if (isHidden(node) || node.to - node.from > MAX_BLOCK || !scope.has(node)) continue;
      const match = RATING_WITH_COUNT.exec(model.lineOf(node));
      const text = match?.[isCount ? 2 : 1];
      const amount = text === undefined ? undefined : parseNumber(text);
      if (text === undefined || amount === undefined) continue;
      found.push({ value: { type: isCount ? "quantity" : "rating", text, at: 0, amount }, node });
    }
  return found;
}

const listCounts = (scope: VisibleScope): Place[] =>
  selectPlacesOfType(scope, "quantity")
    .map(({ node, value }) => ({ node, value: joinDigitGroups(value) }))
    .filter(({ value: { unit = "" }, node }) =>
      unit.startsWith("件")
        ? /レビュー|口コミ|評価/.test(scope.model.lineOf(node))
        : isRatingCount(unit),
    );

/** "2.847 votes" are no 2.8 votes. */
function joinDigitGroups(value: TypedValue): TypedValue {
  const digits = /^\d{1,3}(?:[.,]\d{3})+(?!\d)/.exec(value.text)?.[0];
  return digits === undefined ? value : { ...value, amount: Number(digits.replaceAll(/\D/g, "")) };
}

/** "4.5 out of 5 stars" in a text for screen readers, alone or for signs such as "★★★★★". */
function listSpokenRatings(scope: VisibleScope): Place[] {
  const { model } = scope;
  return scope.roots
    .flatMap((root) => model.below(root))
    .flatMap((node): Place[] => {
      if (!/\d/.test(node.spoken) || !scope.has(node)) return [];
      if (!isHidden(node) && /[\p{L}\d]/u.test(model.lineOf(node))) return [];
      const [value, other] = model.read(node.spoken).filter(({ type }) => type === "rating");
      return value === undefined || other !== undefined ? [] : [{ value, node }];
    });
}

/** Parts of the page around a node, the smallest first. */
function* listBlocks({ model }: VisibleScope, node: PageNode): Generator<PageNode> {
  for (let at: PageNode | undefined = node; at !== undefined; at = model.parent(at)) {
    if (at.to - at.from > MAX_BLOCK) return;
    yield at;
  }
}

const NUMBERS = /(?<![\d.,\p{L}/-])\d[\d.,\u00A0\u202F]*(?![\d%])/gu;

/** The only whole number beside a rating, alone or in brackets. */
function findCountBeside(
  scope: VisibleScope,
  rating: PageNode,
  { text, best }: TypedValue,
): Place | undefined {
  for (const block of listBlocks(scope, rating)) {
    const counted = listCounts(scope).find(({ node }) => scope.model.contains(block, node));
    if (counted !== undefined) return counted;
    const line = scope.model.textOf(block).replaceAll("\n", " ").replace(text, " ");
    const rest = line.replace(/\d[.,]\d\s*(?:\/\s*\d+)?/u, " ").trim();
    const count = /^\D{0,8}[(（]?\s?(\d[\d.,\u00A0\u202F]*)\s?[)）]?$/u.exec(rest)?.[1];
    const amount = count === undefined ? undefined : parseNumber(count);
    if (count === undefined || amount === undefined || !Number.isInteger(amount)) continue;
    if (/\p{L}/u.test(rest) || amount === best) continue;
    const at = scope.model.textOf(block).indexOf(count);
    return { value: { type: "quantity", text: count, at, amount }, node: block };
  }
  return undefined;
}

/** The number of up to five stars before the number of ratings: "4.6 (128 reviews)". */
function findRatingBeside(scope: VisibleScope, { node, value: { text } }: Place): Place[] {
  for (const block of listBlocks(scope, node)) {
    const line = scope.model.textOf(block).replaceAll("\n", " ");
    const before = line.slice(0, Math.max(0, line.indexOf(text)));
    const [number, other] = before.match(NUMBERS) ?? [];
    if (number === undefined) continue;
    const amount = parseNumber(number);
    const isRating =
      other === undefined && /^\d[.,]\d{1,2}$/.test(number) && (amount ?? 9) <= MAX_STARS;
    if (!isRating || amount === undefined || /\p{Sc}/u.test(before)) return [];
    const at = line.indexOf(number);
    return [{ value: { type: "rating", text: number, at, amount }, node: block }];
  }
  return [];
}
