// Groups of similar parts on a page, as sources for a list of objects: rows of tables and repeated
// records.
import type { Grid } from "../../../page-model/grids.ts";
import { TOTAL } from "../../../page-model/group-rows.ts";
import { parseDateText, type NumberOrder } from "../../../html/metadata/date-text.ts";
import { isPartialDate } from "../values/partial-dates.ts";
import { isWeekday } from "../values/weekdays.ts";
import { isAside, isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { PageRecord, RecordSet } from "../../../page-model/records.ts";
import type { ValueType } from "../../../page-model/typed-values.ts";
import { listReferences } from "./citations.ts";
import { findNodeAtPlace, findTitlePlace } from "./record-titles.ts";
import { isItemList, VisibleScope } from "./visible-scope.ts";
import { buildGridGroup, buildTurnedGroup } from "./table-rows.ts";
import type { RowGroup } from "./row-group.ts";

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
    ...joinTables(model, tables, whole),
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

/**
 * Tables with the same columns below headings of their own are one list in parts. Without headers,
 * the columns must have the same kinds of values, and the headings be dates or many.
 */
function joinTables(
  { order }: PageModel,
  tables: readonly Grid[],
  groups: readonly RowGroup[],
): RowGroup[] {
  const byKey = new Map<string, JoinedTables[]>();
  for (const [at, { headers, node, rows }] of tables.entries()) {
    const group = groups[at];
    if (group?.heading === undefined || group.heading === "" || headers.length < 2) continue;
    const isNamed = headers.every((header) => header !== "");
    // Tables without headers are alike by their style and place.
    if (!isNamed && headers.some((header) => header !== "")) continue;
    const key = isNamed
      ? JSON.stringify(headers)
      : `${headers.length} ${node.parent} ${node.element.attribs["class"] ?? ""}`;
    const kinds = isNamed ? [] : listKinds(rows, headers.length, order);
    const lists = byKey.get(key) ?? [];
    byKey.set(key, lists);
    const list = lists.find((each) => areAlike(each.kinds, kinds));
    if (list === undefined) lists.push({ kinds, parts: [group] });
    else {
      list.parts.push(group);
      list.kinds = list.kinds.map((kind, column) => kind ?? kinds[column]);
    }
  }
  return [...byKey.values()].flat().flatMap(({ kinds, parts }): RowGroup[] => {
    const headings = new Set(parts.map(({ heading }) => heading));
    if (parts.length < 2 || parts.length > MAX_PARTS || headings.size < parts.length) return [];
    const isDated = [...headings].every((heading) => isDay(heading ?? "", order));
    if (kinds.length > 0 && parts.length < MIN_UNNAMED && !isDated) return [];
    return [
      {
        scopes: parts.flatMap(({ scopes }) => scopes),
        title: "",
        groups: parts.flatMap(({ scopes, heading = "" }) => scopes.map(() => heading)),
      },
    ];
  });
}

/** Tables that may be one list; `kinds` is empty for tables with headers. */
type JoinedTables = { kinds: readonly Kind[]; readonly parts: RowGroup[] };

/** Tables without headers below headings that are no dates. */
const MIN_UNNAMED = 3;

/** "Monday 3 May 2027", "3 May" or "Monday". */
const isDay = (text: string, order: NumberOrder): boolean =>
  isWeekday(text) || isPartialDate(text, order) || parseDateText(text, order) !== undefined;

/** Undefined for a column without a text. */
type Kind = "number" | "date" | "text" | undefined;

const areAlike = (one: readonly Kind[], other: readonly Kind[]): boolean =>
  one.every((kind, column) => {
    const second = other[column];
    return kind === undefined || second === undefined || kind === second;
  });

/** The kind of the values of each column: that of at least half of its cells. */
const listKinds = (rows: Grid["rows"], width: number, order: NumberOrder): Kind[] =>
  Array.from({ length: width }, (_, column) => {
    const kinds = rows
      .slice(0, MAX_KIND_ROWS)
      .map(({ cells }) => cells[column]?.text.trim() ?? "")
      .filter((text) => text !== "")
      .map((text) => readKind(text, order));
    if (kinds.length === 0) return undefined;
    const isMost = (kind: Kind): boolean =>
      kinds.filter((each) => each === kind).length * 2 >= kinds.length;
    return isMost("date") ? "date" : isMost("number") ? "number" : "text";
  });

const MAX_KIND_ROWS = 50;
const CLOCK_TIME = /^\d{1,2}[:.h]\d{2}(?!\d)/u;

function readKind(text: string, order: NumberOrder): Kind {
  if (CLOCK_TIME.test(text) || isPartialDate(text, order)) return "date";
  if (parseDateText(text, order) !== undefined) return "date";
  return /^[^\p{L}\d]{0,3}\d[\d.,\s'’]*[^\p{L}]{0,3}$/u.test(text) ? "number" : "text";
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
    .filter(({ record }) => !isTotal(model, record) && !isAd(model, record))
    .filter(createSectionFilter(model, records));
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

/** Minimum records whose links lead to one section, and their share of a list. */
const MIN_IN_SECTION = 4;
const MIN_SECTION_SHARE = 0.8;
/** Minimum share of these records with a price or date that another record may lack. */
const MIN_TYPED_SHARE = 0.7;

/**
 * Returns a test that drops records which link to another section of the site than nearly all
 * others and lack the price or date of those: teasers for a magazine between products.
 */
function createSectionFilter(
  model: PageModel,
  records: readonly PageRecord[],
): (each: { readonly record: PageRecord }) => boolean {
  const sections = new Map(records.map((record) => [record, readLinkedSection(model, record)]));
  const counts = new Map<string, number>();
  for (const section of sections.values())
    if (section !== undefined) counts.set(section, (counts.get(section) ?? 0) + 1);
  const [[main, count] = ["", 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (count < MIN_IN_SECTION || count < records.length * MIN_SECTION_SHARE) return () => true;
  if (counts.size === 1) return () => true;
  const types = ["price", "date"] as const;
  const own = records.filter((record) => sections.get(record) === main);
  const usual = types.filter(
    (type) =>
      own.filter((record) => hasValue(model, record, type)).length >= own.length * MIN_TYPED_SHARE,
  );
  return ({ record }) =>
    (sections.get(record) ?? main) === main || usual.every((type) => hasValue(model, record, type));
}

/** True if a piece of the record is nothing but a price or date: "From €25" is more. */
const hasValue = (model: PageModel, { nodes }: PageRecord, type: ValueType): boolean =>
  nodes
    .flatMap((node) => model.pieces(node))
    .some((piece) =>
      model
        .typedValues(piece)
        .some((value) => value.type === type && value.text === model.lineOf(piece).trim()),
    );

/**
 * The path of a record's first link without its last segment and without digits: years and page
 * numbers make no other section.
 */
function readLinkedSection(model: PageModel, { nodes }: PageRecord): string | undefined {
  for (const node of nodes.flatMap((each) => model.below(each))) {
    const { name, attribs } = node.element;
    const href = name === "a" ? attribs["href"] : undefined;
    const path =
      href === undefined ? undefined : URL.parse(href, "https://page.invalid/")?.pathname;
    if (path !== undefined && path !== "/")
      return path.replace(/[^/]*\/?$/, "").replaceAll(/\d/g, "");
  }
  return undefined;
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
