import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { selectContent } from "../clean/content.ts";
import { parseHtml } from "../parse/parse.ts";
import { readText } from "../parse/tree.ts";
import { findByModel } from "../../../test/find-by-model.ts";

const URL = "https://example.com/some-page";
const words = fc.array(
  fc.constantFrom("river", "Bank", "of", "the", "42", "stone,", "house.", "你好"),
  {
    minLength: 1,
    maxLength: 30,
  },
);
const text = words.map((list) => list.join(" "));
const leaf = fc.oneof(
  text.map((inner) => `<p>${inner}</p>`),
  text.map((inner) => `<h2>${inner}</h2>`),
  text.map((inner) => `<ul><li><a href="/x">${inner}</a></li><li>${inner}</li></ul>`),
  text.map((inner) => `<pre>${inner}</pre>`),
  text.map((inner) => `<div class="related sidebar"><a href="/y">${inner}</a></div>`),
  text.map((inner) => `<script>var hiddenScript = "${inner}"</script>`),
  text.map(
    (inner) => `<table><tr><th>${inner}</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>`,
  ),
  text,
);
const page = fc
  .array(
    fc.oneof(
      leaf,
      fc
        .array(leaf, { maxLength: 5 })
        .map((parts) => `<div class="content">${parts.join("")}</div>`),
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((parts) => `<html><body>${parts.join("")}</body></html>`);

function reduce(html: string): string {
  const root = parseHtml(html);
  findByModel(root, { url: URL });
  return readText(root);
}
/** Returns the text of the content after the same steps as a scrape. */
function select(html: string): string {
  const { root } = selectContent(parseHtml(html), {
    url: URL,
    onlyMainContent: true,
    includeTags: [],
    excludeTags: [],
    findMainContent: findByModel,
    parseAgain: () => parseHtml(html),
  });
  return readText(root);
}
const collapseWhitespace = (value: string): string => value.replaceAll(/\s+/g, "");

describe("findMainContent on generated pages", () => {
  it("leaves text of any page that has some", () => {
    fc.assert(
      fc.property(page, (html) => {
        const visible = html.replaceAll(/<script>.*?<\/script>/g, "").replaceAll(/<[^>]*>/g, "");
        if (visible.trim() !== "") expect(collapseWhitespace(reduce(html))).not.toBe("");
      }),
    );
  });

  it("never keeps the text of a script", () => {
    fc.assert(
      fc.property(page, (html) => {
        expect(reduce(html)).not.toContain("hiddenScript");
      }),
    );
  });

  it("keeps the order and the characters of the page", () => {
    fc.assert(
      fc.property(page, (html) => {
        const before = collapseWhitespace(readText(parseHtml(html)));
        let at = 0;
        for (const character of collapseWhitespace(reduce(html))) {
          at = before.indexOf(character, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      }),
    );
  });

  it("ignores comments, line breaks in the source and the order of attributes", () => {
    fc.assert(
      fc.property(page, (html) => {
        const restyled = html
          .replaceAll("<p>", "<!-- note -->\n  <p>")
          .replaceAll("<pre>", "<!-- note --><pre>")
          .replaceAll('<div class="content">', '<div data-x="1" class="content">\n\n');
        expect(collapseWhitespace(reduce(restyled))).toBe(collapseWhitespace(reduce(html)));
      }),
    );
  });

  it("returns the same result twice for the same page", () => {
    fc.assert(
      fc.property(page, (html) => {
        const [once, twice] = [html, html].map((source) => {
          const root = parseHtml(source);
          const found = findByModel(root, { url: URL, explain: true });
          return { text: readText(root), ...found };
        });
        expect(twice).toEqual(once);
      }),
    );
  });

  it("ignores meaningless attributes, scripts, styles, templates and whitespace", () => {
    const noise = fc.constantFrom(
      "<script>var hiddenScript = 1</script>",
      "<style>p { color: red }</style>",
      '<template><p class="comment">not shown</p></template>',
      "<!-- a note -->",
      "\n\t \n",
    );
    fc.assert(
      fc.property(page, noise, noise, (html, one, two) => {
        const changed = html
          .replaceAll("<p>", `${one}<p data-track="x1" lang="en">`)
          .replaceAll("<h2>", `${two}<h2 data-id="7" dir="ltr">`)
          .replaceAll("</div>", `${one}</div>`)
          .replace("</body>", `${two}</body>`);
        expect(collapseWhitespace(select(changed))).toBe(collapseWhitespace(select(html)));
      }),
    );
  });

  it("never lowers the cut when strictness rises", () => {
    fc.assert(
      fc.property(page, (html) => {
        const cuts = [0.5, 0.75, 1, 1.5].map(
          (strictness) => findByModel(parseHtml(html), { url: URL, strictness }).cut,
        );
        expect(cuts).toEqual(cuts.toSorted((one, two) => one - two));
      }),
    );
  });

  it("keeps a data table as a whole or not at all", () => {
    fc.assert(
      fc.property(page, (html) => {
        const kept = reduceToTables(html);
        for (const cells of kept) expect(cells).toBe(4);
      }),
    );
  });
});

function reduceToTables(html: string): number[] {
  const root = parseHtml(html);
  findByModel(root, { url: URL });
  const tables: number[] = [];
  const visit = (node: { children?: unknown[]; name?: string }): number => {
    let cells =
      node.name === "td" || node.name === "th"
        ? readText(node as never).trim() === ""
          ? 0
          : 1
        : 0;
    for (const child of (node.children ?? []) as { children?: unknown[]; name?: string }[])
      cells += visit(child);
    if (node.name === "table") tables.push(cells);
    return cells;
  };
  visit(root as never);
  return tables;
}
