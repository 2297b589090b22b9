/**
 * A program that generates pages, and the places of the authored content in them. Places use the
 * syntax of `place.ts`.
 */
export type Generator = {
  /** Name of the generator, as it declares it. */
  readonly name: string;
  /**
   * Matches the `<meta name=generator>` value. If missing, the places alone identify the generator.
   */
  readonly declared?: RegExp;
  /**
   * Places of the content, the best one first. All elements at the first place that exists count;
   * an inner array shares one rank.
   */
  readonly content: readonly (string | readonly string[])[];
  /** Places outside the content that belong to it. */
  readonly extra?: readonly string[];
  /** Positions of the main heading, for any element. It is kept even outside the content. */
  readonly title?: readonly string[];
  /** Places inside the content to drop. */
  readonly drops?: readonly string[];
  /** Tables of contents. They are dropped if all their links point into this page. */
  readonly toc?: readonly string[];
  /** Tables drawn with sibling elements: first the headings, each with the class `table-header`. */
  readonly grids?: readonly string[];
  /** Tables that only align one line of code. */
  readonly lines?: readonly string[];
  /** Elements that only a style sheet separates from the words after them. */
  readonly spaced?: readonly string[];
  /** Pages of this generator have one of these. */
  readonly needs?: readonly string[];
  /** A page with one of these is a start page, not a content page. */
  readonly unless?: readonly string[];
};
