// Builds the files of a document for people.
import type { Document } from "../../../client/wire.ts";

export type PageFile = {
  /** ".md", ".html" or ".json". */
  readonly ending: string;
  readonly text: string;
};

const endWithNewline = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

/**
 * Markdown with front matter; HTML as it is; and a JSON file of the whole document if it has more.
 * An empty page gets front matter only, so that it does not look missing.
 */
export function toPageFiles(document: Document, url: string): PageFile[] {
  const { markdown, html, rawHtml, metadata, warning: _, ...more } = document;
  const files: PageFile[] = [];
  const page = html ?? rawHtml;
  const isMore = Object.keys(more).length > 0 || (html !== undefined && rawHtml !== undefined);
  if (markdown !== undefined || (page === undefined && !isMore))
    files.push({
      ending: ".md",
      text: `${buildFrontMatter(document, url)}${endWithNewline(markdown ?? "")}`,
    });
  if (page !== undefined)
    files.push({ ending: ".html", text: `<!-- ${buildComment(url)} -->\n${endWithNewline(page)}` });
  if (isMore) {
    const whole = { url, ...document, metadata };
    files.push({ ending: ".json", text: `${JSON.stringify(whole, null, 2)}\n` });
  }
  return files;
}

/** YAML; a JSON string is a valid double-quoted scalar. */
function buildFrontMatter({ metadata }: Document, url: string): string {
  const { title, statusCode, url: finalUrl } = metadata;
  const fields: [string, unknown][] = [
    ["url", url],
    ["title", title],
    ["status", statusCode],
    ["redirected", finalUrl === url ? undefined : finalUrl],
  ];
  const lines = fields.flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number"
      ? [`${name}: ${JSON.stringify(value)}`]
      : [],
  );
  return `---\n${lines.join("\n")}\n---\n\n`;
}

/** A URL has no white space, so only its dashes could end the comment. */
const buildComment = (url: string): string => JSON.stringify(url).replaceAll("--", "-%2D");
