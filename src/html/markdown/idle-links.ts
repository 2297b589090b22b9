// Links that take a reader no further: to the page that is being read, to the very part they stand in, or nowhere at all.
import { type Element, isTag, isText } from "domhandler";
import { foldSpace, isBlank, textOf } from "../parse/tree.ts";

/** Where a link that stands in the page leads. */
export type WrittenLink = {
  /** As it stands in the tree, and as it is to be written. */
  readonly href: string;
  readonly target: string;
  readonly inHeading: boolean;
};

/** Tells links of one page that are plain text to whoever reads it as Markdown. */
export class IdleLinks {
  /** What links into this page begin with when they are written in full. */
  readonly #fragment: string | undefined;
  /** The page's address, and that of the thread it may be a part of. */
  readonly #page: string | undefined;
  readonly #thread: string = "";

  constructor(base: string | undefined, page: string | undefined) {
    this.#fragment = base === undefined ? undefined : `${withoutFragment(base)}#`;
    if (page === undefined) return;
    this.#page = withoutSlash(withoutFragment(page));
    this.#thread = pathOf(page).replace(PAGE_OF_THREAD, "");
  }

  has(element: Element, { href, target, inHeading }: WrittenLink): boolean {
    if (this.#isFragment(href)) return inHeading || /#!?$/.test(href) || isSwitch(element);
    if (target.startsWith("tel:")) return saysNumber(element, target);
    if (this.#page === undefined) return false;
    if (withoutSlash(target) === this.#page) return true;
    if (inHeading) return isOwnPart(target, this.#page);
    return (
      target.startsWith(this.#thread) &&
      PLACE_OF_POST.test(target) &&
      (holdsTime(element) || isMarkOfPost(foldSpace(textOf(element, LONGEST_TIME + 1))))
    );
  }

  /** Whether a link only moves within this page. */
  #isFragment(href: string): boolean {
    return (
      href.startsWith("#") || (this.#fragment !== undefined && href.startsWith(this.#fragment))
    );
  }
}

const PAGE_OF_THREAD = /\/?(?:page-?\d+\/?)?$/;
/** The end of an address that names one post. */
const PLACE_OF_POST = /#\D{0,16}\d+$|\/post-\d+\/?$/;
/** In characters. */
const LONGEST_TIME = 40;
/** Telephone numbers of fewer digits are words of a sentence. */
const MIN_DIGITS = 3;

const SWITCH_ROLES: ReadonlySet<string> = new Set(["button", "tab", "menuitem", "switch"]);

/** Whether a link folds, switches or opens something in the page, as a button would (WAI-ARIA §5.3.2). */
function isSwitch({ attribs }: Element): boolean {
  return (
    SWITCH_ROLES.has(attribs["role"] ?? "") ||
    attribs["aria-expanded"] !== undefined ||
    attribs["aria-selected"] !== undefined ||
    attribs["data-toggle"] !== undefined ||
    attribs["data-bs-toggle"] !== undefined
  );
}

/** Whether a telephone number is what the link says, too. */
function saysNumber(element: Element, target: string): boolean {
  const said = textOf(element, 200).replaceAll(/\D/g, "");
  const called = target.replaceAll(/\D/g, "");
  return said.length >= MIN_DIGITS && (called.endsWith(said) || said.endsWith(called));
}

const withoutFragment = (address: string): string => address.replace(/#.*$/s, "");
const withoutSlash = (address: string): string =>
  address.endsWith("/") ? address.slice(0, -1) : address;
const pathOf = (address: string): string => address.replace(/[?#].*$/s, "");

/** Whether a heading leads to its own part of the page, or of the thread that the page shows: `viewtopic.php?p=12#p12`. */
function isOwnPart(target: string, page: string): boolean {
  if (!target.includes("#")) return false;
  const place = withoutFragment(target);
  if (withoutSlash(place) === page) return true;
  const post = /#\D{0,8}(\d+)$/.exec(target)?.[1];
  return (
    post !== undefined &&
    withoutSlash(pathOf(target)) === withoutSlash(pathOf(page)) &&
    place.includes(`=${post}`)
  );
}

/** Whether a link holds nothing but a time. */
function holdsTime({ children }: Element): boolean {
  const [only, ...others] = children.filter((child) => !isText(child) || !isBlank(child.data));
  return others.length === 0 && only !== undefined && isTag(only) && only.name === "time";
}

/** Whether a text is a time, or the number of a post: "#12". */
const isMarkOfPost = (text: string): boolean =>
  text.length <= LONGEST_TIME && /^#\d+$|\d[:.]\d{2}\b|\b(?:19|20)\d{2}\b|\d.*\bago$/.test(text);

/** Whether a link only leads back up the page. */
export function isWayUp(element: Element, href: string): boolean {
  if (!href.includes("#")) return false;
  const text = textOf(element, LONGEST_TIME);
  return /top/i.test(text) && WAY_UP.test(foldSpace(text));
}

const WAY_UP =
  /^[↑⇧⬆▲^]?\ufe0f? ?(?:back|return|go) to (?:the )?top(?: of (?:the |this )?page)? ?[↑⇧⬆▲^]?\ufe0f?$/i;

/** Whether what stands in a link only says that it opens a window of its own. */
export function isWindowNote(element: Element): boolean {
  const text = textOf(element, LONGEST_TIME);
  return /open/i.test(text) && WINDOW_NOTE.test(foldSpace(text));
}

const WINDOW_NOTE =
  /^[-–—,;(\s]*(?:this )?(?:link )?(?:will )?opens? (?:in|into) (?:a )?new (?:browser )?(?:window|tab|dialog|window or tab|tab or window)[).\s]*$/i;
