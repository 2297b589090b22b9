// Runs the extractor over JSON lines for the scorers: {id, url, html} in, {id, markdown, ms} out.
// `--whole` keeps the whole page.
import { createInterface } from "node:readline";
import { selectContent } from "../../src/html/clean/content.ts";
import { findMainContent } from "../../src/html/main-content/find-main-content.ts";
import { toMarkdown } from "../../src/html/markdown/markdown.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";

const onlyMainContent = !process.argv.includes("--whole");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "") continue;
  const page = JSON.parse(line) as { id: string; html: string; url?: string };
  const started = process.cpuUsage();
  const content = selectContent(parseHtml(page.html), {
    url: page.url ?? "http://localhost/",
    onlyMainContent,
    includeTags: [],
    excludeTags: [],
    findMainContent,
    parseAgain: () => parseHtml(page.html),
  });
  const before = process.cpuUsage(started);
  const markdown = toMarkdown(content.root, { base: content.base, page: page.url });
  const spent = process.cpuUsage(started);
  const cpu = (spent.user + spent.system) / 1000;
  const markdownCpu = cpu - (before.user + before.system) / 1000;
  process.stdout.write(
    `${JSON.stringify({ id: page.id, markdown, ms: cpu, cpu, markdownCpu }).replace(/[\u2028\u2029]/g, " ")}\n`,
  );
}
