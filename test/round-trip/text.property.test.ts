// Properties of rendered Markdown: it contains the same words as the page, and identical code.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderHtml } from "../golden/case.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";
import { findElement, readText } from "../../src/html/parse/tree.ts";
import { renderMarkdown } from "./render.ts";

const page = { why: "", url: "https://example.org/page" };
const SIGNS = "*_`~[]()!<>&\\#+-=|.:^{}$\"' 1a é漢"; // prettier-ignore

const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...SIGNS.split("")), fc.constantFrom("word", "**", "](", "1. ", "- ")),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  // TeX is a formula, not words.
  .map((parts) => escapeHtml(parts.join("").replace(/\\(?=[[(])/g, "")));

type Inline = { readonly inline: string };
const { inline } = fc.letrec<Inline>((tie) => ({
  inline: fc
    .array(
      fc.oneof(
        { depthSize: "small" },
        { weight: 3, arbitrary: text },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constantFrom("b", "em", "del", "code", "sup"), tie("inline"))
            .map(([name, inner]) => `<${name}>${inner}</${name}>`),
        },
        { weight: 1, arbitrary: tie("inline").map((inner) => `<a href="/x">${inner}</a>`) },
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join("")),
}));

/** Returns the visible words without whitespace, because rendering may break lines differently. */
const words = (html: string): string => readText(parseHtml(html)).replace(/\s+/g, "");

describe("Markdown rendered back", () => {
  it.each(["p", "h2", "blockquote", "li", "td"])("renders the same words back in <%s>", (name) => {
    fc.assert(
      fc.property(inline, (content) => {
        const wrap = (inner: string): string =>
          name === "li"
            ? `<ul><li>${inner}</li><li>x</li></ul>`
            : name === "td"
              ? `<table><tr><th>h</th><th>i</th></tr><tr><td>${inner}</td><td>x</td></tr></table>`
              : `<${name}>${inner}</${name}>`;
        // Starts with a word, because the start of a line may be a typed list, which lists.html
        // covers.
        const html = wrap(`w ${content}`);
        const markdown = renderHtml(html, page);
        expect(words(renderMarkdown(markdown, false)), markdown).toBe(words(html));
      }),
      { numRuns: 400 },
    );
  });

  it("renders code back without any change", () => {
    const line = fc.string({ unit: fc.constantFrom(..."`~ \t#*ab<&\\|".split("")), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const code = `x${lines.join("\n")}y`;
        const markdown = renderHtml(`<pre><code>${escapeHtml(code)}</code></pre>`, page);
        const pre = findElement(
          parseHtml(renderMarkdown(markdown, false)),
          ({ name }) => name === "pre",
        );
        expect(pre && readText(pre)).toBe(`${code}\n`);
      }),
    );
  });
});
