// The parts of the DOM used for branding evidence. The service is compiled without DOM types;
// functions that run in a page declare these instead.

export type PageBox = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

export type PageStyle = { getPropertyValue(property: string): string };

export type PageNode = { readonly nodeType: number; readonly textContent: string | null };

export type PageElement = PageNode & {
  readonly tagName: string;
  readonly id: string;
  readonly children: ArrayLike<PageElement>;
  readonly childNodes: ArrayLike<PageNode>;
  readonly parentElement: PageElement | null;
  readonly shadowRoot: { readonly children: ArrayLike<PageElement> } | null;
  readonly outerHTML: string;
  getAttribute(attribute: string): string | null;
  setAttribute(attribute: string, text: string): void;
  removeAttribute(attribute: string): void;
  getAttributeNames(): string[];
  getBoundingClientRect(): PageBox;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  cloneNode(deep: boolean): PageElement;
  append(...nodes: PageElement[]): void;
  remove(): void;
  computedStyleMap(): Iterable<[string, Iterable<unknown>]>;
};

export type PageRule = {
  readonly selectorText?: string;
  readonly style?: PageStyle & ArrayLike<string>;
  readonly cssRules?: ArrayLike<PageRule>;
  readonly media?: { readonly mediaText: string };
  readonly conditionText?: string;
  readonly styleSheet?: PageSheet | null;
};

export type PageSheet = {
  readonly cssRules: ArrayLike<PageRule>;
  readonly disabled: boolean;
  readonly media: { readonly mediaText: string };
};

export type PageFontFace = {
  readonly family: string;
  readonly weight: string;
  readonly style: string;
  readonly status: string;
};

export type PageDocument = {
  readonly documentElement: PageElement;
  readonly body: PageElement | null;
  readonly title: string;
  readonly baseURI: string;
  readonly styleSheets: ArrayLike<PageSheet>;
  readonly adoptedStyleSheets: ArrayLike<PageSheet>;
  readonly fonts: Iterable<PageFontFace>;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
};

export type PageWindow = {
  readonly innerWidth: number;
  readonly innerHeight: number;
  readonly scrollX: number;
  readonly scrollY: number;
  getComputedStyle(element: PageElement): PageStyle;
  matchMedia(query: string): { readonly matches: boolean };
};
