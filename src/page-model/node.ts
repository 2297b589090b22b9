// The nodes of a page model: elements in document order, each with a slice of one visible text.
import type { Element } from "domhandler";

/** Facts about a node, as bits. */
export const FLAG = {
  /** Invisible: `hidden`, `display: none`, a closed dialog. Its text is in no other node's text. */
  hidden: 1,
  /** Read by screen readers only. Its text is in `spoken` of the node. */
  spoken: 2,
  /** Crossed out. */
  struck: 4,
  /** Navigation, site header, site footer, sidebar, cookie notice or a block of other items. */
  aside: 8,
  /** Has text directly, not only in children. */
  ownText: 16,
  /** Starts a new line. */
  block: 32,
  /** A folded `details`, tab panel or accordion: shown after one click. */
  collapsed: 64,
} as const;

export type PageNode = {
  /** Position in the list of nodes, in document order. */
  readonly index: number;
  /** Short name, the same for every model of the same HTML: `n` and the position. */
  readonly ref: string;
  readonly element: Element;
  /** Index of the parent, -1 at the top. */
  readonly parent: number;
  readonly depth: number;
  /** Bits of `FLAG`, those of the parents included except `ownText` and `block`. */
  readonly flags: number;
  /** Index after the last descendant. */
  readonly end: number;
  /** Offsets of its text in the visible text of the page. */
  readonly from: number;
  readonly to: number;
  /**
   * Text for assistive technology instead of, or before, the visible text: aria-label, alt, title,
   * screen-reader text.
   */
  readonly spoken: string;
};

export const isHidden = ({ flags }: PageNode): boolean =>
  (flags & (FLAG.hidden | FLAG.spoken)) !== 0;
export const isStruck = ({ flags }: PageNode): boolean => (flags & FLAG.struck) !== 0;
export const isAside = ({ flags }: PageNode): boolean => (flags & FLAG.aside) !== 0;
export const hasOwnText = ({ flags }: PageNode): boolean => (flags & FLAG.ownText) !== 0;
export const isBlock = ({ flags }: PageNode): boolean => (flags & FLAG.block) !== 0;
