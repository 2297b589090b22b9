import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { segmentPage } from "../blocks/blocks.ts";
import { gatherElementFacts } from "../blocks/element-facts.ts";
import { keepLabels, keepNotes, keepSources } from "./keep-parts.ts";
import type { Verdict } from "./verdict.ts";

type Keep = typeof keepLabels;

/** Returns the verdicts after `keep` on a page whose blocks at `dropped` are dropped. */
function listVerdicts(keep: Keep, html: string, dropped: readonly number[]): Verdict[] {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const verdicts: Verdict[] = page.blocks.map((_, index) =>
    dropped.includes(index) ? "dropped" : "kept",
  );
  keep(page, verdicts);
  return verdicts;
}

describe("keepLabels", () => {
  it("keeps the title of an admonition and the question above an answer", () => {
    const note = `<div class="admonition"><p class="admonition-title">Warning</p><p>It erases the disk.</p></div>`;
    expect(listVerdicts(keepLabels, note, [0])).toEqual(["kept", "kept"]);
    const answer =
      "<details><summary>May I swim?</summary><p>Yes, until the flag is raised.</p></details>";
    expect(listVerdicts(keepLabels, answer, [0])).toEqual(["kept", "kept"]);
  });

  it("keeps the button that unfolds an answer, and no other", () => {
    const button = (controls: string): string =>
      `<div><button aria-controls="${controls}">May I swim?</button><div id=a1><p>Yes, until the flag is raised.</p></div></div>`;
    expect(listVerdicts(keepLabels, button("a1"), [0])).toEqual(["kept", "kept"]);
    expect(listVerdicts(keepLabels, button("a2"), [0])[0]).toBe("dropped");
    expect(listVerdicts(keepLabels, button(""), [0])[0]).toBe("dropped");
  });

  it("ignores other short texts and labels without kept text", () => {
    expect(listVerdicts(keepLabels, "<p>Share</p><p>It erases the disk.</p>", [0])[0]).toBe(
      "dropped",
    );
    const folded = "<details><summary>Menu</summary><p>Home</p></details>";
    expect(listVerdicts(keepLabels, folded, [0, 1])).toEqual(["dropped", "dropped"]);
  });
});

describe("keepSources", () => {
  const quote = "<blockquote><p>The site is a critical part of our days.</p></blockquote>";

  it("keeps who is quoted, below a quotation and inside it", () => {
    const figure = `<figure>${quote}<figcaption>Krystal Roe, Harbour Coffee</figcaption></figure>`;
    expect(listVerdicts(keepSources, figure, [1])).toEqual(["kept", "kept"]);
    const inside =
      "<blockquote><p>The site is a critical part.</p><footer>Krystal Roe</footer></blockquote>";
    expect(listVerdicts(keepSources, inside, [1])).toEqual(["kept", "kept"]);
  });

  it("ignores captions of pictures, footers of pages, long lines, and dropped quotations", () => {
    const picture = "<figure><p>A map.</p><figcaption>Photo: Harbour</figcaption></figure>";
    expect(listVerdicts(keepSources, picture, [1])[1]).toBe("dropped");
    expect(listVerdicts(keepSources, `${quote}<footer>About us</footer>`, [1])[1]).toBe("dropped");
    const long = `<figure>${quote}<figcaption>${"word ".repeat(30)}</figcaption></figure>`;
    expect(listVerdicts(keepSources, long, [1])[1]).toBe("dropped");
    const dropped = `<figure>${quote}<figcaption>Krystal Roe</figcaption></figure>`;
    expect(listVerdicts(keepSources, dropped, [0, 1])).toEqual(["dropped", "dropped"]);
  });
});

describe("keepNotes", () => {
  const keep: Keep = (page, verdicts) => keepNotes(page, gatherElementFacts(page), verdicts);
  const page = (text: string): string =>
    `<p>${text}</p><aside id="fn1" role="doc-footnote"><p>As the errata say.</p><p>So does the standard.</p></aside>`;

  it("keeps the whole footnote that kept text refers to", () => {
    expect(listVerdicts(keep, page('It is legal.<a href="#fn1">[1]</a>'), [1, 2])).toEqual([
      "kept",
      "kept",
      "kept",
    ]);
  });

  it("ignores a note without a reference in kept text, and a link by words", () => {
    expect(listVerdicts(keep, page("It is legal."), [1, 2])[1]).toBe("dropped");
    expect(listVerdicts(keep, page('<a href="#fn1">See the footnotes</a>'), [1, 2])[1]).toBe(
      "dropped",
    );
    expect(listVerdicts(keep, page('It is legal.<a href="#fn1">[1]</a>'), [0, 1, 2])[1]).toBe(
      "dropped",
    );
  });
});
