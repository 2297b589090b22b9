// Names that header and footer give: of the site, of its owner and of the company behind it.
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Name } from "../names/names.ts";
import { isSitePageTitle } from "../values/site-parts.ts";
import type { WantedProperty } from "./label-match.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { fold, toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

/** Maximum characters of the name of a site or place. */
export const MAX_NAME = 60;
const MIN_ADDRESSEE = 6;
const MIN_LOGO = 3;

export type SiteName = {
  readonly node: PageNode;
  readonly text: string;
  /** True if the copyright line has it, too; without such a line, the end of the title. */
  readonly isConfirmed: boolean;
  /** True for a link to the start page, false for the first line of an address. */
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

/** Generic labels of links to the start page. */
const START_PAGE =
  /^(?:home(?: ?page)?|start(?:seite|sida|side)?|accueil|inicio|início|pagina iniziale|hem|hjem|forside|etusivu|strona główna|domů|úvod|anasayfa|главная|ホーム|トップ|首页|首頁|홈)$/iu;

const known = new WeakMap<PageModel, readonly SiteName[]>();

/** Texts of links to the start page and first lines of addresses, in header and footer. */
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
  const parts = listSiteParts(model);
  const holders = listCopyrightHolders(model).map(fold);
  const confirming = holders.length > 0 ? holders : model.titles.map(readTitleEnding).map(fold);
  const heading = model.heading === undefined ? "" : fold(model.lineOf(model.heading));
  return model.nodes.flatMap((node): SiteName[] => {
    const { name, attribs } = node.element;
    const isHome =
      name === "a" && (attribs["rel"] === "home" || HOME.test(attribs["href"] ?? "none"));
    if ((!isHome && name !== "address") || isHidden(node)) return [];
    if (!parts.some((part) => model.contains(part, node))) return [];
    const text = isHome ? readLink(model, node) : (model.textOf(node).split("\n", 1)[0] ?? "");
    if (text.length < (isHome ? MIN_LOGO : MIN_ADDRESSEE) || text.length > MAX_NAME) return [];
    if (START_PAGE.test(text) || isSitePageTitle(text)) return [];
    const folded = fold(text);
    // "Holm & Vik" of "Holm & Vik AB".
    const isIn = (other: string): boolean => other === folded || other.startsWith(`${folded} `);
    return [{ node, text, isConfirmed: folded !== heading && confirming.some(isIn), isHome }];
  });
}

/** The text of a link, or that of the only picture in it. */
function readLink(model: PageModel, node: PageNode): string {
  const line = model.lineOf(node);
  if (line !== "" || node.spoken !== "") return line || node.spoken;
  const [only, other] = model.below(node).filter(({ spoken }) => spoken !== "");
  return only === undefined || other !== undefined ? "" : only.spoken;
}

/** The part of a title behind its last separator; empty for a title of one part. */
function readTitleEnding(title: string): string {
  const [, ...behind] = toShortLine(title).split(/ [|–—·»›-] | ?\| ?/u);
  return behind.at(-1)?.trim() ?? "";
}

const MAX_LINE = 300;
const toShortLine = (text: string): string =>
  text
    .slice(0, 2 * MAX_LINE)
    .trim()
    .replaceAll(/\s+/g, " ")
    .slice(0, MAX_LINE);

const YEAR = String.raw`(?:19|20)\d\d`;
const COPYRIGHT = new RegExp(
  String.raw`(?:©|\(c\)|copyright)\s*(?:©\s*)?(?:${YEAR}(?:\s*[-–]\s*(?:${YEAR}|\d\d|present|today|heute))?)?,?\s*(\D.{2,199})$`,
  "iu",
);
/** "Photo © Anna Berg" is no line about the site. */
const OF_PICTURE =
  /(?:photos?|fotos?|images?|pictures?|bilder?|illustrations?|maps?|karten?)\W*$/iu;
const RIGHTS =
  /^(?:all rights|alle rechte|tous droits|todos los derechos|tutti i diritti|todos os direitos|alle rechten|wszelkie prawa|by\b)/iu;

/** Names behind the copyright sign in header and footer. */
const listCopyrightHolders = (model: PageModel): string[] =>
  listSiteParts(model).flatMap((part) =>
    model
      .textOf(part)
      .split("\n")
      .map(toShortLine)
      .flatMap((line) => {
        const found = COPYRIGHT.exec(line);
        const holder = found?.[1]?.split(/\s[·|–—]\s|\.\s/u, 1)[0] ?? "";
        const isOther = OF_PICTURE.test(line.slice(0, found?.index ?? 0));
        return holder === "" || isOther || RIGHTS.test(holder) ? [] : [holder];
      }),
  );

