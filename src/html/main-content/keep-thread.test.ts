import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { toHtml } from "../parse/serialize.ts";
import { findMainContent } from "./find-main-content.ts";

const buildMessage = (author: string, day: number, text: string): string =>
  `<article class="message message--post"><h4 class="message-name"><a class="username">${author}</a></h4><h5>Member</h5><time class="u-dt" datetime="2022-07-0${day}T10:00:00Z">Jul ${day}, 2022</time><article class="message-body"><div class="bbWrapper">${text}</div></article></article>`;
const SAID =
  "The roof of my shed has been leaking since the storm of last week and I have no idea where the water comes from, because the felt looks whole and the gutter is clear as far as I can see from the ladder.";
const buildPage = (...messages: string[]): string =>
  `<html id="XF"><body><nav><a href="/">Home</a></nav><h1 class="p-title-value">Leaking roof</h1>${messages.join("")}<footer>Terms</footer></body></html>`;

function convert(html: string) {
  const root = parseHtml(html);
  const found = findMainContent(root, { url: "https://forum.example/threads/1", explain: true });
  return { found, html: toHtml(root) };
}

describe("threads of known forum software", () => {
  it("reduces a known forum thread to its title and posts, each below a heading with author and time", () => {
    const { found, html } = convert(
      buildPage(buildMessage("ann", 1, SAID), buildMessage("bo", 2, "Use tar.")),
    );
    expect(html).toBe(
      `<h1>Leaking roof</h1><section><h3>ann, Jul 1, 2022</h3><div class="bbWrapper">${SAID}</div></section><section><h3>bo, Jul 2, 2022</h3><div class="bbWrapper">Use tar.</div></section>`,
    );
    expect(found).toMatchObject({ level: "generator", generator: "XenForo", kind: "forum" });
    expect(found.removals.map(({ rule }) => rule)).toContain("beside the posts of XenForo");
  });

  it("keeps short quotes, and the beginning of long ones that repeat an earlier post", () => {
    const quote = (text: string): string =>
      `<blockquote><div>ann said:</div><div>${text}</div></blockquote>`;
    const { html } = convert(
      buildPage(
        buildMessage("ann", 1, SAID),
        buildMessage("bo", 2, `${quote("the gutter is clear")}Is it?`),
        buildMessage("cy", 3, `${quote(SAID)}Felt <b>tears</b>.`),
        buildMessage(
          "di",
          4,
          `${quote(`Not here: ${SAID.split(" ").toReversed().join(" ")}`)}Odd.`,
        ),
      ),
    );
    expect(html).toContain("<div>ann said:</div><div>the gutter is clear</div></blockquote>Is it?");
    expect(html).toContain(
      "<div>ann said:</div><div>The roof of my shed has been leaking since the storm of last …</div></blockquote>Felt <b>tears</b>.",
    );
    expect(html).toContain(`${SAID.split(" ").toReversed().join(" ")}</div></blockquote>Odd.`);
  });
});
