import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { toHtml } from "../../parse/serialize.ts";
import { findMainContent } from "../find-main-content.ts";

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

  it("lists comments with author and time below the answer of a questions site", () => {
    const comment = (author: string, text: string): string =>
      `<li class="comment js-comment"><div class="comment-score"><span>3</span></div><span class="comment-copy">${text}</span> – <a class="comment-user">${author}</a> <span class="comment-date"><span class="relativetime-clean" title="2014-02-06 10:00:00Z">Feb 6</span></span></li>`;
    const { html } = convert(
      `<body class="question-page"><h1>Leaking roof</h1><div class="question"><div class="js-vote-count">12</div><div class="s-prose js-post-body"><p>It drips.</p></div>
       <div class="post-signature owner"><span class="relativetime" title="2014-02-04 08:40:00Z">Feb 4</span><div class="user-details"><a>ann</a></div></div>
       <ul class="comments-list">${comment("cy", "How <b>old</b> is it?")}</ul><a>Add a comment</a></div></body>`,
    );
    expect(html).toContain(
      `<ul><li><strong>cy, 2014-02-06 10:00 · 3 votes:</strong> <span class="comment-copy">How <b>old</b> is it?</span></li></ul>`,
    );
    expect(html).not.toContain("Add a comment");
  });

  it("drops the link of Invision Community that unfolds a quote", () => {
    const { html } = convert(
      `<body class="ipsApp"><h1>Leaking roof</h1><article class="ipsComment"><h3 class="cAuthorPane_author"><a>ann</a></h3><div data-role="commentContent"><p>${SAID}</p></div></article>
       <article class="ipsComment"><h3 class="cAuthorPane_author"><a>bo</a></h3><div data-role="commentContent"><blockquote><p>It leaks.</p><a class="ipsTruncate_more"><span>Expand</span></a></blockquote><p>Use tar.</p></div></article></body>`,
    );
    expect(html).toContain("It leaks.");
    expect(html).not.toContain("Expand");
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
