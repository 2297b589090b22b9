import { expect } from "vitest";
import { draftPage } from "./derive-page.ts";

/** A value that may be missing, because the style leaves it uncertain. It must not be another one. */
class Maybe {
  readonly values: readonly unknown[];
  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}

interface Reference {
  authors: unknown;
  year: unknown;
  title: unknown;
  journal: unknown;
  conference: unknown;
  book: unknown;
  volume: unknown;
  issue: unknown;
  pages: unknown;
  doi: unknown;
}

/**
 * An entry of a list and what a reader takes from it: `authors | year | title | journal | volume(issue) | pages | doi`.
 * Authors are divided by `;`. `conf:` and `book:` mark other containers than journals. A value behind `?` may be missing, `~`
 * divides alternatives. An empty value must not be given.
 */
export type Entry = readonly [html: string, expected: string];

function parseValue(text = "", change: (value: string) => unknown = String): unknown {
  if (text === "") return undefined;
  if (!text.startsWith("?")) return change(text);
  return new Maybe(text.slice(1).split(" ~ ").map(change));
}

function parseReference(expected: string): Reference {
  const [authors, year, title, container = "", place = "", pages, doi] = expected.split(/\s*\|\s*/);
  const [, unsure = "", kind = "journal", name] =
    /^(\?)?(?:(conf|book): )?(.*)$/.exec(container) ?? [];
  const [volume = "", issue = ""] = place.replace(/\)$/, "").split("(");
  const named = (wanted: string) =>
    kind === wanted && name !== "" ? parseValue(unsure + name) : undefined;
  return {
    authors: parseValue(authors, (names) => names.split("; ")),
    year: parseValue(year, Number),
    title: parseValue(title),
    journal: named("journal"),
    conference: named("conf"),
    book: named("book"),
    volume: parseValue(volume),
    issue: parseValue(
      volume.startsWith("?") && !issue.startsWith("?") && issue !== "" ? `?${issue}` : issue,
    ),
    pages: parseValue(pages),
    doi: parseValue(doi),
  };
}

const string = { type: "string" };
const integer = { type: "integer" };

/** Two schemas for the same list: names as in BibTeX, and names as in a spreadsheet. */
const SCHEMAS = {
  fields: {
    title: string,
    authors: { type: "array", items: string },
    year: integer,
    journal: string,
    volume: string,
    issue: string,
    pages: string,
    doi: string,
  },
  columns: {
    paper_title: string,
    authors: string,
    publication_year: integer,
    venue: string,
    booktitle: string,
  },
};

const optional = (value: unknown): unknown =>
  value === undefined || value instanceof Maybe ? value : new Maybe([value]);
const dash = (pages: string): string => pages.replaceAll(/\s*[–—-]+\s*/g, "-");
const PROPERTIES: Record<string, (reference: Reference) => unknown> = {
  paper_title: ({ title }) => title,
  publication_year: ({ year }) => year,
  journal: ({ journal, conference }) => journal ?? optional(conference),
  venue: ({ journal, conference, book }) => journal ?? conference ?? optional(book),
  booktitle: ({ conference, book }) => conference ?? book,
};

/** Lists of authors are compared name by name, texts of authors without the words and signs between names. */
function isSame(name: string, given: unknown, expected: unknown): boolean {
  if (name === "pages" && typeof given === "string" && typeof expected === "string") {
    return dash(given) === dash(expected);
  }
  if (name === "authors" && typeof given === "string" && Array.isArray(expected)) {
    return namesOf(given) === namesOf(expected.join(" "));
  }
  return JSON.stringify(given) === JSON.stringify(expected);
}

const namesOf = (text: string): string =>
  text
    .replaceAll(/\bet al\b\.?|\b(?:and|und|et)\b|[&,;/…]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

function compareProperty(name: string, given: unknown, reference: Reference): string | undefined {
  const expected =
    name in PROPERTIES ? PROPERTIES[name]?.(reference) : reference[name as keyof Reference];
  const allowed = expected instanceof Maybe ? [undefined, ...expected.values] : [expected];
  if (allowed.some((value) => isSame(name, given, value))) return undefined;
  const right = allowed.map((value) => JSON.stringify(value) ?? "nothing").join(" or ");
  return given === undefined
    ? `no ${name}, expected ${right}`
    : `WRONG ${name} ${JSON.stringify(given)}, expected ${right}`;
}

type Row = Readonly<Record<string, unknown>>;

const compare = (row: Row, reference: Reference, names: readonly string[]): readonly string[] =>
  names
    .map((name) => compareProperty(name, row[name], reference))
    .filter((fault) => fault !== undefined);

/** Rows of the list `publications` of a page's draft. */
export function readRows(html: string, properties: Record<string, unknown>): readonly Row[] {
  const items = { type: "object", properties };
  const schema = { type: "object", properties: { publications: { type: "array", items } } };
  const value = draftPage(html, schema).value as { publications?: readonly Row[] } | undefined;
  return value?.publications ?? [];
}

/** Faults of a page's rows: wrong values, missing values, missing and surplus rows. */
function findFaults(
  html: string,
  properties: Record<string, unknown>,
  references: readonly Reference[],
): readonly string[] {
  const names = Object.keys(properties);
  const rows = [...readRows(html, properties)];
  const faults = references.flatMap((reference, at) => {
    const ranked = rows
      .map((row, index) => ({ row, index, faults: compare(row, reference, names) }))
      .toSorted((one, other) => one.faults.length - other.faults.length);
    // A row belongs to the reference with which it shares most; pages list them in the order of the references.
    const best = rows.length === references.length - at ? { row: rows[0], index: 0 } : ranked[0];
    if (best?.row === undefined) return [`${at + 1}: no row`];
    rows.splice(best.index, 1);
    return compare(best.row, reference, names).map((fault) => `${at + 1}: ${fault}`);
  });
  return [...faults, ...rows.map((row) => `surplus row ${JSON.stringify(row)}`)];
}

/** A page of today with navigation and footer around its main content. */
export const publicationPage = (main: string, heading = "Publications", lang = "en"): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${heading} – Coastal Lab</title></head>
<body class="antialiased"><header class="site-header"><a href="/" class="logo">Coastal Lab</a><nav><ul><li><a href="/people">People</a></li><li><a href="/research">Research</a></li><li><a href="/publications">Publications</a></li><li><a href="/contact">Contact</a></li></ul></nav></header>
<main class="container mx-auto"><h1>${heading}</h1>${main}</main>
<footer><p>© 2026 Coastal Lab, Strandgate 12, 5003 Bergen</p><ul><li><a href="/imprint">Imprint</a></li><li><a href="/privacy">Privacy</a></li></ul></footer></body></html>`;

const bulletList = (entries: readonly Entry[]): string =>
  `<ul class="publications">${entries.map(([html], at) => `<li>${html} <a href="/pdf/${at}.pdf">[PDF]</a></li>`).join("\n")}</ul>`;

/** Reads a page with a list of the entries with both schemas. */
export function expectRead(
  entries: readonly Entry[],
  {
    lang = "en",
    layout = bulletList,
  }: { lang?: string; layout?: (entries: readonly Entry[]) => string } = {},
): void {
  const html = publicationPage(layout(entries), "Publications", lang);
  const references = entries.map(([, expected]) => parseReference(expected));
  const faults = Object.entries(SCHEMAS).flatMap(([name, properties]) =>
    findFaults(html, properties, references).map((fault) => `${name} ${fault}`),
  );
  expect(faults).toEqual([]);
}
