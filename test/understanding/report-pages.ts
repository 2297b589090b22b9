import { NUMBER, pageOf, readObject, readRows, STRING, tableOf } from "./schema-pages.ts";

/** A figure that a page gives for a numeric property; undefined when it must give none. */
export type Case = readonly [
  statement: string,
  html: string,
  property: string,
  value: number | undefined,
];
/** The rows that a page gives for the list `segments`, whose properties are separated by "|". */
export type RowsCase = readonly [
  statement: string,
  html: string,
  properties: string,
  rows: unknown[][],
];

const HEADINGS = {
  en: "Key figures",
  de: "Kennzahlen",
  fr: "Chiffres clés",
  es: "Cifras clave",
  sv: "Nyckeltal",
};
const cellsOf = (line: string): string[] => line.split("|");
/** Builds a page with a heading that names no measure and no period. */
export const page = (lang: keyof typeof HEADINGS, body: string): string =>
  pageOf(lang, `<h1>${HEADINGS[lang]}</h1>${body}`);
/** Builds a table from lines of cells separated by "|". */
export const table = (heads: string, ...rows: readonly string[]): string =>
  tableOf(cellsOf(heads), ...rows.map(cellsOf));
/** Builds an English page with one table; default rows by the number of columns. */
export const en = (heads: string, ...rows: readonly string[]): string =>
  page(
    "en",
    table(heads, ...(rows.length === 0 ? (YEARS[cellsOf(heads).length - 3] ?? []) : rows)),
  );
export const de = (heads: string, ...rows: readonly string[]): string =>
  page("de", table(heads, ...rows));
export const fr = (heads: string, ...rows: readonly string[]): string =>
  page("fr", table(heads, ...rows));
export const es = (heads: string, ...rows: readonly string[]): string =>
  page("es", table(heads, ...rows));
export const sv = (heads: string, ...rows: readonly string[]): string =>
  page("sv", table(heads, ...rows));

export const TWO = ["Revenue|61.5|58.0", "Net income|(3.1)|4.4", "Employees|412|398"];
const THREE = ["Revenue|61.5|58.0|55.2", "Net income|(3.1)|4.4|3.9", "Employees|412|398|377"];
export const FOUR = [
  "Revenue|61.5|58.0|31.2|29.7",
  "Net income|(3.1)|4.4|1.9|2.2",
  "EPS (€)|(0.31)|0.44|0.19|0.22",
];
const YEARS = [TWO, THREE, FOUR];
export const UMSATZ = ["Umsatz|61,5|58,0", "EBIT|–3,1|4,4"];
export const VENTES = ["Chiffre d’affaires|61,5|58,0", "Résultat net|-3,1|4,4"];
export const INGRESOS = ["Ingresos|61,5|58,0", "Beneficio neto|-3,1|4,4"];
export const OMSATTNING = ["Nettoomsättning|61,5|58,0", "Rörelseresultat|3,1|4,4"];

/** Builds a table with two header rows: groups such as "Revenue:2025,2024" over their columns. */
export const grouped = (corner: string, groups: string, ...rows: readonly string[]): string => {
  const parts = cellsOf(groups).map((group) => group.split(":"));
  const heads = parts.map(([, columns = ""]) => columns.split(","));
  return `<table class="w-full"><thead><tr><th rowspan="2" scope="col">${corner}</th>${parts
    .map(([name], at) => `<th colspan="${heads[at]?.length}" scope="colgroup">${name}</th>`)
    .join("")}</tr><tr>${heads
    .flat()
    .map((head) => `<th scope="col">${head}</th>`)
    .join("")}</tr></thead><tbody>${rows
    .map(cellsOf)
    .map(
      ([name, ...cells]) =>
        `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
    )
    .join("")}</tbody></table>`;
};

/** Reads a numeric property, given as "name" or "name: description". */
export const readFigure = (html: string, property: string): unknown => {
  const [name = "", description] = property.split(": ");
  const schema = description === undefined ? NUMBER : { ...NUMBER, description };
  return readObject(html, { [name]: schema })[name] ?? undefined;
};
/** Reads every row of `segments`, whose properties are separated by "|"; null when missing. */
export const readSegments = (html: string, names: string): unknown[][] => {
  const properties = cellsOf(names);
  const schema = properties.map((name) => [name, name === "segment" ? STRING : NUMBER] as const);
  const given = readRows(html, "segments", Object.fromEntries(schema));
  return given.map((row) => properties.map((name) => row[name] ?? null));
};
