import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { blockText, segmentPage } from "./blocks.ts";
import { buildKnownText } from "./block-text.ts";
import { gatherElementFacts } from "./element-facts.ts";
import { keepSections } from "./keep-sections.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Returns the kept text of a page of which "Kept" and "Forms" were kept at a cut of .6; everything
 * else has the given probability.
 */
function readKeptText(html: string, likely = 0.4, heading = 0.8): string {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const texts = page.blocks.map((block) => blockText(page, block).trim());
  const verdicts = texts.map((text): Verdict =>
    /^(?:Kept|Forms)/.test(text) ? "kept" : "dropped",
  );
  const probabilities = Float64Array.from(texts, (text) => (text === "Forms" ? heading : likely));
  keepSections(page, gatherElementFacts(page), probabilities, 0.6, verdicts);
  return texts.filter((_, index) => verdicts[index] === "kept").join("|");
}

const links = (count: number): string =>
  `<ul>${Array.from({ length: count }, (_, at) => `<li><a href="/${at}">Permit ${at}</a></li>`).join("")}</ul>`;
const text = "<p>Kept text.</p>";

describe("keepSections", () => {
  it("keeps the section below a kept heading, up to the next heading or the end of its part", () => {
    const all = "Kept text.|Forms|Permit 0|Permit 1";
    expect(readKeptText(`<main>${text}<h2>Forms</h2>${links(2)}<h2>Menu</h2><p>x</p></main>`)).toBe(
      all,
    );
    expect(readKeptText(`<main>${text}<div><h2>Forms</h2>${links(2)}</div><p>x</p></main>`)).toBe(
      all,
    );
  });

  it("finds the section of a heading in a wrapper of its own", () => {
    const page = `<main>${text}<section><div><h2>Forms</h2></div>${links(1)}</section><p>x</p></main>`;
    expect(readKeptText(page)).toBe("Kept text.|Forms|Permit 0");
  });

  it("keeps no section that is unlikely, long, kept in part, or below an uncertain heading", () => {
    const page = (inside: string): string => `<main>${text}<h2>Forms</h2>${inside}</main>`;
    expect(readKeptText(page(links(2)), 0.1)).toBe("Kept text.|Forms");
    expect(readKeptText(page(links(2)), 0.4, 0.45)).toBe("Kept text.|Forms");
    expect(readKeptText(page(links(41)))).toBe("Kept text.|Forms");
    expect(readKeptText(page(`<p>${"word ".repeat(201)}</p>`))).toBe("Kept text.|Forms");
    expect(readKeptText(page("<p>x</p><p>Kept too.</p>"))).toBe("Kept text.|Forms|Kept too.");
  });
});
