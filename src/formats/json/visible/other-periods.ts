// Parts of a page about another time than its main values: the weather of tomorrow, the figures of
// the year before. A property that does not name that time gets no value from them.
import type { PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { toSingularWords } from "../names/names.ts";

/** Whole headings that name another day or period. */
const OTHER =
  /^(?:the )?(?:tomorrow|yesterday|last (?:week|month|year|quarter|season)|next (?:week|month|year|quarter|season)|previous (?:week|month|year|quarter|season|day)|prior year|tonight|morgen|gestern|übermorgen|vorjahr|vormonat|letzte woche|nächste woche|demain|hier|après-demain|année précédente|semaine dernière|mañana|ayer|pasado mañana|año anterior|domani|ieri|dopodomani|anno precedente|amanhã|ontem|ano anterior|gisteren|overmorgen|vorig jaar|jutro|wczoraj|pojutrze|poprzedni rok|zítra|včera|minulý rok|imorgon|i morgon|igår|i går|föregående år|i morgen|завтра|вчера|послезавтра|прошлый год|вчора|yarın|dün|geçen yıl|明日|昨日|明後日|前年|前期|翌日|明天|昨天|后天|後天|去年|上年|내일|어제|모레|전년|غدا|غدًا|أمس)(?=$|[\s,:(–-])/iu;
const MAX_OTHER = 40;
/** Headings that are only a year, a half-year or a quarter; several of them make a history. */
const NUMBERED =
  /^(?:(?:FY|Q[1-4]|H[12]|year|jahr|année|año|anno|ano|rok|год)[\s/-]?)?(?:19|20)\d\d(?:[/–-]\d{2,4})?(?:年度?|년)?$/iu;
const MIN_NUMBERED = 2;

type Part = { readonly from: number; readonly end: number; readonly words: readonly string[] };

const parts = new WeakMap<PageModel, readonly Part[]>();

function listParts(model: PageModel): readonly Part[] {
  let known = parts.get(model);
  if (known === undefined) {
    const numbered = model.sections.filter(({ title }) => NUMBERED.test(title.trim()));
    const others = model.sections.filter(
      ({ title }) => title.length <= MAX_OTHER && OTHER.test(title.trim()),
    );
    known = [...(numbered.length >= MIN_NUMBERED ? numbered : []), ...others].map(
      ({ start, end, title }) => ({ from: start, end, words: toSingularWords(title) }),
    );
    parts.set(model, known);
  }
  return known;
}

/** True for a node in a part about another time that none of the words names. */
export const isInOtherPeriod = (
  model: PageModel,
  { index }: PageNode,
  words: readonly string[],
): boolean =>
  listParts(model).some(
    (part) =>
      index >= part.from && index < part.end && !part.words.every((word) => words.includes(word)),
  );
