// Values that were pointed at, as examples for an extractor.
export type PickedField = { readonly name: string; readonly values: readonly string[] };

/**
 * One value in each field is an object; more are records, in the order in which they were clicked.
 * Fields without a value are left out.
 */
export function toExample(
  fields: readonly PickedField[],
): Readonly<Record<string, string>> | readonly Readonly<Record<string, string>>[] | undefined {
  const named = fields.filter(({ name, values }) => name.trim() !== "" && values.length > 0);
  if (named.length === 0) return undefined;
  const count = Math.max(...named.map(({ values }) => values.length));
  const records = Array.from({ length: count }, (_, at) =>
    Object.fromEntries(
      named.flatMap(({ name, values }) => {
        const value = values[at];
        return value === undefined ? [] : [[name.trim(), value]];
      }),
    ),
  );
  return count === 1 ? records[0] : records;
}

/** Why these fields cannot be learned as they are, in words; undefined if they can. */
export function findFieldFault(fields: readonly PickedField[]): string | undefined {
  const names = fields.map(({ name }) => name.trim());
  const nameless = fields.findIndex(({ values }, at) => names[at] === "" && values.length > 0);
  if (nameless !== -1) return `Name field ${nameless + 1}: it has a value but no name.`;
  const twice = names.find((name, at) => name !== "" && names.indexOf(name) !== at);
  if (twice !== undefined) return `Two fields are named ${twice}; rename one.`;
  const without = fields.findIndex(({ values }, at) => names[at] !== "" && values.length === 0);
  return without === -1 || fields.length === 1
    ? undefined
    : `Click a value for ${names[without]} on the page, or remove the field.`;
}

/** All texts of the data, to mark them on the page. */
export function listTexts(data: unknown, most = 200): string[] {
  const texts: string[] = [];
  const open: unknown[] = [data];
  for (let at = 0; at < open.length && texts.length < most; at += 1) {
    const value = open[at];
    if (typeof value === "string" || typeof value === "number") texts.push(String(value));
    else if (typeof value === "object" && value !== null) open.push(...Object.values(value));
  }
  return [...new Set(texts.filter((text) => text.trim() !== ""))];
}
