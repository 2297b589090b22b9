// The parts of the DOM used to read a page; the service is compiled without DOM types.

export type PageNode = {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly childNodes: ArrayLike<PageNode>;
  readonly textContent: string | null;
  readonly parentNode: PageNode | null;
  appendChild(node: PageNode): PageNode;
};

export type PageElement = PageNode & {
  readonly localName: string;
  readonly innerText?: string;
  readonly outerHTML: string;
  innerHTML: string;
  readonly children: ArrayLike<PageElement>;
  readonly parentElement: PageElement | null;
  readonly shadowRoot: PageNode | null;
  readonly contentDocument?: PageDocument | null;
  readonly content?: PageNode;
  readonly href?: unknown;
  readonly src?: unknown;
  readonly style?: { readonly position: string; readonly top: string; readonly transform: string };
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly scrollTop: number;
  scrollTo(options: { readonly top: number; readonly behavior: "instant" }): void;
  checkVisibility?(options: { readonly visibilityProperty: boolean }): boolean;
  assignedNodes?(): readonly PageNode[];
  click(): void;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  getBoundingClientRect(): {
    readonly top: number;
    readonly bottom: number;
    readonly width: number;
    readonly height: number;
  };
  querySelectorAll(selector: string): ArrayLike<PageElement>;
};

export type PageDocument = {
  readonly doctype: {
    readonly name: string;
    readonly publicId: string;
    readonly systemId: string;
  } | null;
  readonly documentElement: PageElement | null;
  readonly body: PageElement | null;
  readonly readyState: "loading" | "interactive" | "complete";
  readonly scrollingElement: PageElement | null;
  readonly URL: string;
  readonly implementation: { createHTMLDocument(title: string): PageDocument };
  getElementsByTagName(name: string): ArrayLike<PageElement>;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  importNode<N extends PageNode>(node: N, deep: boolean): N;
  createElement(name: string): PageElement;
};

export type PageObserver = {
  observe(
    target: PageDocument,
    options: { subtree: true; childList: true; characterData: true },
  ): void;
  disconnect(): void;
};
