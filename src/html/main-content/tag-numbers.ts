// Tags as small numbers. What is looked for in a page by its tags is asked of every element, a dozen times over: a number is compared,
// and looked up in a table, faster than a name.

/** The numbers of all tags that something here looks for; all others are 0. */
export const NUMBER_OF_TAG: ReadonlyMap<string, number> = new Map(
  (
    "p div section article main aside header footer nav form body html h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tr th td " +
    "pre code blockquote figure figcaption button summary legend"
  )
    .split(" ")
    .map((name, index) => [name, index + 1]),
);
/** How many numbers there are, that of all other tags included. */
export const TAG_NUMBERS = NUMBER_OF_TAG.size + 1;

/** The number of a tag that is looked for. */
export function tagNumber(name: string): number {
  const number = NUMBER_OF_TAG.get(name);
  if (number === undefined) throw new RangeError(`the tag ${name} has no number`);
  return number;
}

/** Says of every number whether it is one of these tags', 1 or 0. */
export function tagSet(names: string): Uint8Array {
  const table = new Uint8Array(TAG_NUMBERS);
  for (const name of names.split(" ")) table[tagNumber(name)] = 1;
  return table;
}
