// Part of the page in which the properties of one object are searched.
import type { Thing } from "../declared/finding.ts";
import type { Name } from "../names/names.ts";
import type { VisibleScope } from "../visible/visible-scope.ts";

export type Scope = {
  /** Machine-readable things, the best first. */
  readonly things: readonly Thing[];
  readonly typeWords: ReadonlySet<string>;
  /** Data about the page as a whole. */
  readonly page: Thing | undefined;
  /** Visible text of the scope. */
  readonly visible: VisibleScope | undefined;
  /** Heading of the part of a list that the item stands in. */
  readonly group: string;
  /** Name of the list whose rows are filled. */
  readonly list?: Name;
};
