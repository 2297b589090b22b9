// Recognizes headings that announce other items than the one that the page is about.
import titles from "./other-items.json" with { type: "json" };

const MAX_CHARACTERS = 120;
const OTHER_ITEMS: readonly RegExp[] = titles.patterns.map((pattern) => new RegExp(pattern, "iu"));

/** True for headings such as "You may also like" or "Ähnliche Produkte". */
export const isOtherItemsHeading = (title: string): boolean =>
  title.length <= MAX_CHARACTERS && OTHER_ITEMS.some((pattern) => pattern.test(title));
