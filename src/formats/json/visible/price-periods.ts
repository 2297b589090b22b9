// The billing period that is written behind a price or that a name asks for: per night, a month, a year.
import { MAX_PRICE_LINE, type Place, type VisibleScope } from "./visible-scope.ts";

export type Period = "hour" | "day" | "week" | "month" | "year";

/** Billing periods as written behind a price. */
const PERIODS: readonly (readonly [Period, RegExp])[] = [
  ["hour", /(?:\/|per|an|pro|par|por|all')\s?(?:hour|hr|h|stunde|std|heure|hora|ora)\b/iu],
  [
    "day",
    /(?:\/|per|a|pro|par|por|al)\s?(?:day|night|tag|nacht|jour|nuit|día|noche|giorno|notte)\b|\bp\.?d\.?(?=\W|$)/iu,
  ],
  [
    "week",
    /(?:\/|per|a|pro|par|por)\s?(?:week|wk|woche|semaine|semana|settimana)\b|\bp\.?w\.?(?=\W|$)/iu,
  ],
  [
    "month",
    /(?:\/|per|a|pro|par|por|im|al)\s?(?:calendar\s)?(?:month|mo|mth|monat|mois|mes|mês|mese|maand|mies|měs|mån)\b|\bp\.?\s?c?\.?m\.?(?=\W|$)|monthly|monatlich|mensuel|月/iu,
  ],
  [
    "year",
    /(?:\/|per|a|pro|par|por|im|all')\s?(?:year|yr|annum|jahr|an|ans|année|año|ano|anno|jaar|rok|år)\b|\bp\.?a\.?(?=\W|$)|yearly|annually|jährlich|年/iu,
  ],
];

const WANTED_PERIODS: Readonly<Record<string, Period>> = {
  hourly: "hour",
  hour: "hour",
  daily: "day",
  day: "day",
  nightly: "day",
  night: "day",
  weekly: "week",
  week: "week",
  monthly: "month",
  month: "month",
  mensuel: "month",
  monatlich: "month",
  yearly: "year",
  year: "year",
  annual: "year",
  annually: "year",
};

/** The billing period in a property's name: `weekly_rent`, `price_per_month`. */
export const findPeriodInWords = (words: readonly string[]): Period | undefined =>
  words.map((word) => WANTED_PERIODS[word]).find((period) => period !== undefined);

/** The billing period of a price, by the words behind it in its piece or in the next one. */
export function findPeriod({ model }: VisibleScope, { node, value }: Place): Period | undefined {
  const parent = model.parent(node);
  const around = parent === undefined || parent.to - parent.from > MAX_PRICE_LINE ? node : parent;
  const line = model.lineOf(around);
  const behind = line.slice(line.indexOf(value.text) + value.text.length).slice(0, 24);
  return PERIODS.find(([, pattern]) => pattern.test(behind))?.[0];
}
