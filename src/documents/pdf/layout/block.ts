// Layout result of a document: blocks in reading order, each with the page it starts on.
import type { Box } from "../page-text.ts";

export type Inline = {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly mono?: boolean;
  readonly raised?: boolean;
  readonly href?: string | undefined;
  /** Refers to the footnote with this label. */
  readonly note?: string | undefined;
};

export type TableCell = {
  readonly content: readonly Inline[];
  readonly columns: number;
  readonly rows: number;
  readonly header: boolean;
};

export type ListItem = {
  readonly content: readonly Inline[];
  readonly children: readonly List[];
};

export type List = {
  readonly kind: "list";
  readonly ordered: boolean;
  readonly start: number;
  readonly items: readonly ListItem[];
};

export type Content =
  | { readonly kind: "heading"; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly content: readonly Inline[] }
  | { readonly kind: "quote"; readonly content: readonly Inline[] }
  | {
      readonly kind: "footnote";
      readonly content: readonly Inline[];
      /** Set on a footnote that the text refers to; its mark is then not in its content. */
      readonly label?: string;
    }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly TableCell[])[] }
  | List;

export type Block = Content & {
  readonly page: number;
  readonly box: Box;
  /** Mean confidence of recognized text; undefined for embedded text. */
  readonly confidence: number | undefined;
};

export const joinInlineText = (content: readonly Inline[]): string =>
  content.map(({ text }) => text).join("");

/** Returns the block with each inline mapped. */
export function mapInlines(block: Content, change: (inline: Inline) => Inline): Content {
  const mapAll = (content: readonly Inline[]): Inline[] => content.map(change);
  switch (block.kind) {
    case "code":
      return block;
    case "table":
      return {
        ...block,
        rows: block.rows.map((row) =>
          row.map((cell) => ({ ...cell, content: mapAll(cell.content) })),
        ),
      };
    case "list":
      return mapList(block, mapAll);
    default:
      return { ...block, content: mapAll(block.content) };
  }
}

/** Recursion is bounded, because lists nest no deeper than the indents on a page. */
const mapList = (list: List, change: (content: readonly Inline[]) => Inline[]): List => ({
  ...list,
  items: list.items.map(({ content, children }) => ({
    content: change(content),
    children: children.map((child) => mapList(child, change)),
  })),
});
