// Reads the period that a name or a header of a table has: "H1 2025", "Kv 2 2025", "Jan–jun 2025",
// "First half of 2025", "Helår 2024".

export type NamedPeriod = {
  readonly year: number;
  /** "h1", "q3" or "9m"; undefined for a whole year. */
  readonly part: string | undefined;
  /** The text without the period and the unit behind it. */
  readonly measure: string;
};

const YEAR = /(?<!\d)(?:19|20)\d\d(?![\d/])/g;

/** The day and month of a date in digits: "31.12.2024". */
const DAY_BEFORE_YEAR = /(?<!\d)\d{1,2}[./]\d{1,2}[./](?=(?:19|20)\d\d(?!\d))/g;

const ORDINALS: readonly string[] = [
  String.raw`first|1st|erste[sn]?|premier|primer|primo|primeiro|eerste|första|første|1[.:]?a?`,
  String.raw`second|2nd|zweite[sn]?|deuxième|segundo|secondo|tweede|andra|andet|andre|2[.:]?a?`,
  String.raw`third|3rd|dritte[sn]?|troisième|tercer|terzo|terceiro|derde|tredje|3[.:]?e?`,
  String.raw`fourth|4th|vierte[sn]?|quatrième|cuarto|quarto|vierde|fjärde|fjerde|4[.:]?e?`,
];
const QUARTER = "quarter|quartal|quartals|trimestre|kwartaal|kvartalet|kvartal|kwartał";
const HALF = "half[- ]year|half|halbjahr|halbjahrs|hj|semestre|semester|halfjaar|halvåret|halvår";
const OF = String.raw`(?:\s(?:of|des|de|del|van))?`;

const toPattern = (source: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\d])(?:${source})(?![\p{L}\d])`, "giu");

/** Names of months in several languages, and their short forms. */
export const MONTHS = String.raw`jan(?:uary|uar|vier|\.)?|januari|enero|gennaio|feb(?:ruary|ruar|ruari)?|février|febrero|febbraio|mar(?:ch|s|zo)?|märz|maart|apr(?:il|ile)?|avril|abril|may|mai|maj|mei|mayo|maggio|jun(?:e|i|io)?|juin|giugno|jul(?:y|i|io)?|juillet|luglio|aug(?:ust|usti|ustus)?|août|agosto|sept?(?:ember|embre|iembre)?|settembre|oct(?:ober|obre)?|okt(?:ober)?|octubre|ottobre|nov(?:ember|embre|iembre)?|dec(?:ember)?|dez(?:ember)?|décembre|diciembre|dicembre`;

/** Spellings of parts of a year; those of a whole year have none. */
const PARTS: readonly (readonly [part: string | undefined, spelling: RegExp])[] = [
  [
    undefined,
    toPattern(
      String.raw`(?:full|fiscal|financial) year|fy|gj|geschäftsjahr|gesamtjahr|helår(?:et)?|exercice|ejercicio|esercizio|boekjaar|year ended|twelve months?|12 months?|12m`,
    ),
  ],
  ...ORDINALS.map((ordinal, at): readonly [string, RegExp] => [
    `q${at + 1}`,
    toPattern(
      String.raw`q${at + 1}(?!\s?[-–]\s?\d)|${at + 1}q|t${at + 1}|${at + 1}t|(?:kv|kw|kvartal|quartal)\.?\s?${at + 1}|(?:${ordinal})\s(?:${QUARTER})${OF}`,
    ),
  ]),
  ...ORDINALS.slice(0, 2).map((ordinal, at): readonly [string, RegExp] => [
    `h${at + 1}`,
    toPattern(
      String.raw`h${at + 1}|${at + 1}h|s${at + 1}|${at + 1}s|hj\s?${at + 1}|(?:${ordinal})\s(?:${HALF})${OF}`,
    ),
  ]),
  [
    "h1",
    toPattern(
      String.raw`jan\p{L}*\.?\s?(?:[-–]|to|bis|à|a|t\/m)\s?(?:june?|juni|juin|junio|giugno)|six months?|6 months?|6m|sechs monate|six mois`,
    ),
  ],
  [
    "9m",
    toPattern(
      String.raw`jan\p{L}*\.?\s?(?:[-–]|to|bis|à|a|t\/m)\s?(?:sept?|september|septembre|septiembre|settembre)|nine months?|9 months?|9m|neun monate|neuf mois`,
    ),
  ],
];

/** A currency and scale at the end of a measure: "Net sales, MSEK". */
const UNIT_AT_END =
  /,?\s\(?(?:[MTk]?(?:[A-Z]{3}|\p{Sc})|in\s\p{L}+\.?(?:\s(?:[A-Z]{3}|\p{Sc}))?)\)?$/u;

/** The only period that a text names; undefined for none or several. */
export function readPeriod(written: string): NamedPeriod | undefined {
  const text = written.replaceAll(/\bFY(?=\d)/gi, "FY ");
  const [year, ...years] = new Set(text.match(YEAR));
  if (year === undefined || years.length > 0) return undefined;
  const found = PARTS.filter(([, spelling]) => text.search(spelling) >= 0);
  const [part, ...parts] = new Set(found.map(([each]) => each));
  if (parts.length > 0) return undefined;
  const measure = [DAY_BEFORE_YEAR, YEAR, ...found.map(([, spelling]) => spelling)]
    .reduce((rest, pattern) => rest.replaceAll(pattern, " "), text)
    .replaceAll(/\s+/g, " ")
    .trim();
  return { year: Number(year), part, measure: measure.replace(UNIT_AT_END, "") };
}
