// Options that a description lists: "Compulsory or elective", "Stable, beta or LTS".

const MAX_OPTION_WORDS = 3;
const SEPARATOR = /\s*(?:,\s*(?:or|oder|ou|o|of)\s|,|\/|\|)\s*|\s+(?:or|oder|ou|of)\s+/iu;
/** Behind the options: "Stable, beta or LTS (empty if unknown)". */
const REMARK = /\s*[(;.].*$/su;

/** The options in lower case; none if the description is something else. */
export function listDescribedOptions(description: string): string[] {
  const text = description.replace(REMARK, "").trim();
  const options = text.split(SEPARATOR).map((option) =>
    option
      .replaceAll(/["'“”]/g, "")
      .trim()
      .toLowerCase(),
  );
  const isList =
    options.length >= 2 &&
    options.every((option) => option !== "" && option.split(/\s+/).length <= MAX_OPTION_WORDS);
  // "Title or name of the book" lists names of the property, not its values.
  return isList && options.every((option) => option.length <= 24) ? options : [];
}
