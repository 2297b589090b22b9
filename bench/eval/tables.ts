// Markdown tables of the scorers' results.

export type TextRow = {
  readonly name: string;
  readonly n: number;
  readonly f1: number;
  readonly p: number;
  readonly r: number;
  readonly cpu: number;
  readonly empty?: number;
  readonly groups?: Readonly<Record<string, number>>;
};
export type StructureRow = {
  readonly name: string;
  readonly structure: Readonly<Record<string, { readonly n: number; readonly f1: number }>>;
};
export type MetaRow = {
  readonly name: string;
  readonly meta: Readonly<
    Record<string, { readonly n: number; readonly exact: number; readonly near: number }>
  >;
};
/** By set, a row for each tool. */
export type Scores<Row> = Readonly<Record<string, readonly Row[]>>;

const SETS: Readonly<Record<string, string>> = {
  "wcxb-dev": "WCXB dev, word F1",
  aeb: "AEB, 4-token shingles",
  trafilatura: "trafilatura's set, segments",
};
/** Published scores of trafilatura on the same pages, for machines without it. */
const PUBLISHED: Readonly<Record<string, number>> = {
  "wcxb-dev": 0.817,
  aeb: 0.956,
  trafilatura: 0.925,
};
const formatFigure = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? "–" : value.toFixed(3).replace(/^0/, "");

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return `${line(head)}${line(head.map(() => "---"))}${rows.map(line).join("")}`;
}

function formatTextTables(scores: Scores<TextRow>, title: string): string {
  const parts = Object.entries(SETS).flatMap(([set, words]) => {
    const rows = (scores[set] ?? []).toSorted((one, other) => other.f1 - one.f1);
    const [first] = rows;
    if (first === undefined) return [];
    const cells = rows.map(({ name, f1, p, r, empty = 0, cpu }) => [
      name,
      formatFigure(f1),
      formatFigure(p),
      formatFigure(r),
      String(empty),
      cpu.toFixed(1),
    ]);
    const published = PUBLISHED[set];
    if (title === "" && published !== undefined && !rows.some(({ name }) => name === "trafilatura"))
      cells.push(["trafilatura, as published", formatFigure(published), "–", "–", "–", "–"]);
    const head = [`${words} (${first.n} pages${title})`, "F1", "P", "R", "empty", "CPU ms"];
    return [formatTable(head, cells)];
  });
  return parts.join("\n");
}

function formatKindTable(rows: readonly TextRow[], title: string): string {
  const kinds = Object.keys(rows[0]?.groups ?? {});
  if (kinds.length === 0) return "";
  const cells = rows.map(({ name, groups }) => [
    name,
    ...kinds.map((kind) => formatFigure(groups?.[kind])),
  ]);
  return formatTable([`WCXB by kind${title}`, ...kinds], cells);
}

function formatStructureTable(rows: readonly StructureRow[]): string {
  const parts = Object.entries(rows[0]?.structure ?? {});
  const head = ["Markdown structure, WCXB dev", ...parts.map(([part, { n }]) => `${part} (${n})`)];
  const cells = rows.map(({ name, structure }) => [
    name,
    ...parts.map(([part]) => formatFigure(structure[part]?.f1)),
  ]);
  return formatTable(head, cells);
}

function formatMetaTable(scores: Scores<MetaRow>): string {
  const fields = ["title", "author", "date"];
  const cells = Object.entries(scores).flatMap(([set, rows]) =>
    rows.map(({ meta }) => [
      set,
      ...fields.map((field) => {
        const found = meta[field];
        return found === undefined ? "–" : formatFigure(found.near / found.n);
      }),
    ]),
  );
  return formatTable(["metadata, found and right but for spelling", ...fields], cells);
}

/**
 * All tables of pages: each set, kinds, structure, metadata; for text also the held-out domains
 * alone.
 */
export function formatPageTables(scores: {
  readonly all: Scores<TextRow>;
  readonly held: Scores<TextRow>;
  readonly structure: Scores<StructureRow>;
  readonly meta: Scores<MetaRow>;
}): string {
  return [
    formatTextTables(scores.all, ""),
    formatKindTable(scores.all["wcxb-dev"] ?? [], ""),
    formatTextTables(scores.held, ", held-out domains"),
    formatKindTable(scores.held["wcxb-dev"] ?? [], ", held-out domains"),
    formatStructureTable(scores.structure["wcxb-dev"] ?? []),
    formatMetaTable(scores.meta),
  ].join("\n");
}
