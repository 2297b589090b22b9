// HTML to Markdown only: one JSON line {id, html, url?} in, one {id, markdown} out; for the
// CommonMark round trip.
import { createInterface } from "node:readline";
import { parseHtml } from "../../src/html/parse/parse.ts";
import { toMarkdown } from "../../src/html/markdown/markdown.ts";

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "") continue;
  const page = JSON.parse(line) as { id: string; html: string; url?: string };
  const markdown = toMarkdown(parseHtml(page.html), { base: page.url, page: page.url });
  process.stdout.write(`${JSON.stringify({ id: page.id, markdown })}\n`);
}
