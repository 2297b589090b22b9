// The parts of a page or record that need no label: its title, link, picture and prose.
import { describePath } from "../../../html/parse/tree.ts";
import { isTopHeading } from "../../../page-model/main-heading.ts";
import type { PageNode } from "../../../page-model/node.ts";
import { shorten, type Evidence } from "../declared/finding.ts";
import { parseName, scoreSimilarity, type Name } from "../names/names.ts";
import { isSitePageTitle } from "../values/site-parts.ts";
import { findUnsignedPrices } from "./unsigned-prices.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { findTitleNode, readTitleText } from "./visible-title.ts";
import { fold, toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

/** What a page about a product is, behind its name: "Tidepool Desktop release notes". */
const PAGE_KIND =
  /\s(?:release notes|changelog|what[’']s new|documentation|pricing|reviews|user guide|user manual|versionshinweise|notes de version)$/iu;
const ABOUT_PRICES =
  /(?<!\p{L})(?:pricing|plans? (?:and|&) pric\p{L}+|prices|choose (?:your|a) plan|preise|tarife|tarifs|precios|planes|prezzi|prijzen|cennik)(?!\p{L})/iu;
const PRODUCT_NAME = /^(?:product|software|app|application|tool|package|program)(?: name)?$/;

const MIN_SLOGAN_WORDS = 5;

/** "Plans that grow with your team": a heading whose words no title of the document has. */
function isSlogan({ model }: VisibleScope, heading: string): boolean {
  const words = fold(heading).split(" ");
  const titled = new Set(model.titles.flatMap((title) => fold(title).split(" ")));
  const shared = words.filter((word) => titled.has(word)).length;
  if (titled.size === 0) return false;
  return shared === 0 || (words.length >= MIN_SLOGAN_WORDS && shared * 2 < words.length);
}

/**
 * True for a title such as "Contact" or, where the name of a product is asked for, "Pricing for
 * teams".
 */
export const isGenericTitle = ({ key }: Name, title: string): boolean =>
  (!/title|head/.test(key) && isSitePageTitle(title)) ||
  (PRODUCT_NAME.test(key) && ABOUT_PRICES.test(title));

/** The `h1` of the page; other headings are no certain page title. */
export function findPageHeading(scope: VisibleScope, wanted: Name): VisibleAnswer | undefined {
  const { model } = scope;
  const node = model.heading;
  if (node === undefined || !isTopHeading(node)) return undefined;
  const title = readTitleText(scope, node);
  if (isGenericTitle(wanted, title)) return undefined;
  if (PRODUCT_NAME.test(wanted.key) && isSlogan(scope, title)) return undefined;
  const name = PRODUCT_NAME.test(wanted.key) ? title.replace(PAGE_KIND, "") : title;
  const evidence: Evidence = {
    source: "section",
    selector: describePath(node.element),
    ref: node.ref,
    text: shorten(model.lineOf(node)),
  };
  return {
    found: {
      leaves: [{ kind: "leaf", value: name, evidence }],
      confidence: "high",
      node,
    },
  };
}

const QUESTION_END = /[?？؟]\s*$/u;

/** The text with the question, else the title; none for a group of questions. */
const findQuestionNode = (scope: VisibleScope): PageNode | undefined => {
  const asking = scope.pieces.filter((piece) => QUESTION_END.test(scope.model.lineOf(piece)));
  return asking.length > 1 ? undefined : (asking[0] ?? findTitleNode(scope));
};

export function findQuestion(scope: VisibleScope): VisibleAnswer | undefined {
  const node = findQuestionNode(scope);
  if (node === undefined) return undefined;
  const leaves = [toVisibleLeaf(scope, node, scope.model.lineOf(node), "list")];
  return { found: { leaves, confidence: "high", node } };
}

/** All text of a record behind its question. */
export function findAnswer(scope: VisibleScope): VisibleAnswer | undefined {
  const titled = findQuestionNode(scope);
  if (titled === undefined) return undefined;
  const behind = scope.pieces.filter(({ index }) => index >= titled.end);
  const [node] = behind;
  if (node === undefined) return undefined;
  const text = behind.map((piece) => scope.model.lineOf(piece)).join(" ");
  return {
    found: {
      leaves: [toVisibleLeaf(scope, node, text, "section", text)],
      confidence: "high",
      node,
    },
  };
}

export function findTitle(scope: VisibleScope): VisibleAnswer | undefined {
  const node = findTitleNode(scope);
  if (node === undefined) return undefined;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, node, readTitleText(scope, node), "list")],
      confidence: "high",
      node,
    },
  };
}

