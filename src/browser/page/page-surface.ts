// The parts of the DOM used by functions sent to the page. The service is compiled without DOM
// types, so that code outside a page cannot use them by mistake.

export type PageElement = {
  readonly nodeType: number;
  readonly localName: string;
  readonly parentElement: PageElement | null;
  readonly shadowRoot: PageRoot | null;
  readonly isContentEditable?: boolean;
  readonly form?: PageElement | null;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly clientWidth: number;
  scrollTop: number;
  scrollLeft: number;
  closest(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  getRootNode(): PageRoot;
  getClientRects(): { readonly length: number };
  scrollIntoView(options: { block: "center"; behavior: "instant" }): void;
  scrollBy(options: ScrollTarget): void;
  scrollTo(options: ScrollTarget): void;
};

type ScrollTarget = { left?: number; top?: number; behavior: "instant" };

type PageRoot = { readonly activeElement?: PageElement | null };

export type PageImage = PageElement & {
  readonly complete: boolean;
  readonly src: string;
  addEventListener(type: "load" | "error", listener: () => void, options: { once: true }): void;
};

export type PageDocument = PageRoot & {
  readonly activeElement: PageElement | null;
  readonly body: PageElement | null;
  readonly documentElement: PageElement;
  readonly scrollingElement: PageElement | null;
  readonly designMode: string;
  readonly images: Iterable<PageImage>;
  readonly fonts: { readonly ready: Promise<unknown> };
  querySelectorAll(selector: string): Iterable<PageElement>;
};

export type PageWindow = {
  readonly innerHeight: number;
  getComputedStyle(element: PageElement): { readonly overflowY: string };
  requestAnimationFrame(callback: () => void): number;
  scrollBy(options: ScrollTarget): void;
};
