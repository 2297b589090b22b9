import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { blockText, segmentPage } from "../blocks/blocks.ts";
import { gatherElementFacts } from "../blocks/element-facts.ts";
import { keepPostAuthors } from "./keep-post-authors.ts";
import type { Verdict } from "./verdict.ts";

const LONG = "This is what the writer has to say about it.";

/** Returns the kept texts of a page of which only the long texts were kept. */
function keep(html: string): string[] {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const verdicts: Verdict[] = page.blocks.map((block) =>
    blockText(page, block).startsWith(LONG) ? "kept" : "dropped",
  );
  keepPostAuthors(page, gatherElementFacts(page), verdicts);
  return page.blocks
    .filter((_, index) => verdicts[index] === "kept")
    .map((block) => blockText(page, block));
}

describe("keepPostAuthors", () => {
  const post = (name: string, time: string): string =>
    `<div class="post"><div class="username">${name}</div><div>Joined 2011</div><time>${time}</time><p>${LONG} ${name}</p><button>Reply</button></div>`;

  it("keeps the author and the date of each post", () => {
    expect(keep(post("ann", "1 May") + post("ben", "2 May"))).toEqual([
      "ann",
      "1 May",
      `${LONG} ann`,
      "ben",
      "2 May",
      `${LONG} ben`,
    ]);
  });

  it("keeps author names below the post", () => {
    const answer = (name: string): string =>
      `<div class="answer"><p>${LONG} ${name}</p><div class="user-card"><span itemprop="author">${name}</span></div></div>`;
    expect(keep(answer("ann") + answer("ben"))).toEqual([
      `${LONG} ann`,
      "ann",
      `${LONG} ben`,
      "ben",
    ]);
  });

  it("keeps no author of a dropped post, and no member list", () => {
    const other = '<div class="post"><div class="username">eve</div><p>Buy now</p></div>';
    expect(keep(post("ann", "1 May") + post("ben", "2 May") + other)).not.toContain("eve");
    const members = `<div><div class="username">ann</div><div class="username">ben</div></div>`;
    expect(keep(`<div><p>${LONG}</p>${members}</div>`)).toEqual([LONG]);
  });

  it("keeps one author and one time per post", () => {
    const twice = (name: string): string =>
      `<div class="post"><div class="username">${name}</div><div class="poster username">${name} again</div><p>${LONG} ${name}</p></div>`;
    expect(keep(twice("ann") + twice("ben"))).not.toContain("ann again");
  });
});
