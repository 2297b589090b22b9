// What is known of a generator of pages.

/** A program that makes pages, and where in them stands what their authors wrote. Places are written as `place.ts` reads them. */
export type Generator = {
  /** As it calls itself. */
  readonly name: string;
  /** What its pages say in `<meta name=generator>`; where it is missing, the places tell it apart by themselves. */
  readonly says?: RegExp;
  /** All of the content, the best description first: of the first that is there every one counts. Several in one have one rank. */
  readonly content: readonly (string | readonly string[])[];
  /** What belongs to the content and stands outside it. */
  readonly also?: readonly string[];
  /** Where the page's main heading stands, whatever element that is; kept where it is outside the content, too. */
  readonly title?: readonly string[];
  /** What stands in the content and is none of it. */
  readonly drops?: readonly string[];
  /** Lists of what stands on the page; dropped where all they link to is on it. */
  readonly toc?: readonly string[];
  /** Tables that are drawn of elements beside each other, their headings first, each with the class `table-header`. */
  readonly grids?: readonly string[];
  /** Tables that set one line of code apart for the eye. */
  readonly lines?: readonly string[];
  /** What is set apart from the words after it for the eye alone. */
  readonly spaced?: readonly string[];
  /** Its pages have one of these. */
  readonly needs?: readonly string[];
  /** A page with one of these is none of content, but its start page. */
  readonly unless?: readonly string[];
};
