import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { selectContent } from "../clean/content.ts";
import { parseHtml } from "../parse/parse.ts";
import { toMarkdown } from "./markdown.ts";

const words = fc.constantFrom(
  "word",
  " ",
  "two words",
  "*",
  "**x**",
  "_",
  "`",
  "[",
  "](",
  "<script>alert(1)</script>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&amp;",
  "\\",
  "\\(x\\)",
  "# h",
  "1. x",
  "- y",
  "|",
  "\n",
  "é漢字",
  "\u200b",
  "<br>",
  "$",
  "~~",
);
const tag = fc.constantFrom(
  ..."p div span a b strong em i code pre ul ol li table tr td th thead tbody caption dl dt dd blockquote h1 h3 h6 details summary figure figcaption sup sub kbd del math mfrac section x-card button q ruby rt noscript template".split(
    " ",
  ),
);
const attribute = fc.constantFrom(
  "",
  ' href="javascript:alert(1)"',
  ' href=" java\nscript:alert(1)"',
  ' href="\u0001JaVaScRiPt:alert(1)"',
  ' href="/path?a=1&b=(2)"',
  ' href="#fn1"',
  ' id="fn1"',
  ' class="katex math"',
  ' class="language-js highlight"',
  ' class="admonition note"',
  ' colspan="3" rowspan="2"',
  " hidden",
  ' style="display:none"',
  ' data-src="x.png" srcset="a 1x, b 2x,"',
);
const html = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: words },
      {
        weight: 3,
        arbitrary: fc.tuple(tag, attribute).map(([name, value]) => `<${name}${value}>`),
      },
      { weight: 2, arbitrary: tag.map((name) => `</${name}>`) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '<img src="javascript:alert(1)" alt="x">',
          '<img src="data:image/png;base64,AAAA" alt="]">',
          "<input type=checkbox checked>",
          '<iframe src="javascript:alert(1)"></iframe>',
          "<hr>",
          "<script>document.write(1)</script>",
        ),
      },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

const convert = (page: string): string => {
  const content = selectContent(parseHtml(page), {
    url: "https://example.org/",
    onlyMainContent: false,
    includeTags: [],
    excludeTags: [],
    findMainContent: () => ({ removals: [] }),
    parseAgain: () => parseHtml(page),
  });
  return toMarkdown(content.root, { base: content.base, removeBase64Images: true });
};

describe("toMarkdown on generated pages", () => {
  it("never throws, never writes a script tag or script link, and is deterministic", () => {
    fc.assert(
      fc.property(html, (page) => {
        for (const markdown of [convert(page), toMarkdown(parseHtml(page))]) {
          // Escaped text may name a tag; an unescaped one would be markup again.
          expect(withoutCode(markdown)).not.toMatch(/(?<!\\)<script/i);
          expect(markdown).not.toMatch(/\]\(\s*<?\s*(?:javascript|vbscript):/i);
        }
        expect(convert(page)).toBe(convert(page));
      }),
      { numRuns: 1_500 },
    );
  });

  it("keeps every word of a page's paragraphs", () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(tag, word), { minLength: 1, maxLength: 30 }), (parts) => {
        const silent = new Set(["noscript", "template", "button", "math", "mfrac", "rt", "ruby"]);
        const shown = parts.filter(([name]) => !silent.has(name));
        const page = shown.map(([name, text]) => `<${name}>${text} </${name}>`).join("");
        const markdown = toMarkdown(parseHtml(page));
        for (const [, text] of shown) expect(markdown).toContain(text);
      }),
    );
  });
});

/**
 * Removes fences and code spans. A span ends with its paragraph (CommonMark, code spans), so a lone
 * or escaped backtick opens none.
 */
function withoutCode(markdown: string): string {
  return markdown.replace(
    /\\[^\n]|(`{3,})[^\n]*\n[\s\S]*?\1|(`+)(?!`)(?:(?!\n[ >]*\n)[\s\S])*?(?<!`)\2(?!`)/g,
    (part) => (part.startsWith("\\") ? part : ""),
  );
}
