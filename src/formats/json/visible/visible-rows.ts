// Groups of similar parts on a page, as sources for a list of objects: rows of tables and repeated
// records.
import { TOTAL, type Grid, type GridCell, type GridRow } from "../../../page-model/grids.ts";
import { parseDateText } from "../../../html/metadata/date-text.ts";
import { isAside, isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { PageRecord, RecordSet } from "../../../page-model/records.ts";
import { chooseColumn } from "./period-columns.ts";
import { listReferences } from "./citations.ts";
import { findNodeAtPlace, findTitlePlace } from "./record-titles.ts";
import { scoreSimilarity, parseName, type Name } from "../names/names.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { isItemList, VisibleScope } from "./visible-scope.ts";

export type RowGroup = {
  /** One per row or record. */
  readonly scopes: readonly VisibleScope[];
  /** Caption or heading above. */
  readonly title: string;
  /** The heading above a table, which may have a caption as its title. */
  readonly heading?: string;
  /** True if each row is a period, such as a year. */
  readonly isOfPeriods?: boolean;
  /** Name of the list part of each row; "" if there are no parts. */
  readonly groups: readonly string[];
};

const MAX_GROUPS = 80;

export function listRowGroups(model: PageModel): RowGroup[] {
  const tables = model.grids.filter(({ node }) => !isAside(node));
  const whole = tables.map((grid) => buildGridGroup(model, grid));
  const grids = [...whole, ...tables.flatMap((grid) => buildTurnedGroup(model, grid))];
  const references = listReferences(model);
  const read = new Set(references.flatMap(({ scopes }) => scopes.flatMap(({ roots }) => roots)));
  const sets = model.recordSets
    .filter(
      (set) =>
        !set.isAside &&
        !set.records.some(({ nodes: [node] }) => node !== undefined && read.has(node)) &&
        set.parent.element.name !== "table" &&
        set.parent.element.name !== "tbody" &&
        !isBesideArticle(model, set),
    )
    .map((set) => buildRecordGroup(model, set));
  return [
    ...grids,
    ...grids.flatMap(listParts),
    ...joinTables(tables, whole),
    ...references,
    ...sets,
  ]
    .toSorted((one, other) => other.scopes.length - one.scopes.length)
    .slice(0, MAX_GROUPS);
}

/**
 * The only card of a list, such as the last page of results: a link around several texts, alone in
 * its parent inside the main part.
 */
export function listSingleCards(model: PageModel): RowGroup[] {
  return model.nodes.flatMap((node): RowGroup[] => {
    const parent = model.parent(node);
    const isCard =
      node.element.name === "a" &&
      parent !== undefined &&
      !isAside(node) &&
      !isHidden(node) &&
      /^(?:div|ul|ol|section|li)$/.test(parent.element.name) &&
      node.index === parent.index + 1 &&
      model.next(node) === undefined &&
      model.pieces(node).length >= MIN_CARD_TEXTS &&
      isMostOfMain(model, node);
    if (!isCard) return [];
    const title = model
      .pieces(node)
      .find((piece) => /\p{L}/u.test(model.lineOf(piece)) && model.typedValues(piece).length === 0);
    const scopes = [VisibleScope.record(model, { nodes: [node] }, title)];
    return [{ scopes, title: "", groups: [""] }];
  });
}

const MIN_CARD_TEXTS = 3;

/** Minimum share of the main part: a promoted card in an article is no list. */
const MIN_SHARE_OF_MAIN = 0.25;

function isMostOfMain(model: PageModel, node: PageNode): boolean {
  for (let at: PageNode | undefined = node; at !== undefined; at = model.parent(at))
    if (at.element.name === "main" || at.element.attribs["role"] === "main")
      return node.to - node.from >= (at.to - at.from) * MIN_SHARE_OF_MAIN;
  return false;
}

const MAX_PARTS = 40;

/** Tables with the same columns below headings of their own are one list in parts. */
function joinTables(tables: readonly Grid[], groups: readonly RowGroup[]): RowGroup[] {
  const byColumns = new Map<string, RowGroup[]>();
  for (const [at, { headers }] of tables.entries()) {
    const group = groups[at];
    if (group?.heading === undefined || group.heading === "" || headers.length < 2) continue;
    if (headers.some((header) => header === "")) continue;
    const columns = JSON.stringify(headers);
    byColumns.set(columns, [...(byColumns.get(columns) ?? []), group]);
  }
  return [...byColumns.values()].flatMap((parts): RowGroup[] => {
    const headings = new Set(parts.map(({ heading }) => heading));
    if (parts.length < 2 || parts.length > MAX_PARTS || headings.size < parts.length) return [];
    return [
      {
        scopes: parts.flatMap(({ scopes }) => scopes),
        title: "",
        groups: parts.flatMap(({ scopes, heading = "" }) => scopes.map(() => heading)),
      },
    ];
  });
}

/** The parts of a table that its group rows name, each as a list of its own. */
function listParts({ scopes, groups }: RowGroup): RowGroup[] {
  const titles = [...new Set(groups)].filter((title) => title !== "");
  if (titles.length < 2 || titles.length > MAX_PARTS) return [];
  return titles.map((title) => {
    const own = scopes.filter((_, at) => groups[at] === title);
    return { scopes: own, title, groups: own.map(() => "") };
  });
}

/** Cards outside of the article that holds the main heading lead to other pages of its kind. */
function isBesideArticle(model: PageModel, set: RecordSet): boolean {
  const { heading } = model;
  let article = heading;
  while (article !== undefined && article.element.name !== "article")
    article = model.parent(article);
  return (
    article !== undefined && !model.contains(article, set.parent) && isItemList(model, set, heading)
  );
}

function buildRecordGroup(model: PageModel, { records, title, groups }: RecordSet): RowGroup {
  const kept = records
    .map((record, at) => ({ record, group: groups[at] ?? "" }))
    .filter(({ record }) => !isTotal(model, record) && !isAd(model, record));
  const place = findTitlePlace(
    model,
    kept.map(({ record }) => record),
  );
  return {
    scopes: kept.map(({ record }) =>
      VisibleScope.record(
        model,
        record,
        place === undefined ? undefined : findNodeAtPlace(model, record, place),
      ),
    ),
    title,
    groups: kept.map(({ group }) => group),
  };
}

function buildGridGroup(model: PageModel, grid: Grid): RowGroup {
  const rows = grid.rows.filter((row, at) => !row.isFooter && !continues(grid.rows[at - 1], row));
  const leaves = findLeaves(grid);
  const isOfMatches = ["W", "L"].every((letter) => grid.headers.includes(letter));
  const heading = findTitleNode(model, grid);
  const title = grid.caption === "" ? heading : grid.caption;
  // A caption may only have the unit: "EUR million".
  const topic = UNIT_ONLY.test(title) ? heading : title;
  const pageTitle = model.heading === undefined ? "" : model.lineOf(model.heading);
  // "Segment revenue" with a column for each period: that of the page's period has the revenue.
  const current = topic === "" ? undefined : chooseColumn(grid, pageTitle, false, false);
  return {
    scopes: rows.map(({ node, cells }) =>
      VisibleScope.row(
        model,
        node,
        cells.flatMap((cell, column) =>
          cell === undefined
            ? []
            : [
                {
                  name: isOfMatches
                    ? (MATCH_COLUMNS[grid.headers[column] ?? ""] ?? nameColumn(grid, column, topic))
                    : nameColumn(grid, column, topic),
                  aliases: [
                    leaves[column] ??
                      (column === current ? (MEASURE_BY.exec(topic)?.[1] ?? topic) : undefined),
                    nameOfYear(grid, column, topic),
                  ].filter((name) => name !== undefined),
                  cell,
                },
              ],
        ),
      ),
    ),
    title,
    heading,
    groups: rows.map(({ group }) => group),
  };
}

/** "£m", "EUR million", "in thousands": the unit of a table in place of the name of its first column. */
const UNIT_ONLY =
  /^(?:in\s)?(?:[\p{Sc}]\s?(?:m|mn|bn|k)?|(?:[A-Z]{3}|[\p{Sc}])?\s?(?:millions?|thousands?|billions?|mio\.?|mrd\.?|tsd\.?|mln|m|k))$/iu;

/**
 * The first column names its rows where its header is empty or only a unit. Another column with a
 * unit as its header has what the table's title names: "Revenue by region".
 */
function nameColumn({ headers, hasRowHeaders }: Grid, column: number, title: string): string {
  const header = headers[column] ?? "";
  const isUnit = UNIT_ONLY.test(header);
  if (column === 0) return hasRowHeaders && (header === "" || isUnit) ? "name" : header;
  // Two columns without a header are labels with their values.
  if (column === 1 && header === "" && headers.length === 2 && headers[0] === "") return "value";
  const units = headers.filter((each) => UNIT_ONLY.test(each)).length;
  const [, measure] = MEASURE_BY.exec(title) ?? [];
  return isUnit && units === 1 && measure !== undefined ? measure : header;
}

/** "Population 2023" for the column of that year below "Population on 1 January by region". */
function nameOfYear({ headers, heads }: Grid, column: number, topic: string): string | undefined {
  const header = headers[column] ?? "";
  const leaf = heads[column]?.text ?? "";
  // A header over the years names what they have: "Population on 1 January" over "2023".
  const isBelow = leaf !== "" && leaf !== header && header.endsWith(leaf);
  const [, year] = /^((?:19|20)\d\d)\s?[a-z*]?$/.exec(isBelow ? leaf : header) ?? [];
  const [, measure] = MEASURE_OF.exec(isBelow ? header.slice(0, -leaf.length).trim() : topic) ?? [];
  return year === undefined || measure === undefined ? undefined : `${measure} ${year}`;
}

/** The first one or two words of "Population on 1 January by region, 2022–2025". */
const MEASURE_OF =
  /^(\p{L}+(?:\s\p{L}+)?)(?=[,:(]|\s(?:by|on|at|in|per|of|nach|am|zum|je|par|au|en|por|a|al|per|naar|op|na|dnia)\s|$)/iu;

/** "Revenue by region", "Umsatz nach Regionen". */
const MEASURE_BY = /^(.{3,40}?)\s(?:by|per|nach|je|par|por|per|pro|naar|efter|wg)\s/iu;

/** Columns of a league table, which are named by one letter. */
const MATCH_COLUMNS: Readonly<Record<string, string>> = {
  P: "Played",
  W: "Won",
  D: "Drawn",
  L: "Lost",
};

/** Words of a header over several columns that make them another quantity. */
const OTHER_GROUP =
  /\d|max|min|previous|prior|last|target|forecast|budget|plan|average|mean|home|away|vorjahr|mittel/i;

/** The names of columns below a shared header that are unique: "Won" below "Games". */
function findLeaves({ headers, heads }: Grid): readonly (string | undefined)[] {
  const texts = headers.map((_, column) => heads[column]?.text ?? "");
  return headers.map((header, column) => {
    const leaf = texts[column] ?? "";
    if (leaf === "" || leaf === header || !header.endsWith(leaf)) return undefined;
    const group = header.slice(0, -leaf.length);
    const isUnique = texts.filter((text) => text === leaf).length === 1;
    return isUnique && !OTHER_GROUP.test(group) ? leaf : undefined;
  });
}

/**
 * A second row of one record: its first cell reaches down from the row above, and the next one
 * crosses several columns. Merged cells further right are two equal values of a record.
 */
function continues(above: GridRow | undefined, { cells }: GridRow): boolean {
  const [first, ...rest] = cells;
  if (above === undefined || first === undefined || above.cells[0]?.node !== first.node)
    return false;
  const [next, second] = rest;
  return next !== undefined && next.node === second?.node;
}

/** A year, quarter, half-year or month with its year, also after words such as "Year ended". */
const PERIOD =
  /^(?:[\p{L}.]+\s){0,3}(?:(?:FY|Q[1-4]|H[12]|[1-4]Q|T[1-4]|K[1-4]|[369]M)\s?[’'/-]?\s?)?(?:\d{1,2}\.?\s\p{L}{3,10}\s|\p{L}{3,10}\.?\s|\d{1,2}[./]\d{1,2}[./])?(?:19|20)\d\d(?:[/–-]\d{2,4})?$|^(?:FY|Q[1-4]|H[12]|[1-4]Q)\s?[’'-]?\d{2}$/iu;

/**
 * Columns as records, for tables whose first column names the fields: comparisons of models or
 * plans.
 */
function buildTurnedGroup(model: PageModel, grid: Grid): RowGroup[] {
  const width = grid.headers.length;
  const rows = grid.rows.filter(({ cells }) => cells[0] !== undefined && cells[0].text !== "");
  if (width < 3 || rows.length < 2) return [];
  // "Change" behind each period is no name of a record.
  const names = grid.heads.slice(1).map((head) => head?.text ?? "");
  if (new Set(names).size < names.filter((name) => name !== "").length) return [];
  const isMonth = (text: string): boolean =>
    /^\p{L}{3,12}\.?$/u.test(text) && parseDateText(`15 ${text} 2024`, model.order) !== undefined;
  const periods = names.filter((text) => PERIOD.test(text) || isMonth(text)).length;
  const isOfPeriods = periods * 2 > width - 1;
  const scopes = Array.from({ length: width - 1 }, (_, at) => {
    const column = at + 1;
    const cells = rows.flatMap(({ cells: row }) => {
      const cell = row[column];
      return cell === undefined ? [] : [{ name: row[0]?.text ?? "", cell }];
    });
    const head = grid.heads[column];
    if (head === undefined) return VisibleScope.row(model, grid.node, cells);
    const title = withFirstLine(model, head);
    const [year] = isOfPeriods ? (/(?:19|20)\d\d/.exec(title.text) ?? []) : [];
    return VisibleScope.row(model, grid.node, [
      { name: isOfPeriods ? "period" : "name", cell: title },
      ...(year === undefined ? [] : [{ name: "year", cell: { ...title, text: year } }]),
      ...cells,
    ]);
  });
  const title = findTitleNode(model, grid);
  return [{ scopes, title, isOfPeriods, groups: scopes.map(() => "") }];
}

const isTotal = (model: PageModel, { nodes }: PageRecord): boolean => {
  const [first] = nodes.flatMap((node) => model.pieces(node));
  return first !== undefined && TOTAL.test(model.lineOf(first).trim());
};

const AD =
  /^(?:sponsored|advertisement|promoted|anzeige|werbung|gesponsert|sponsorisé|publicité|annonce|patrocinado|publicidad|anuncio|sponsorizzato|gesponsord|advertentie|sponsorowane|reklama|sponset|annons|реклама|广告|廣告|広告|스폰서|광고|إعلان)$/iu;

/** Records that are marked as advertisements. */
const isAd = (model: PageModel, { nodes }: PageRecord): boolean =>
  nodes.some((node) => model.pieces(node).some((piece) => AD.test(model.lineOf(piece).trim())));

/** A header with more than the name, such as a price below it. */
const withFirstLine = (model: PageModel, head: GridCell): GridCell => {
  const [line = ""] = model.textOf(head.node).split("\n", 1);
  return line === "" ? head : { ...head, text: line };
};

function findTitleNode(model: PageModel, { node }: Grid): string {
  let title = "";
  for (const section of model.sections) {
    if (section.start > node.index) break;
    if (node.index < section.end) ({ title } = section);
  }
  return title;
}

/** Properties of rows that are periods. */
const PERIOD_NAME =
  /^(?:(?:fiscal|financial|reporting|business|school|calendar) )?(?:year|period|quarter|half|half year|month|date|season|jahr|geschaftsjahr|zeitraum|periode|quartal|halbjahr|monat|annee|exercice|trimestre|semestre|mois|ano|ejercicio|mes|anno|esercizio|mese|jaar|boekjaar|kwartaal|rok|kwartal)$/;

export type Filling = Readonly<Record<string, unknown>> | undefined;

/** Number of rows that are tried to choose a group. */
const SAMPLE_ROWS = 6;
/** Share of the item's properties that the rows of a group must fill. */
const MIN_SHARE = 0.3;
/** Rows of the page's main list, and the share its rows must fill: no other list is likely. */
const MIN_MAIN_LIST_ROWS = 5;
const MIN_SHARE_OF_LONG = 0.2;
/** Properties that a row must fill, unless its list has the requested name or is the main one. */
const MIN_FILLED = 2;

/**
 * Returns the group whose rows fill most of the item's properties; undefined if no group fills
 * enough of them.
 */
export function chooseRowGroup(
  groups: readonly RowGroup[],
  items: Shape,
  wanted: Name,
  fill: (scope: VisibleScope, group: string) => Filling,
): RowGroup | undefined {
  let best: { readonly group: RowGroup; readonly score: number } | undefined;
  const fitting: RowGroup[] = [];
  const named = groups.filter((group) => isListNamed(group, wanted)).slice(0, MAX_NAMED);
  const asksForPeriod = [...items.properties.keys()].some((name) =>
    PERIOD_NAME.test(parseName(name).key),
  );
  for (const group of groups) {
    if (group.isOfPeriods === true && !asksForPeriod) continue;
    const filled = sample(group.scopes.map((scope, at) => ({ scope, at }))).map(({ scope, at }) =>
      fill(scope, group.groups[at] ?? ""),
    );
    const mean =
      filled.reduce((sum, value) => sum + Object.keys(value ?? {}).length, 0) /
      Math.max(1, filled.length);
    // The people below "Staff" are its list, whether they are grouped by department or not.
    const isNamed =
      isListNamed(group, wanted) || named.some((other) => other !== group && holds(other, group));
    // One property may be filled from any list: the list must have the requested heading or be the
    // page's main list.
    const isFew = mean < MIN_FILLED;
    if (isFew && !isNamed && (isHeadingRun(group) || measureCoverage(group) < 0.5)) continue;
    const share = mean / Math.max(1, items.properties.size);
    // Long lists are the main content of a page; a heading with the requested name decides between
    // lists.
    const score = share + (isNamed ? 0.3 : 0) + Math.min(group.scopes.length, 20) * 0.005;
    const least =
      group.scopes.length >= MIN_MAIN_LIST_ROWS && measureCoverage(group) >= 0.2
        ? MIN_SHARE_OF_LONG
        : MIN_SHARE;
    if (share < least) continue;
    // A heading over several records of a list is no record.
    if (isHeadingRun(group) && fitting.some((inner) => isWithin(inner, group))) continue;
    fitting.push(group);
    if (best === undefined || score > best.score) best = { group, score };
  }
  const chosen = best?.group;
  if (chosen === undefined || isListNamed(chosen, wanted)) return chosen;
  // All parts of a list, not the one whose rows are fullest.
  return fitting.find((group) => isPartOf(chosen, group)) ?? chosen;
}

/** Lists with the requested name that are compared with the others. */
const MAX_NAMED = 5;

/** True if the records of a group, by a sample of them, are inside those of another one. */
const holds = (outer: RowGroup, { scopes }: RowGroup): boolean =>
  sample(scopes).every(({ roots: [root], model }) =>
    outer.scopes.some(({ roots }) =>
      roots.some((each) => root !== undefined && each !== root && model.contains(each, root)),
    ),
  );

/** True if the records of a group are some of those of another one. */
function isPartOf({ scopes }: RowGroup, whole: RowGroup): boolean {
  if (whole.scopes.length <= scopes.length || !whole.groups.some((title) => title !== ""))
    return false;
  const roots = new Set(whole.scopes.map(({ roots: [root] }) => root));
  return scopes.every(({ roots: [root] }) => roots.has(root));
}

/**
 * True if a list, or a part of it, has a heading like the requested name. A part of exactly that name
 * is a list of its own.
 */
export function isListNamed({ title, heading, groups }: RowGroup, wanted: Name): boolean {
  const names = [...new Set(groups)].map(parseName);
  // "Usage" is the part for `usage_limits`, "Academic staff" one of several for `staff`.
  const isOnePart =
    names.length > 1 &&
    names.some(
      ({ words }) => words.length > 0 && words.every((word) => wanted.words.includes(word)),
    );
  const parts = names.map((name) => scoreSimilarity(wanted, name));
  return (
    [title, heading ?? title].some((text) => scoreSimilarity(wanted, parseName(text)) >= 0.55) ||
    (!isOnePart && parts.some((score) => score >= 0.55))
  );
}

/** True if the records of a group are inside those of another one, which has fewer. */
const isWithin = (inner: RowGroup, outer: RowGroup): boolean =>
  inner.scopes.length > outer.scopes.length &&
  sample(inner.scopes).every(({ roots: [root], model }) =>
    outer.scopes.some(({ roots }) =>
      roots.some((each) => root !== undefined && model.contains(each, root)),
    ),
  );

/** Headings with the text below each are the parts of an article more often than a list. */
const isHeadingRun = ({ scopes: [first] }: RowGroup): boolean => (first?.roots.length ?? 0) > 1;

/** Share of the page's text that is in a group. */
function measureCoverage({ scopes }: RowGroup): number {
  const length = scopes
    .flatMap(({ roots }) => roots)
    .reduce((sum, { from, to }) => sum + to - from, 0);
  return length / Math.max(1, scopes[0]?.model.text.length ?? 1);
}

function sample<Item>(list: readonly Item[]): Item[] {
  if (list.length <= SAMPLE_ROWS) return [...list];
  const step = (list.length - 1) / (SAMPLE_ROWS - 1);
  return Array.from({ length: SAMPLE_ROWS }, (_, at) => list[Math.round(at * step)] as Item);
}
