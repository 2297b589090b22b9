import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { knownText } from "./block-text.ts";
import { blockText, segment } from "./blocks.ts";
import { gatherElementFacts } from "./element-facts.ts";
import { keepPostHeads } from "./keep-post-heads.ts";
import type { Verdict } from "./verdict.ts";

const LONG = "This is what the writer has to say about it.";

/** The texts kept of a page of which nothing was kept but the long texts. */
function keep(html: string): string[] {
  const page = segment(parseHtml(html), knownText("", ""));
  const verdicts: Verdict[] = page.blocks.map((block) =>
    blockText(page, block).startsWith(LONG) ? "kept" : "dropped",
  );
  keepPostHeads(page, gatherElementFacts(page), verdicts);
  return page.blocks
    .filter((_, index) => verdicts[index] === "kept")
    .map((block) => blockText(page, block));
}

describe("keepPostHeads", () => {
  const post = (name: string, time: string): string =>
    `<div class="post"><div class="username">${name}</div><div>Joined 2011</div><time>${time}</time><p>${LONG} ${name}</p><button>Reply</button></div>`;

  it("keeps who wrote each post, and when", () => {
    expect(keep(post("ann", "1 May") + post("ben", "2 May"))).toEqual([
      "ann",
      "1 May",
      `${LONG} ann`,
      "ben",
      "2 May",
      `${LONG} ben`,
    ]);
  });

  it("finds them below the post as well", () => {
    const answer = (name: string): string =>
      `<div class="answer"><p>${LONG} ${name}</p><div class="user-card"><span itemprop="author">${name}</span></div></div>`;
    expect(keep(answer("ann") + answer("ben"))).toEqual([
      `${LONG} ann`,
      "ann",
      `${LONG} ben`,
      "ben",
    ]);
  });

  it("keeps nothing of a post that is not kept, and no list of members", () => {
    const other = '<div class="post"><div class="username">eve</div><p>Buy now</p></div>';
    expect(keep(post("ann", "1 May") + post("ben", "2 May") + other)).not.toContain("eve");
    const members = `<div><div class="username">ann</div><div class="username">ben</div></div>`;
    expect(keep(`<div><p>${LONG}</p>${members}</div>`)).toEqual([LONG]);
  });

  it("keeps one name and one time of a post", () => {
    const twice = (name: string): string =>
      `<div class="post"><div class="username">${name}</div><div class="poster username">${name} again</div><p>${LONG} ${name}</p></div>`;
    expect(keep(twice("ann") + twice("ben"))).not.toContain("ann again");
  });
});
