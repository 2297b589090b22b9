// The name of the site, of its owner and of the company behind it, as header, footer and title have it.
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Name } from "../names/names.ts";
import type { WantedProperty } from "./label-match.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { fold, toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

const MAX_NAME = 60;
const MIN_NAME = 6;
/** Logos may have a short name; texts of other places need more to be one. */
const MIN_LOGO = 3;

export type SiteName = {
  readonly node: PageNode;
  readonly text: string;
  /** The title of the document or the copyright line have it, too. */
  readonly isConfirmed: boolean;
  readonly isHome: boolean;
};

/** The header and the footer of the site. */
export const listSiteParts = (model: PageModel): PageNode[] =>
  model.nodes.filter(
    (node) =>
      !isHidden(node) &&
      (node.element.name === "footer" ||
        node.element.name === "header" ||
        node.element.attribs["role"] === "contentinfo" ||
        node.element.attribs["role"] === "banner") &&
      !isWithin(model, node, /^(?:article|main)$/),
  );

function isWithin(model: PageModel, node: PageNode, names: RegExp): boolean {
  for (let at = model.parent(node); at !== undefined; at = model.parent(at))
    if (names.test(at.element.name)) return true;
  return false;
}

/** What links to the start page say in place of a name. */
const START_PAGE =
  /^(?:home(?: ?page)?|start(?:seite|sida|side)?|accueil|inicio|início|pagina iniziale|hem|hjem|forside|etusivu|strona główna|domů|úvod|anasayfa|главная|ホーム|トップ|首页|首頁|홈)$/iu;

const known = new WeakMap<PageModel, readonly SiteName[]>();

/** The texts of links to the start page, of links and bold texts of header, footer and breadcrumbs, and of postal addresses. */
export function listSiteNames(model: PageModel): readonly SiteName[] {
  let names = known.get(model);
  if (names === undefined) {
    names = readSiteNames(model);
    known.set(model, names);
  }
  return names;
}

const HOME = /^(?:\/|\.\/|https?:\/\/[^/]+\/?)$/;

function readSiteNames(model: PageModel): SiteName[] {
  const titles = model.titles.flatMap(splitTitle).map(fold);
  const holders = listHolders(model).map(fold);
  return model.nodes.flatMap((node): SiteName[] => {
    const { name, attribs } = node.element;
    const isHome =
      name === "a" && (attribs["rel"] === "home" || HOME.test(attribs["href"] ?? "none"));
    if (name !== "a" && name !== "address" && name !== "strong" && name !== "h3") return [];
    if (isHidden(node) || !isInSiteParts(model, node)) return [];
    const text =
      name === "address" ? (model.textOf(node).split("\n", 1)[0] ?? "") : readLink(model, node);
    if (text.length < (isHome ? MIN_LOGO : MIN_NAME) || text.length > MAX_NAME) return [];
    const folded = fold(text);
    const isIn = (others: readonly string[]): boolean =>
      others.some((other) => other === folded || other.startsWith(`${folded} `));
    // Another holder of the copyright is the owner's full name, or someone else.
    const isConfirmed =
      isIn(holders) || (holders.length === 0 && isIn(titles) && !START_PAGE.test(text));
    if (!isHome && name !== "address" && !isConfirmed) return [];
    return [{ node, text, isConfirmed, isHome }];
  });
}

/** The text of a link, or that of the only picture in it. */
function readLink(model: PageModel, node: PageNode): string {
  const line = model.lineOf(node);
  if (line !== "" || node.spoken !== "") return line || node.spoken;
  const [only, other] = model.below(node).filter(({ spoken }) => spoken !== "");
  return only === undefined || other !== undefined ? "" : only.spoken;
}

const parts = new WeakMap<PageModel, readonly PageNode[]>();

/** True in header, footer and breadcrumbs. */
function isInSiteParts(model: PageModel, node: PageNode): boolean {
  let all = parts.get(model);
  if (all === undefined) {
    const crumbs = model.nodes.filter(
      ({ element: { name, attribs } }) =>
        /breadcrumb|crumbs/i.test(`${attribs["class"] ?? ""} ${attribs["aria-label"] ?? ""}`) &&
        (name === "nav" || name === "ol" || name === "ul" || name === "div"),
    );
    all = [...listSiteParts(model), ...crumbs];
    parts.set(model, all);
  }
  return all.some((part) => model.contains(part, node));
}

/** The parts of a title between separators. */
const splitTitle = (title: string): string[] =>
  title
    .split(/\s+[|–—·»›-]\s+|\s*\|\s*/u)
    .map((part) => part.replace(/^.*\s(?:bei|at|chez|en|bij|presso)\s(?=\p{Lu})/u, "").trim());

const COPYRIGHT =
  /(?:©|\(c\)|copyright)\s*(?:©\s*)?(?:(?:19|20)\d\d(?:\s*[-–]\s*(?:19|20)?\d\d)?)?,?\s*(.{3,80})$/iu;