export function findOwnLink(scope: VisibleScope): VisibleAnswer | undefined {
  const links = scope
    .elements("a")
    .filter(({ element }) =>
      /^(?!#|javascript:|mailto:|tel:)\S/i.test(element.attribs["href"] ?? ""),
    );
  const titled = findTitleNode(scope);
  const own =
    titled === undefined
      ? undefined
      : links.find(
          (node) => scope.model.contains(node, titled) || scope.model.contains(titled, node),
        );
  const targets = new Set(links.map(({ element }) => element.attribs["href"]));
  const chosen = own ?? (targets.size === 1 ? links[0] : undefined);
  if (chosen === undefined) return undefined;
  const leaf = toVisibleLeaf(scope, chosen, chosen.element.attribs["href"] ?? "", "list");
  return { found: { leaves: [leaf], confidence: "high", node: chosen } };
}

/** True for a record whose heading is, or is in, a link: that link is its own. */
export function hasLinkedHeading(scope: VisibleScope): boolean {
  const titled = findTitleNode(scope);
  if (titled === undefined || !/^h[1-6]$/.test(titled.element.name)) return false;
  return scope
    .elements("a")
    .some((link) => scope.model.contains(link, titled) || scope.model.contains(titled, link));
}

/** Words of addresses that do not describe the target of a link. */
const ADDRESS_WORDS: ReadonlySet<string> = new Set([
  "url",
  "link",
  "href",
  "uri",
  "address",
  "page",
]);

/** True if the text or the end of a link has the words of a property such as `pdf_url`. */
export function isLinkTo({ model }: VisibleScope, node: PageNode, { words }: Name): boolean {
  const target = parseName(
    `${model.lineOf(node)} ${node.spoken} ${(node.element.attribs["href"] ?? "").slice(-80)}`,
  ).words;
  return words.filter((word) => !ADDRESS_WORDS.has(word)).every((word) => target.includes(word));
}

export function findNamedLink(scope: VisibleScope, wanted: Name): VisibleAnswer | undefined {
  if (wanted.words.every((word) => ADDRESS_WORDS.has(word))) return undefined;
  const links = scope
    .elements("a")
    .filter((node) => node.element.attribs["href"] !== undefined && isLinkTo(scope, node, wanted));
  const [node] = links;
  if (node === undefined || new Set(links.map(({ element }) => element.attribs["href"])).size > 1)
    return undefined;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, node, node.element.attribs["href"] ?? "", "list")],
      confidence: "high",
      node,
    },
  };
}