const SITE = /^(?:site|website|shop|webshop|registry)$/;
const OWNER =
  /^(?:company|organisation|organization|institution|agency|firm|provider|business|operator|network|association)$/;

/**
 * The name of the site for `shop_name`, or of its owner for `company`, if the text of the logo is
 * confirmed. The content must name an owner with its legal form, because the site may be a portal.
 */
export function findSiteName(
  { base }: WantedProperty,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const words = base.words.filter((word) => word !== "name" && word !== "the");
  const [kind = ""] = words;
  const isOwner = OWNER.test(kind);
  if (!scope.isPage || words.length !== 1 || (!isOwner && !SITE.test(kind))) return undefined;
  const logos = listSiteNames(scope.model).filter(
    ({ isHome, isConfirmed }) => isHome && isConfirmed,
  );
  const logo = selectOnly(logos);
  if (logo === undefined) return undefined;
  return answerWithName(isOwner ? findOwner(logo, scope) : logo, scope);
}

type NamedNode = { readonly node: PageNode; readonly text: string };

/** The first of nodes that all have the same text. */
function selectOnly(found: readonly NamedNode[]): NamedNode | undefined {
  return new Set(found.map(({ text }) => fold(text))).size === 1 ? found[0] : undefined;
}

/** The answer for the only name that was found. */
export function answerWithName(
  found: NamedNode | readonly NamedNode[] | undefined,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const only = found === undefined || "text" in found ? found : selectOnly(found);
  if (only === undefined) return undefined;
  const leaf = toVisibleLeaf(scope, only.node, only.text, "section", only.text);
  return { found: { leaves: [leaf], confidence: "medium", node: only.node } };
}

/** Companies of the content whose names begin with that of the logo. */
function findOwner(logo: NamedNode, scope: VisibleScope): NamedNode[] {
  const name = fold(logo.text);
  const parts = listSiteParts(scope.model);
  return listCompanies(scope, scope.pieces).filter(
    ({ node, text }) =>
      (fold(text) === name || fold(text).startsWith(`${name} `)) &&
      !parts.some((part) => scope.model.contains(part, node)),
  );
}

const isLegal = ({ words }: Name): boolean =>
  words.includes("legal") || words.includes("registered");

const LEGAL_FORM = String.raw`(?:GmbH(?: & Co\. ?KG)?|AG|SE|KG|OHG|UG|e\. ?V\.|Ltd\.?|Limited|LLP|Inc\.?|LLC|PLC|plc|Corp\.|B\.V\.|N\.V\.|S\.A\.S\.|S\.A\.|SAS|SARL|SA|S\.r\.l\.|S\.p\.A\.|s\.n\.c\.|S\.L\.U?\.?|S\.C\.|Lda\.?|Sp\. z o\.o\.|s\.r\.o\.|a\.s\.|AB|A\/S|ApS|AS|Oy|Kft\.)`;
const COMPANY = new RegExp(
  String.raw`(?<![\p{L}&] )(\p{Lu}[\p{L}\d&'’.-]*(?:,? (?:\p{Lu}[\p{L}\d'’.-]*|&|and|und|et|y|e|en|of|di|de|van|von|der|den)){0,7},? ${LEGAL_FORM})(?![\p{L}\d])`,
  "gu",
);

/** At the start of a sentence: "Die Holm AG hat". */
const ARTICLE = /^(?:Die|Der|Das|Den|Dem|The|La|Le|Les|El|Los|Il|Lo)\s/;

/** Companies with a legal form. */
const listCompanies = ({ model }: VisibleScope, nodes: readonly PageNode[]): NamedNode[] =>
  nodes.flatMap((node) =>
    model
      .textOf(node)
      .split("\n")
      .flatMap((line) =>
        [...line.matchAll(COMPANY)].map(([, text = ""]) => ({
          node,
          text: text.replace(ARTICLE, ""),
        })),
      ),
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
    [...listSiteNames(model).map(({ text }) => text), ...listCopyrightHolders(model)].map(
      (text) => fold(text).split(" ", 1)[0] ?? "",
    ),
  );
  const found = listCompanies(scope, [...listSiteParts(model), ...scope.pieces]);
  // The only company may host the site or handle its payments.
  return found.every(({ text }) => own.has(fold(text).split(" ", 1)[0] ?? ""))
    ? answerWithName(found, scope)
    : undefined;
}
