// The tables of a page as a model sees them: columns with samples, never the rows.
import type { PageTable } from "../../page-model/page-tables.ts";
import type { PageNote } from "../pages/read-page.ts";

const MAX_CHARACTERS = 3_500;
const MAX_SAMPLE_CHARACTERS = 60;

/**
 * Returns "" for a page without tables. Samples are shown only where the page's text has them too.
 */
export function describeTables({
  tables = [],
  markdown,
}: Pick<PageNote, "tables" | "markdown">): string {
  const plain = markdown.replaceAll("\\", "");
  const lines = tables.flatMap((table) => describe(table, plain));
  if (lines.length === 0) return "";
  return `Tables, to collect rows from:\n${lines.join("\n").slice(0, MAX_CHARACTERS)}`;
}

function describe({ ref, title, rows, columns }: PageTable, markdown: string): string[] {
  const head = ref === "page" ? "page: single values" : `${ref}: ${rows.length} rows`;
  return [
    `${head}${title === "" ? "" : ` "${title}"`}`,
    ...columns.map(({ name }, at) => {
      const sample = rows.map((row) => row[at] ?? "").find((cell) => cell !== "") ?? "";
      const short = sample.slice(0, MAX_SAMPLE_CHARACTERS);
      // Text that is concealed from people is not shown to the model.
      const isShown = markdown.includes(short.slice(0, 30)) || /^https?:/.test(short);
      return `  c${at + 1} ${name.slice(0, MAX_SAMPLE_CHARACTERS)}${isShown ? ` = ${short}` : ""}`;
    }),
  ];
}
