/** Writes the facts of a page before its text. JSON strings are valid YAML strings. */
export function writeFrontMatter(fields: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  return `---\n${lines.join("\n")}\n---\n`;
}
