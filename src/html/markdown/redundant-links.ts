// Links that are useless to a reader: to the current page, to the part that contains them, or to
// nothing.
import { type Element, isTag, isText, type ParentNode } from "domhandler";
import { foldSpace, isBlank, getNextNode, readText } from "../parse/tree.ts";

/** A link in the page and its target. */
export type WrittenLink = {
  /** As written in the tree, and as resolved for writing. */
  readonly href: string;
  readonly target: string;
  readonly inHeading: boolean;
};

/** Detects links of a page that are plain text for a Markdown reader. */
export class RedundantLinks {
  /** Prefix of links into this page in absolute form. */
  readonly #fragment: string | undefined;
  /** Address of the page, and of the thread that it may be part of. */
  readonly #page: string | undefined;
  readonly #thread: string = "";
  /** Links into the page lead to another one, because of `<base>`. */
  readonly #isBasedElsewhere: boolean;
  readonly #root: ParentNode;
  /** Places that links can lead to, once a link into the page was found. */
  #places: ReadonlySet<string> | undefined;

  constructor(root: ParentNode, base: string | undefined, page: string | undefined) {
    this.#root = root;
    this.#fragment = base === undefined ? undefined : `${withoutFragment(base)}#`;
    this.#isBasedElsewhere = false;
    if (page === undefined) return;
    this.#page = stripSlash(withoutFragment(page));
    this.#isBasedElsewhere = base !== undefined && stripSlash(withoutFragment(base)) !== this.#page;
    this.#thread = stripFragment(page).replace(THREAD_PAGE, "");
  }

  has(element: Element, { href, target, inHeading }: WrittenLink): boolean {
    if (this.#isFragment(href))
      return inHeading || /#!?$/.test(href) || isButtonLike(element) || this.#isDeadLink(href);
    if (target.startsWith("tel:")) return isTelephoneText(element, target);
    if (this.#page === undefined) return false;
    if (stripSlash(target) === this.#page) return true;
    if (inHeading) return isOwnPart(target, this.#page);
    return (
      target.startsWith(this.#thread) &&
      POST_FRAGMENT.test(target) &&
      (holdsTime(element) || isMarkOfPost(foldSpace(readText(element, MAX_TIME_CHARACTERS + 1))))
    );
  }

  /** True if the target of a link is not in the output. */
  #isDeadLink(href: string): boolean {
    if (this.#isBasedElsewhere) return false;
    this.#places ??= findPlaces(this.#root);
    const place = href.slice(href.indexOf("#") + 1);
    return !this.#places.has(place) && !this.#places.has(decodeFragment(place));
  }

  /** True if a link only moves within this page. */
  #isFragment(href: string): boolean {
    return (
      href.startsWith("#") || (this.#fragment !== undefined && href.startsWith(this.#fragment))
    );
  }
}

/** Returns the ids of all elements, and the names of anchors. */
function findPlaces(root: ParentNode): ReadonlySet<string> {
  const places = new Set<string>();
  for (let node = getNextNode(root, root); node !== null; node = getNextNode(node, root)) {
    if (!isTag(node)) continue;
    const { id, name } = node.attribs;
    if (id !== undefined) places.add(id);
    if (name !== undefined && node.name === "a") places.add(name);
  }
  return places;
}

function decodeFragment(place: string): string {
  try {
    return decodeURIComponent(place);
  } catch {
    return place;
  }
}

const THREAD_PAGE = /\/?(?:page-?\d+\/?)?$/;
/** End of an address that names one post. */
const POST_FRAGMENT = /#\D{0,16}\d+$|\/post-\d+\/?$/;
/** In characters. */
const MAX_TIME_CHARACTERS = 40;
/** Telephone numbers with fewer digits are ordinary words. */
const MIN_DIGITS = 3;

const SWITCH_ROLES: ReadonlySet<string> = new Set(["button", "tab", "menuitem", "switch"]);

/** True if a link folds, toggles or opens something in the page like a button (WAI-ARIA §5.3.2). */
function isButtonLike({ attribs }: Element): boolean {
  return (
    SWITCH_ROLES.has(attribs["role"] ?? "") ||
    attribs["aria-expanded"] !== undefined ||
    attribs["aria-selected"] !== undefined ||
    attribs["data-toggle"] !== undefined ||
    attribs["data-bs-toggle"] !== undefined
  );
}

/** True if the link text is the telephone number itself. */
function isTelephoneText(element: Element, target: string): boolean {
  const said = readText(element, 200).replaceAll(/\D/g, "");
  const called = target.replaceAll(/\D/g, "");
  return said.length >= MIN_DIGITS && (called.endsWith(said) || said.endsWith(called));
}

const withoutFragment = (address: string): string => address.replace(/#.*$/s, "");
const stripSlash = (address: string): string =>
  address.endsWith("/") ? address.slice(0, -1) : address;
const stripFragment = (address: string): string => address.replace(/[?#].*$/s, "");

/**
 * True if a heading links to its own part of the page or of the thread: `viewtopic.php?p=12#p12`.
 */
function isOwnPart(target: string, page: string): boolean {
  if (!target.includes("#")) return false;
  const place = withoutFragment(target);
  if (stripSlash(place) === page) return true;
  const post = /#\D{0,8}(\d+)$/.exec(target)?.[1];
  return (
    post !== undefined &&
    stripSlash(stripFragment(target)) === stripSlash(stripFragment(page)) &&
    place.includes(`=${post}`)
  );
}

/** True if a link contains only a time. */
function holdsTime({ children }: Element): boolean {
  const [only, ...others] = children.filter((child) => !isText(child) || !isBlank(child.data));
  return others.length === 0 && only !== undefined && isTag(only) && only.name === "time";
}

/** True if the text is a time or a post number such as "#12". */
const isMarkOfPost = (text: string): boolean =>
  text.length <= MAX_TIME_CHARACTERS &&
  /^#\d+$|\d[:.]\d{2}\b|\b(?:19|20)\d{2}\b|\d.*\bago$/.test(text);

/** True if a link only leads back to the top of the page. */
export function isBackToTop(element: Element, href: string): boolean {
  if (!href.includes("#")) return false;
  const text = readText(element, MAX_TIME_CHARACTERS);
  return /top/i.test(text) && BACK_TO_TOP_TEXT.test(foldSpace(text));
}

const BACK_TO_TOP_TEXT =
  /^[↑⇧⬆▲^]?\ufe0f? ?(?:back|return|go) to (?:the )?top(?: of (?:the |this )?page)? ?[↑⇧⬆▲^]?\ufe0f?$/i;

/** True if an element inside a link only says that it opens a new window. */
export function isNewWindowNote(element: Element): boolean {
  const text = readText(element, MAX_TIME_CHARACTERS);
  return /open/i.test(text) && WINDOW_NOTE.test(foldSpace(text));
}

const WINDOW_NOTE =
  /^[-–—,;(\s]*(?:this )?(?:link )?(?:will )?opens? (?:in|into) (?:a )?new (?:browser )?(?:window|tab|dialog|window or tab|tab or window)[).\s]*$/i;
