// The parts of the DOM used to find concealed text; the service is compiled without DOM types.

export type Rectangle = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

export type SeenNode = { readonly nodeType: number; readonly textContent: string | null };

export type SeenStyle = Readonly<
  Record<
    | "backgroundClip"
    | "backgroundColor"
    | "backgroundImage"
    | "clip"
    | "clipPath"
    | "direction"
    | "display"
    | "filter"
    | "fontSize"
    | "opacity"
    | "overflowX"
    | "overflowY"
    | "position"
    | "textShadow"
    | "transform"
    | "visibility"
    | "webkitTextFillColor",
    string
  >
>;

/** Text or element. */
export type SeenText = SeenNode & {
  readonly parentElement: SeenElement | null;
  readonly assignedSlot: SeenElement | null;
  getRootNode(): { readonly host?: SeenElement };
};

export type SeenElement = SeenText & {
  readonly localName: string;
  readonly type?: unknown;
  readonly labels?: Iterable<SeenElement> | null;
  readonly shadowRoot: (SeenNode & { readonly children: Iterable<SeenElement> }) | null;
  readonly children: Iterable<SeenElement> & { readonly length: number };
  readonly scrollLeft: number;
  readonly scrollTop: number;
  readonly style?: {
    getPropertyValue(name: string): string;
    getPropertyPriority(name: string): string;
    setProperty(name: string, value: string, priority?: string): void;
  };
  animate(frames: object[], timing: object): { cancel(): void };
  checkVisibility(options: object): boolean;
  closest(selector: string): SeenElement | null;
  contains(other: SeenNode): boolean;
  getBoundingClientRect(): Rectangle;
  hasAttribute(name: string): boolean;
};

export type SeenDocument = {
  readonly documentElement: SeenElement | null;
  readonly body: SeenElement | null;
  querySelectorAll(selector: string): Iterable<SeenElement>;
  createRange(): { selectNodeContents(node: SeenNode): void; getBoundingClientRect(): Rectangle };
  createTreeWalker(root: SeenNode, what: number): { nextNode(): SeenNode | null };
};
