// Tags as small numbers. Every element is tested for its tag dozens of times, and numbers compare
// and index faster than names.

/** Common tags, and tags that some code looks for. */
export const TAG_NAMES: readonly string[] = (
  "a abbr address area article aside audio b base basefont bdi bdo blockquote body br button canvas caption center cite code " +
  "col colgroup command data datalist dd del details dfn dialog dialog-backdrop dir div dl dt em embed fieldset figcaption " +
  "figure font footer form frame frameset g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins isindex kbd " +
  "keygen label legend li link main map mark math menu meta nav noembed noframes noscript object ol optgroup option output p " +
  "param path picture pre progress q rp rt ruby s samp script search section select slot small source span strike strong " +
  "style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul use var video wbr meter"
).split(" ");

const NUMBER_BY_TAG: ReadonlyMap<string, number> = new Map(
  TAG_NAMES.map((name, index) => [name, index + 1]),
);
/** Number of tag numbers, including 0 for all other tags. */
export const TAG_NUMBERS = NUMBER_BY_TAG.size + 1;

/** Returns the number of any tag; 0 for tags that nothing looks for. */
export const getTagNumber = (name: string): number => NUMBER_BY_TAG.get(name) ?? 0;

/** Returns the number of a known tag. Throws a RangeError for others. */
export function tagNumber(name: string): number {
  const number = NUMBER_BY_TAG.get(name);
  if (number === undefined) throw new RangeError(`the tag ${name} has no number`);
  return number;
}

/** Returns a table with 1 for the numbers of these tags and 0 for all others. */
export function tagSet(names: string): Uint8Array {
  const table = new Uint8Array(TAG_NUMBERS);
  for (const name of names.split(" ")) table[tagNumber(name)] = 1;
  return table;
}
