// Reads the path to a page that its breadcrumbs show: "Home › Kitchen › Kettles".
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";

const BREADCRUMBS =
  /bread-?crumb|brotkr[üu]mel|fil d['’]ariane|\bpath-?nav|kruimelpad|okruszk|パンくず/iu;
const HOME =
  /^(?:home(?:page)?|start(?:seite|sida)?|accueil|inicio|início|strona główna|domů|forside|etusivu|главная|ホーム|トップ|首页|首頁|홈)$/iu;
const MAX_CRUMBS = 12;
const MAX_CRUMB = 80;

/** The levels above the page, from the top; without the home page and the page itself. */
export function readCategories(model: PageModel): readonly PageNode[] {
  const trail = model.nodes.find(
    (node) => !isHidden(node) && node.to > node.from && isBreadcrumbs(node),
  );
  if (trail === undefined) return [];
  const crumbs = model
    .below(trail)
    .filter(
      ({ element: { name, attribs }, from, to }) =>
        name === "a" && to > from && attribs["aria-current"] === undefined,
    );
  if (crumbs.length > MAX_CRUMBS || crumbs.some(({ from, to }) => to - from > MAX_CRUMB)) return [];
  const title = model.heading === undefined ? "" : model.lineOf(model.heading);
  return crumbs.filter((crumb, at) => {
    const text = model.lineOf(crumb);
    const isHome = HOME.test(text) || (at === 0 && crumb.element.attribs["href"] === "/");
    return !isHome && text !== title && /\p{L}/u.test(text);
  });
}

const isBreadcrumbs = ({ element: { attribs, name } }: PageNode): boolean =>
  name !== "body" &&
  [attribs["aria-label"], attribs["class"], attribs["id"], attribs["itemtype"]].some(
    (mark) => mark !== undefined && BREADCRUMBS.test(mark),
  );
