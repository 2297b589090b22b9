// Finds the parts of a page that concern the site or other items, not the page's topic.
import { isTag, type Element } from "domhandler";

/** Facts about the ancestors of an element. */
export type AsideState = {
  readonly isAside: boolean;
  /** Inside `main`, `article` or a section: headers and footers here belong to the content. */
  readonly isInContent: boolean;
};

export const START_STATE: AsideState = { isAside: false, isInContent: false };
const CONTENT: AsideState = { isAside: false, isInContent: true };
const ASIDE: AsideState = { isAside: true, isInContent: false };

export const startsAside = ({ isAside }: AsideState): boolean => isAside;

const CONTENT_TAGS: ReadonlySet<string> = new Set(["main", "article"]);
const SITE_ROLES: ReadonlySet<string> = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "complementary",
  "search",
  "alertdialog",
  "menu",
  "menubar",
]);
const COMPONENT = /^[a-z][\w.]*(?:-[\w.]+)*-(footer|header|nav)$/;
/** Names of cookie notices and newsletter boxes in ids, classes and test ids. */
const NOTICE = /cookie|consent|gdpr|newsletter|chat-?widget|intercom|app-?banner/i;

export function createAsideState(above: AsideState, element: Element): AsideState {
  if (above.isAside) return above;
  const { attribs } = element;
  // Web components are named after what they render: `site-footer`.
  const name = COMPONENT.exec(element.name)?.[1] ?? element.name;
  const role = attribs["role"];
  // Facts are often beside the main text; lists of other items there are recognized by their
  // structure.
  if (name === "nav") return ASIDE;
  if (name === "aside" && !above.isInContent) return holdsFacts(element) ? CONTENT : ASIDE;
  if (role !== undefined && SITE_ROLES.has(role)) return ASIDE;
  if ((name === "footer" || name === "header") && !above.isInContent && isSiteWide(element))
    return name === "footer" || !holdsHeading(element) ? ASIDE : above;
  if (name === "dialog" || role === "dialog") return isNotice(element) ? ASIDE : above;
  if (name !== "body" && name !== "html" && isNotice(element)) return ASIDE;
  return CONTENT_TAGS.has(name) || role === "main" ? CONTENT : above;
}

/** Headers and footers a few levels below the body belong to the site. */
function isSiteWide({ parent }: Element): boolean {
  let depth = 0;
  for (let at = parent; at !== null && "name" in at; at = at.parent) {
    if (at.name === "section" || at.name === "li" || at.name === "blockquote") return false;
    depth += 1;
  }
  return depth <= 6;
}

const MIN_LABELS = 3;
const LABEL = /^(?:h[2-6]|dt)$/;

/**
 * True for a column of facts beside the content: several labels without links, and few links in
 * all. Lists of other pages have more.
 */
function holdsFacts(aside: Element): boolean {
  let labels = 0;
  let links = 0;
  let left = 400;
  const open: Element["children"] = [...aside.children];
  for (let node = open.pop(); node !== undefined && left > 0; node = open.pop(), left -= 1) {
    if (!isTag(node)) continue;
    if (node.name === "a") links += 1;
    if (LABEL.test(node.name) && !node.children.some((child) => isTag(child) && child.name === "a"))
      labels += 1;
    open.push(...node.children);
  }
  return labels >= MIN_LABELS && links <= labels;
}

/** A site header with the only `h1` is the head of the content. */
function holdsHeading(header: Element): boolean {
  let left = 200;
  const open: Element["children"] = [...header.children];
  for (let node = open.pop(); node !== undefined && left > 0; node = open.pop(), left -= 1) {
    if (!isTag(node)) continue;
    if (node.name === "h1") return true;
    open.push(...node.children);
  }
  return false;
}

function isNotice({ attribs }: Element): boolean {
  const { id = "", class: classes = "" } = attribs;
  const mark = `${id} ${classes} ${attribs["aria-label"] ?? ""}`;
  return mark.length > 2 && mark.length < 2_000 && NOTICE.test(mark);
}