/** Who the copyright lines name. */
const listHolders = (model: PageModel): string[] =>
  listSiteParts(model).flatMap((part) =>
    model
      .textOf(part)
      .split("\n")
      .flatMap((line) => COPYRIGHT.exec(line.trim())?.[1]?.split(/\s[·|–—]\s|\.\s/u, 1) ?? []),
  );

const SITE = /^(?:site|website|shop|store|webshop|platform|portal|marketplace|registry)$/;
const OWNER =
  /^(?:company|organisation|organization|institution|agency|firm|provider|business|operator|network|association)$/;

/**
 * The name of the site for `shop_name`, or of its owner for `company`: the text of the logo that title or
 * copyright line confirm. An owner must be named in the content, too, because the site may be a portal.
 */
export function findSiteName(wanted: Name, scope: VisibleScope): VisibleAnswer | undefined {
  const words = wanted.words.filter((word) => word !== "name" && word !== "the");
  const [kind = ""] = words;
  const isOwner = OWNER.test(kind);
  if (!scope.isPage || words.length !== 1 || (!isOwner && !SITE.test(kind))) return undefined;
  const { model } = scope;
  const names = listSiteNames(model).filter(({ isHome, isConfirmed }) => isHome && isConfirmed);
  const [first] = names;
  if (first === undefined || new Set(names.map(({ text }) => fold(text))).size > 1)
    return undefined;
  if (isOwner) return findOwner(first, scope);
  const leaf = toVisibleLeaf(scope, first.node, first.text, "section", first.text);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}

/** The owner as the content names it with its legal form: a portal is only named in passing. */
function findOwner(logo: SiteName, scope: VisibleScope): VisibleAnswer | undefined {
  const name = fold(logo.text);
  const found = listCompanies(scope, scope.pieces).filter(
    ({ node, text }) =>
      !isInSiteParts(scope.model, node) &&
      (fold(text) === name || fold(text).startsWith(`${name} `)),
  );
  return toOnly(found, scope);
}

function toOnly(found: readonly Company[], scope: VisibleScope): VisibleAnswer | undefined {
  const [first] = found;
  if (first === undefined || new Set(found.map(({ text }) => fold(text))).size > 1)
    return undefined;
  const leaf = toVisibleLeaf(scope, first.node, first.text, "section", first.text);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}

const isLegal = ({ words }: Name): boolean =>
  words.includes("legal") || words.includes("registered");

const LEGAL_FORM = String.raw`(?:GmbH(?: & Co\. ?KG)?|AG|SE|KG|OHG|UG|e\. ?V\.|Ltd\.?|Limited|LLP|Inc\.?|LLC|PLC|plc|Corp\.|B\.V\.|N\.V\.|S\.A\.S\.|S\.A\.|SAS|SARL|SA|S\.r\.l\.|S\.p\.A\.|s\.n\.c\.|S\.L\.U?\.?|S\.C\.|Lda\.?|Sp\. z o\.o\.|S\.A|s\.r\.o\.|a\.s\.|AB|A\/S|ApS|AS|Oy|Kft\.)`;
const COMPANY = new RegExp(
  String.raw`(?<![\p{L}&] )(\p{Lu}[\p{L}\d&'’.-]*(?:,? (?:\p{Lu}[\p{L}\d'’.-]*|&|and|und|et|y|e|en|of|di|de|van|von|der|den)){0,7},? ${LEGAL_FORM})(?![\p{L}\d])`,
  "gu",
);

type Company = { readonly node: PageNode; readonly text: string };

/** Companies with a legal form. */
const listCompanies = ({ model }: VisibleScope, nodes: readonly PageNode[]): Company[] =>
  nodes.flatMap((node) =>
    model
      .textOf(node)
      .split("\n")
      .flatMap((line) => [...line.matchAll(COMPANY)].map(([, text = ""]) => ({ node, text }))),
  );

/** The only company with a legal form that header, footer or content name, for `legal_name`. */
export function findLegalName(
  { base: { words }, description }: WantedProperty,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const isNamed = words.join(" ").replace(/^(?:company|full|registered) /, "") === "legal name";
  const isDescribed = isLegal(description) && OWNER.test(words[0] ?? "");
  if (!scope.isPage || (!isNamed && !isDescribed)) return undefined;
  const { model } = scope;
  const own = new Set(
    [...listSiteNames(model).map(({ text }) => text), ...listHolders(model)].map(
      (text) => fold(text).split(" ", 1)[0] ?? "",
    ),
  );
  const found = listCompanies(scope, [...listSiteParts(model), ...scope.pieces]);
  // The only company may host the site or handle its payments.
  return found.every(({ text }) => own.has(fold(text).split(" ", 1)[0] ?? ""))
    ? toOnly(found, scope)
    : undefined;
}