/** The only link in the cell of a row that a property names: `team_url` in the column "Team". */
export function findColumnLink(scope: VisibleScope, wanted: Name): VisibleAnswer | undefined {
  const words = wanted.words.filter((word) => !ADDRESS_WORDS.has(word));
  if (words.length === 0 || words.length === wanted.words.length) return undefined;
  const named = parseName(words.join(" "));
  const [column, other] = scope.cells.filter(
    ({ name, cell }) =>
      /\p{L}/u.test(cell.text) && scoreSimilarity(named, parseName(name)) >= SAME_NAME,
  );
  if (column === undefined || other !== undefined) return undefined;
  const links = scope.model
    .below(column.cell.node)
    .filter(
      ({ element: { name, attribs } }) => name === "a" && /^(?!#)\S/.test(attribs["href"] ?? ""),
    );
  const [node] = links;
  if (node === undefined || new Set(links.map(({ element }) => element.attribs["href"])).size > 1)
    return undefined;
  const leaf = toVisibleLeaf(scope, node, node.element.attribs["href"] ?? "", "table");
  return { found: { leaves: [leaf], confidence: "high", node } };
}

const SAME_NAME = 0.9;

/**
 * The only link of a record whose address has the noun of the property as a part: "/match/m-90411".
 */
export function findLinkByPath(scope: VisibleScope, { words }: Name): VisibleAnswer | undefined {
  const nouns = words.filter((word) => !ADDRESS_WORDS.has(word));
  if (nouns.length === 0) return undefined;
  const links = scope.elements("a").filter(({ element }) => {
    const [path = ""] = (element.attribs["href"] ?? "").split(/[?#]/);
    const parts = path.split("/").map((part) => parseName(part).words.join(" "));
    return parts.includes(nouns.join(" "));
  });
  const [node] = links;
  const targets = new Set(links.map(({ element }) => element.attribs["href"]));
  if (node === undefined || targets.size > 1) return undefined;
  const leaf = toVisibleLeaf(scope, node, node.element.attribs["href"] ?? "", "list");
  return { found: { leaves: [leaf], confidence: "high", node } };
}

export function findPicture(scope: VisibleScope): VisibleAnswer | undefined {
  const pictures = scope.elements("img").flatMap((node) => {
    const { src = "", "data-src": late } = node.element.attribs;
    const address = late ?? src;
    return address === "" || address.startsWith("data:") ? [] : [{ node, address }];
  });
  const [first] = pictures;
  if (first === undefined || new Set(pictures.map(({ address }) => address)).size > 1)
    return undefined;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, first.node, first.address, "list")],
      confidence: "high",
      node: first.node,
    },
  };
}

/** The picture whose alternative text is the title of the page. */
export function findPagePicture(scope: VisibleScope): VisibleAnswer | undefined {
  const { heading } = scope.model;
  const title = heading === undefined ? "" : fold(scope.model.lineOf(heading));
  const node = scope.elements("img").find(({ element: { attribs } }) => {
    const name = fold(attribs["alt"] ?? "");
    return name !== "" && title !== "" && (name === title || name.startsWith(`${title} `));
  });
  const { "data-src": late, src = "" } = node?.element.attribs ?? {};
  const address = late ?? src;
  if (node === undefined || address === "" || address.startsWith("data:")) return undefined;
  const leaf = toVisibleLeaf(scope, node, address, "list");
  return { found: { leaves: [leaf], confidence: "medium", node } };
}

const MIN_PROSE = 60;

/** A short description: several words, such as the ingredients of a dish. */
const MIN_DESCRIPTION = 20;
/** In a record without such a text: three words. */
const MIN_WORDS_LENGTH = 15;

/** The only long text of a record; without one, its only text of several words beside the title. */
export function findProse(scope: VisibleScope): VisibleAnswer | undefined {
  const { model } = scope;
  const long = scope.pieces.filter(({ from, to }) => to - from >= MIN_PROSE);
  const title = findTitleNode(scope);
  const prices = new Set(findUnsignedPrices(scope).map(({ node }) => node));
  const short = scope.pieces.filter(
    (piece) =>
      !prices.has(piece) &&
      piece.to - piece.from >= MIN_WORDS_LENGTH &&
      title !== undefined &&
      piece.element.name !== "li" &&
      !model.contains(piece, title) &&
      !model.contains(title, piece) &&
      !/[:：]/.test(model.lineOf(piece)) &&
      model.typedValues(piece).length === 0 &&
      model.lineOf(piece).split(/\s+/).length >= 3,
  );
  const described = short.filter(({ from, to }) => to - from >= MIN_DESCRIPTION);
  const [node, other] = [long, described, short].find((tier) => tier.length > 0) ?? [];
  if (node === undefined || other !== undefined) return undefined;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, node, model.lineOf(node), "list")],
      confidence: "medium",
      node,
    },
  };
}
