// What the layout makes of a document: blocks in reading order, each on the page it starts on.
import type { Box } from "./page-text.ts";

export type Inline = {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly mono?: boolean;
  readonly raised?: boolean;
  readonly href?: string | undefined;
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
  | { readonly kind: "footnote"; readonly content: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly TableCell[])[] }
  | List;

export type Block = Content & {
  readonly page: number;
  readonly box: Box;
  /** Mean confidence of what was recognised in a picture; undefined for embedded text. */
  readonly confidence: number | undefined;
};

export const textOfInlines = (content: readonly Inline[]): string =>
  content.map(({ text }) => text).join("");
