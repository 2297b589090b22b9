// Runs in the sandboxed frame: shows content from the console and marks places in it. The frame has
// no origin, no network and no cookies, and its policy runs only this script. The console takes
// numbers from it, and picked text and selectors, which are page content like any other.
type Message =
  | { readonly type: "show"; readonly html: string; readonly theme: string; readonly kind: string }
  | { readonly type: "mark"; readonly texts: readonly string[] }
  | { readonly type: "outline"; readonly kept: Selectors; readonly left: Selectors };
type Selectors = readonly string[];

const MAX_MARKS = 200;

const UNWANTED =
  "script, noscript, template, base, link, meta, iframe, frame, object, embed, video, audio, source, svg, math";
/** Legend and style of the overlay, which the frame replaces. */
const OVERLAY_LOOKS = ".legend, style";
const LOADING_ATTRIBUTE =
  /^(?:on.*|srcset|background|ping|action|formaction|poster|srcdoc|data|href|xlink:href)$/;
const LOADING_STYLE = /@import[^;]*;?|(?:url|image|image-set|src)\((?!\s*["']?data:)[^)]*\)/gi;

/** The page as it was sent, of which the frame shows a cleaned copy. */
let sent = "";
let parsed: Document | undefined;
/** Shown elements by their number among all elements of the page, and the reverse. */
let shown: Element[] = [];
let places = new WeakMap<Element, number>();

function remember(element: Element, at: number): void {
  shown[at] = element;
  places.set(element, at);
}

function readSent(): Document {
  parsed ??= new DOMParser().parseFromString(sent, "text/html");
  return parsed;
}

function clean(page: Document, kind: string): void {
  for (const element of page.querySelectorAll(
    kind === "page" ? UNWANTED : `${UNWANTED}, ${OVERLAY_LOOKS}`,
  ))
    element.remove();
  // Whole pages are one form.
  for (const form of page.querySelectorAll("form")) form.replaceWith(...form.childNodes);
  for (const style of page.querySelectorAll("style"))
    style.textContent = style.textContent.replaceAll(LOADING_STYLE, "none");
  for (const element of page.querySelectorAll("*"))
    for (const { name, value } of Array.from(element.attributes)) {
      if (LOADING_ATTRIBUTE.test(name) || (name === "src" && !value.startsWith("data:image/")))
        element.removeAttribute(name);
      else if (name === "style")
        element.setAttribute(name, value.replaceAll(LOADING_STYLE, "none"));
    }
  for (const image of page.querySelectorAll("img:not([src])")) {
    const note = page.createElement("span");
    note.className = "picture";
    note.textContent = image.getAttribute("alt")?.trim() || "image";
    const at = places.get(image);
    if (at !== undefined) remember(note, at);
    image.replaceWith(note);
  }
}

function show({ html, theme, kind }: Extract<Message, { type: "show" }>): void {
  document.documentElement.dataset["theme"] = theme;
  document.documentElement.dataset["kind"] = kind;
  const page = new DOMParser().parseFromString(html, "text/html");
  [sent, parsed, shown, places] = [html, undefined, [], new WeakMap()];
  for (const [at, element] of page.querySelectorAll("*").entries()) remember(element, at);
  clean(page, kind);
  document.body.replaceChildren(...page.head.querySelectorAll("style"), ...page.body.childNodes);
  document.body.dir = page.documentElement.dir || "auto";
}

const BLOCKS =
  "p, div, li, dt, dd, td, th, h1, h2, h3, h4, h5, h6, article, section, header, footer, main, nav, aside, figure, figcaption, blockquote, pre, ul, ol, dl, table, tr, summary, option, button, label";

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Whole words only: "300 g" is not in "300 grams". */
const isWhole = (text: string, at: number, length: number): boolean =>
  !(isWordCharacter(text[at]) && isWordCharacter(text[at - 1])) &&
  !(isWordCharacter(text[at + length - 1]) && isWordCharacter(text[at + length]));

/** Finds the ranges of a text, also across element boundaries. */
function findRanges(text: string): Range[] {
  const wanted = text.replaceAll(/\s+/g, " ").trim().toLowerCase();
  if (wanted === "") return [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const places: { readonly node: Node; readonly at: number }[] = [];
  let all = "";
  let block: Element | null = null;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const given = node.nodeValue ?? "";
    const own: Element | null = node.parentElement?.closest(BLOCKS) ?? null;
    // Words of different blocks are different words, also without a blank between them.
    if (own !== block && given !== "" && !all.endsWith(" ")) {
      all += " ";
      places.push({ node, at: 0 });
    }
    block = own;
    for (let at = 0; at < given.length; at += 1) {
      const character = given.charAt(at);
      const one = /\s/.test(character) ? " " : character.toLowerCase().charAt(0);
      if (one === " " && all.endsWith(" ")) continue;
      all += one;
      places.push({ node, at });
    }
  }
  const ranges: Range[] = [];
  for (
    let at = all.indexOf(wanted);
    at >= 0 && ranges.length < MAX_MARKS;
    at = all.indexOf(wanted, at + wanted.length)
  ) {
    if (!isWhole(all, at, wanted.length)) continue;
    const first = places[at];
    const last = places[at + wanted.length - 1];
    if (first === undefined || last === undefined) continue;
    const range = new Range();
    range.setStart(first.node, first.at);
    range.setEnd(last.node, last.at + 1);
    ranges.push(range);
  }
  return ranges;
}

function mark(texts: readonly string[]): void {
  const ranges = texts.flatMap(findRanges);
  CSS.highlights.set("place", new Highlight(...ranges));
  const element = ranges[0]?.startContainer.parentElement;
  element?.scrollIntoView({ block: "center", behavior: "auto" });
  parent.postMessage({ type: "marked", count: ranges.length }, "*");
}

addEventListener("message", ({ source, data }: MessageEvent<Message>) => {
  if (source !== parent) return;
  if (data.type === "show") show(data);
  else if (data.type === "mark") mark(data.texts);
  else outline(data);
});

const matchAll = (page: Document, selector: string): Element[] => {
  try {
    return [...page.querySelectorAll(selector)];
  } catch {
    // Typed by hand, or a form that only the server knows.
    return [];
  }
};

/** Outlines the shown elements that selectors find in the page as it was sent. */
function outline({ kept, left }: Extract<Message, { type: "outline" }>): void {
  const page = readSent();
  const numbers = new Map([...page.querySelectorAll("*")].map((element, at) => [element, at]));
  for (const element of document.querySelectorAll("[data-outline]"))
    element.removeAttribute("data-outline");
  for (const [name, selectors] of Object.entries({ kept, left }))
    for (const element of selectors.flatMap((selector) => matchAll(page, selector)))
      shown[numbers.get(element) ?? -1]?.setAttribute("data-outline", name);
}

/** Words that an author has chosen; generated ones change with the next version of a site. */
const CHOSEN = /^[a-z][a-z_-]{0,40}\d{0,2}$/i;
const NAMING_ATTRIBUTES = ["itemprop", "data-testid", "data-test", "name", "role"];

/** Tags that many pages have once. */
const LANDMARKS: ReadonlySet<string> = new Set(["main", "header", "footer", "nav", "aside", "h1"]);

/** Selectors of an element by what its author called it, most telling first. */
function listNames(element: Element): string[] {
  const tag = element.localName;
  const named = NAMING_ATTRIBUTES.flatMap((name) => {
    const value = element.getAttribute(name) ?? "";
    return CHOSEN.test(value) ? [`${tag}[${name}="${value}"]`] : [];
  });
  const words = [...element.classList].filter((word) => CHOSEN.test(word)).slice(0, 4);
  return [
    ...(CHOSEN.test(element.id) ? [`#${element.id}`] : []),
    ...named,
    ...words.map((word) => `${tag}.${word}`),
    ...(words.length > 1 ? [`${tag}.${words.join(".")}`] : []),
    ...(LANDMARKS.has(tag) ? [tag] : []),
  ];
}

/** A selector that finds only this element in the page as it was sent. */
function findSelector(element: Element, page: Document): string {
  const isUnique = (selector: string): boolean => matchAll(page, selector).length === 1;
  const own = listNames(element).find(isUnique);
  if (own !== undefined) return own;
  let path = "";
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    const tag = one.localName;
    const peers = [...(one.parentElement?.children ?? [])].filter(
      ({ localName }) => localName === tag,
    );
    const step = peers.length > 1 ? `${tag}:nth-of-type(${peers.indexOf(one) + 1})` : tag;
    path = path === "" ? step : `${step} > ${path}`;
    const parent: Element | null = one.parentElement;
    const below = parent === null ? [] : listNames(parent).map((name) => `${name} > ${path}`);
    const found = below.find(isUnique);
    if (found !== undefined) return found;
  }
  return path;
}

const MAX_PICKED = 500;
/** The clicked element and the ones around it. */
const MAX_WIDER = 8;

/** The text of the clicked element: the smallest one around the pointer that has any. */
function pick(target: EventTarget | null): void {
  let element = target instanceof Element ? target : null;
  while (element !== null && (element.textContent ?? "").trim() === "")
    element = element.parentElement;
  const text = (element?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
  if (element === null || text === "") return;
  const page = readSent();
  const selectors: string[] = [];
  let origin: Element | null | undefined = page.querySelectorAll("*")[places.get(element) ?? -1];
  while (origin !== null && origin !== undefined && selectors.length < MAX_WIDER) {
    selectors.push(findSelector(origin, page));
    origin = origin.parentElement;
  }
  const short = text.length <= MAX_PICKED ? text : "";
  parent.postMessage({ type: "picked", text: short, selectors }, "*");
}

// Links of the page are disabled here.
addEventListener(
  "click",
  (event) => {
    event.preventDefault();
    pick(event.target);
  },
  true,
);

parent.postMessage({ type: "ready" }, "*");
