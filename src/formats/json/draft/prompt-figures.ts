// Reads defaults for all figures from a prompt: "the nine months of 2026, in EUR million". They apply
// to numbers of a schema whose name and description give no period or scale.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName } from "../names/names.ts";
import { parseScale } from "../values/scales.ts";
import { BEFORE, stripPeriod } from "../visible/period-columns.ts";
import { readPeriod } from "../visible/read-period.ts";

/** "in EUR million", "in thousands", "in Mio. €". */
const SCALE_PHRASE =
  /(?<!\p{L})in\s(?:[A-Z]{3}\s|\p{Sc}\s?|(?:euros?|dollars?)\s)?(\p{L}{2,12})/giu;
/** Words of names of amounts that reports give in millions or thousands. */
const MONEY_WORDS =
  /^(?:revenue|sale|turnover|income|profit|loss|earning|ebit|ebita|ebitda|cost|expense|expenditure|asset|liability|debt|borrowing|equity|cash|capex|capital|dividend|tax|backlog|intake|order|goodwill|inventory|receivable|payable|provision|budget|premium|deposit|loan|umsatz|gewinn|ergebnis|chiffre|resultat|omsattning|przychody|fatturato|ingresos)$/;
/** Words of figures about such amounts. */
const NOT_MONEY_WORDS =
  /^(?:per|percent|percentage|pct|margin|ratio|rate|growth|change|share|eps|return|cover|coverage|yield|leverage|count|number|multiple|to)$/;
/** "As of 30 September 2026" is a day, and "published in November 2026" a date. */
const YEAR_ALONE = /(?<!\d)(?:19|20)\d\d(?!\d)/;
const FISCAL = /(?:full|fiscal|financial)[ -]year|\bFY|annual|geschäftsjahr|exercice|ejercicio/i;

type PromptDefaults = {
  readonly period: { readonly part: string | undefined; readonly year: number } | undefined;
  readonly scale: string | undefined;
};

function readPrompt(prompt: string): PromptDefaults {
  const found = readPeriod(prompt);
  // A year alone may be that of anything.
  const period = found?.part === undefined && !FISCAL.test(prompt) ? undefined : found;
  const scales = [...prompt.matchAll(SCALE_PHRASE)].flatMap(([phrase, word = ""]) =>
    parseScale(word) === undefined ? [] : [phrase],
  );
  return { period, scale: scales.length === 1 ? scales[0] : undefined };
}

/** Adds the period and the scale of the prompt to the descriptions of the numbers of a shape. */
export function describeByPrompt(shape: Shape, prompt: string): Shape {
  const defaults = readPrompt(prompt);
  return defaults.period === undefined && defaults.scale === undefined
    ? shape
    : describe(shape, "", defaults);
}

function describe(shape: Shape, name: string, defaults: PromptDefaults): Shape {
  if (shape.kind === "number" || shape.kind === "integer") {
    const description = [shape.description, ...listNotes(shape, name, defaults)].join(" ").trim();
    return { ...shape, description };
  }
  const properties = new Map(
    [...shape.properties].map(([key, each]) => [key, describe(each, key, defaults)] as const),
  );
  const items = shape.items === undefined ? undefined : describe(shape.items, name, defaults);
  return { ...shape, properties, items };
}

function listNotes(
  { description }: Shape,
  name: string,
  { period, scale }: PromptDefaults,
): string[] {
  const { words } = parseName(name);
  const isOwn = YEAR_ALONE.test(`${words.join(" ")} ${description}`);
  const notes: string[] = [];
  if (period !== undefined && !isOwn && !words.some((word) => PERIOD_WORDS.test(word))) {
    const year = words.some((word) => BEFORE.has(word)) ? period.year - 1 : period.year;
    notes.push(`${period.part?.toUpperCase() ?? "FY"} ${year}`);
  }
  const figure = stripPeriod(parseName(name)).words;
  const isMoney =
    figure.some((word) => MONEY_WORDS.test(word)) &&
    !figure.some((word) => NOT_MONEY_WORDS.test(word) || parseScale(word) !== undefined);
  if (scale !== undefined && isMoney) notes.push(scale);
  return notes;
}

/** Words of names that have a period of their own: `q3_revenue`, `revenue_9m`. */
const PERIOD_WORDS = /^(?:[qht][1-4]|[1-4][qh]|9m|6m|12m|fy|ytd|ltm|ttm)$/;
