// Records of one list, as candidates for the rows of an array.
import type { VisibleScope } from "./visible-scope.ts";

export type RowGroup = {
  /** One per row or record. */
  readonly scopes: readonly VisibleScope[];
  /** Caption or heading above. */
  readonly title: string;
  /** The heading above a table, which may have a caption as its title. */
  readonly heading?: string;
  /** Header of the first column, which says what the rows are: "Segment". */
  readonly noun?: string;
  /** True if each row is a period, such as a year. */
  readonly isOfPeriods?: boolean;
  /** Name of the list part of each row; "" if there are no parts. */
  readonly groups: readonly string[];
};
