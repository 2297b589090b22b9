// Script of `x-remove-overlay`: removes what lies in front of a page, such as a newsletter dialog.

type PageElement = {
  readonly parentElement: PageElement | null;
  /** Without the text of scripts, styles and hidden parts. */
  readonly innerText?: string;
  readonly style: { setProperty(name: string, value: string, priority: string): void };
  matches(selector: string): boolean;
  querySelector(selector: string): PageElement | null;
  getBoundingClientRect(): { readonly width: number; readonly height: number };
  remove(): void;
};

declare const document: {
  readonly body: PageElement | null;
  readonly documentElement: PageElement;
  querySelectorAll(selector: string): Iterable<PageElement>;
  elementsFromPoint(x: number, y: number): PageElement[];
};
declare const innerWidth: number;
declare const innerHeight: number;
declare const getComputedStyle: (element: PageElement) => {
  readonly position: string;
  readonly overflowY: string;
};

/**
 * Runs in the page. Removes dialogs, and fixed elements over a quarter of the window or more. Keeps
 * bars and elements that hold the page itself. Returns the number of removed elements.
 */
function removeOverlays(): number {
  const dialog = "dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]";
  const wholeText = (document.body?.innerText ?? "").length;
  const isPage = (element: PageElement): boolean =>
    element === document.body ||
    element === document.documentElement ||
    element.querySelector("main,article") !== null ||
    (element.innerText ?? "").length > wholeText / 2;
  const isLarge = (element: PageElement): boolean => {
    const { width, height } = element.getBoundingClientRect();
    const seen = Math.min(width, innerWidth) * Math.min(height, innerHeight);
    return seen >= (innerWidth * innerHeight) / 4;
  };
  /** The outermost fixed element or dialog around `start`. */
  const findOverlay = (start: PageElement): PageElement | undefined => {
    let overlay: PageElement | undefined;
    for (let at: PageElement | null = start; at !== null; at = at.parentElement) {
      const isFixed = getComputedStyle(at).position === "fixed" && isLarge(at);
      if ((isFixed || at.matches(dialog)) && !isPage(at)) overlay = at;
    }
    return overlay;
  };
  const found = new Set<PageElement>();
  const consider = (element: PageElement): void => {
    const overlay = findOverlay(element);
    if (overlay !== undefined) found.add(overlay);
  };
  for (const element of document.querySelectorAll(dialog)) {
    const { width, height } = element.getBoundingClientRect();
    if (width > 0 && height > 0) consider(element);
  }
  for (const x of [0.1, 0.5, 0.9])
    for (const y of [0.1, 0.35, 0.5, 0.65, 0.9])
      for (const element of document.elementsFromPoint(innerWidth * x, innerHeight * y))
        consider(element);
  for (const element of found) element.remove();
  for (const element of [document.documentElement, document.body])
    if (found.size > 0 && element !== null && getComputedStyle(element).overflowY === "hidden")
      element.style.setProperty("overflow-y", "auto", "important");
  return found.size;
}

export const REMOVE_OVERLAYS = `(${String(removeOverlays)})()`;
