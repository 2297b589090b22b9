import { isTag, type ChildNode, type Document, type ParentNode } from "domhandler";
import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { toHtml } from "../parse/serialize.ts";
import { buildKnownText } from "./blocks/block-text.ts";
import { segmentPage } from "./blocks/blocks.ts";
import { gatherElementFacts } from "./blocks/element-facts.ts";
import { pruneTree } from "./prune.ts";

/** Keeps the blocks at these indices and prunes the rest. */
function prune(html: string, kept: readonly number[], explain = false) {
  const root = parseHtml(html);
  const page = segmentPage(root, buildKnownText("", ""));
  const choice = {
    cut: 0.5,
    innerCut: 0.5,
    expected: 1,
    verdicts: page.blocks.map((_, index) =>
      kept.includes(index) ? ("kept" as const) : ("dropped" as const),
    ),
    probabilities: new Float64Array(page.blocks.length).fill(0.2),
  };
  const removals = pruneTree(root, page, gatherElementFacts(page), choice, explain);
  return { root, removals, html: toHtml(root) };
}

/** Returns every inconsistent sibling or parent link. */
function findWrongLinks(parent: Document | ParentNode): string[] {
  const wrong: string[] = [];
  const open: ParentNode[] = [parent];
  for (const above of open) {
    let before: ChildNode | null = null;
    for (const child of above.children) {
      if (child.parent !== above || child.prev !== before) wrong.push(child.type);
      if (before !== null && before.next !== child) wrong.push(before.type);
      if (isTag(child)) open.push(child);
      before = child;
    }
    if (before !== null && before.next !== null) wrong.push(before.type);
  }
  return wrong;
}

describe("pruneTree", () => {
  it("keeps kept text in place and removes everything else", () => {
    const { html, root } = prune(
      "<div><nav>menu</nav><p>one <b>bold</b></p><!-- note --><div><p>two</p></div><script>x</script></div><p>three</p>",
      [1, 3],
    );
    expect(html).toBe("<div><p>one <b>bold</b></p></div><p>three</p>");
    expect(findWrongLinks(root)).toEqual([]);
  });

  it("keeps whitespace, line breaks and rules between kept content", () => {
    expect(prune("<div><p>one</p> <hr><p>two</p>\n<p>three<br></p></div>", [0, 2]).html).toBe(
      "<div><p>one</p> <hr>\n<p>three<br></p></div>",
    );
  });

  it("empties a dropped cell but keeps its column", () => {
    const row = (cells: string): string => `<table><tbody><tr>${cells}</tr></tbody></table>`;
    expect(prune(row("<td>a</td><td><p>b</p></td><td>c</td>"), [0, 2]).html).toBe(
      row("<td>a</td><td></td><td>c</td>"),
    );
  });

  it("keeps a whole image between kept texts, and drops one beside dropped text", () => {
    const picture =
      '<picture><!-- x --><source srcset="a.webp"><img src="a.png" alt="a"></picture>';
    const { html, root } = prune(`<p>one</p>${picture}<p>two</p><div>${picture}</div>`, [0, 1]);
    expect(html).toBe(`<p>one</p>${picture}<p>two</p>`);
    expect(findWrongLinks(root)).toEqual([]);
  });

  it("continues after a kept picture with text inside", () => {
    const { html } = prune(
      "<p>one</p><picture>shown<img src=a.png></picture><p>two</p><p>three</p><p>four</p>",
      [0, 1, 2, 4],
    );
    expect(html).toBe('<p>one</p><picture>shown<img src="a.png"></picture><p>two</p><p>four</p>');
  });

  it("reports removals only when asked to explain", () => {
    const page = '<nav class="menu"><a href="/">Home page</a></nav><p>text</p><p>aside</p>';
    expect(prune(page, [1]).removals).toEqual([]);
    expect(prune(page, [1], true).removals).toMatchObject([
      { path: "nav.menu", words: 2, sample: "Home page" },
      { path: "p", words: 1, sample: "aside" },
    ]);
  });
});
