// Every shape of content must become Markdown that renders back to the same structure. The HTML
// files beside this one contain the shapes: the page and, after `means`, its plain HTML. Without
// `means` the page is already plain.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { renderHtml } from "../golden/case.ts";
import { renderMarkdown, readStructure } from "./render.ts";

const FOLDER = import.meta.dirname;
const page = { why: "", url: "https://example.org/page" };

type Shape = { readonly name: string; readonly html: string; readonly means: string };

function readShapes(file: string): Shape[] {
  const text = readFileSync(path.join(FOLDER, file), "utf8");
  return text
    .split(/^<!-- case: /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf(" -->\n");
      const [html = "", means = html] = part.slice(end + 5).split("<!-- means -->\n");
      return { name: part.slice(0, end), html: html.trimEnd(), means: means.trimEnd() };
    });
}

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".html"))) {
  const topic = path.basename(file, ".html");
  describe(`${topic} round trip`, () => {
    for (const { name, html, means } of readShapes(file))
      it(`keeps the structure of ${topic}: ${name}`, () => {
        const markdown = renderHtml(html, page);
        const rendered = renderMarkdown(markdown, topic === "formulas");
        expect(readStructure(rendered), markdown).toBe(readStructure(means));
      });
  });
}
