import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { describe, expect, it } from "vitest";
import { holdsFact, readMarkdown, normalizeFact } from "../../bench/eval/match-facts.ts";
import { PARTS, readFactPages } from "../../bench/eval/read-facts.ts";

const pages = readFactPages();
const UNSEEN = new Set(["head", "script", "style", "noscript"]);

/** The text a reader can see, tabs and closed details included. */
function textOf(html: string): string {
  const parts: string[] = [];
  const left: (DefaultTreeAdapterTypes.Node | string)[] = [parse(html)];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (typeof node === "string") parts.push(node);
    else if (node.nodeName === "#text")
      parts.push((node as DefaultTreeAdapterTypes.TextNode).value);
    else if ("childNodes" in node && !UNSEEN.has(node.nodeName)) {
      const children = node.nodeName === "template" ? templateOf(node) : node.childNodes;
      left.push(" ", ...children.toReversed(), " ");
    }
  }
  return normalizeFact(parts.join(""));
}

const templateOf = (
  node: DefaultTreeAdapterTypes.ParentNode,
): DefaultTreeAdapterTypes.ChildNode[] =>
  "content" in node ? (node as DefaultTreeAdapterTypes.Template).content.childNodes : [];

describe("pages with facts", () => {
  it("has at least 150 pages with facts, half of them held out, 35 of them in other languages than English", () => {
    const counts = PARTS.map((part) => pages.filter((page) => page.part === part).length);
    expect(pages.length).toBeGreaterThanOrEqual(150);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(pages.length * 0.45);
    expect(pages.filter(({ language }) => language !== "en").length).toBeGreaterThanOrEqual(35);
  });

  it.each(pages)("finds every fact and all boilerplate in the visible text of $id", (page) => {
    const text = textOf(page.html);
    expect(page.facts.filter((fact) => !holdsFact(text, fact))).toEqual([]);
    expect(page.boilerplate.filter((words) => !holdsFact(text, words))).toEqual([]);
  });

  it.each(pages)("lists no text of $id as both fact and boilerplate", ({ facts, boilerplate }) => {
    const clashes = boilerplate.filter((words) =>
      facts.some(
        (fact) =>
          holdsFact(normalizeFact(words), fact) ||
          (typeof fact === "string" && holdsFact(normalizeFact(fact), words)),
      ),
    );
    expect(clashes).toEqual([]);
  });
});

describe("facts in Markdown", () => {
  it("finds facts behind escapes, emphasis, links and table borders", () => {
    const text = readMarkdown(
      '| **Price** | [1\\_299 €](https://a.example/x_(y) "t") |\n\n`max_size`',
    );
    expect(holdsFact(text, "1_299 €")).toBe(true);
    expect(holdsFact(text, "max_size")).toBe(true);
    expect(holdsFact(text, "https://a.example")).toBe(false);
  });

  it("finds no facts inside longer numbers or words", () => {
    expect(holdsFact("costs 14.60", "4.6")).toBe(false);
    expect(holdsFact("costs 4.65", "4.6")).toBe(false);
    expect(holdsFact("Pressure rises", "Press")).toBe(false);
  });

  it("finds long facts that touch a neighboring word", () => {
    expect(holdsFact("Applicants27 applied", "27 applied")).toBe(true);
  });

  it("finds facts by patterns", () => {
    expect(holdsFact("now $49 99 only", { pattern: String.raw`\$\s?49[\s.]?99` })).toBe(true);
  });
});
