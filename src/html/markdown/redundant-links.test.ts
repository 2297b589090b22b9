import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { toMarkdown } from "./markdown.ts";

const page = "https://forum.example/threads/wood.12/page-2?s=1#p7";
const convertHtml = (html: string, base = page): string =>
  toMarkdown(parseHtml(html), { base, page }).trim();

describe("RedundantLinks", () => {
  it.each([
    [
      "to the page itself",
      '<p>see <a href="https://forum.example/threads/wood.12/page-2?s=1">this</a></p>',
      "see this",
    ],
    [
      "of a heading to its own part",
      '<h2><a href="https://forum.example/threads/wood.12/page-2?s=1#two">Two</a></h2>',
      "## Two",
    ],
    [
      "of a heading to its own post",
      '<h3><a href="https://forum.example/threads/wood.12/page-2?p=33&sid=a#p33">Re: Wood</a></h3>',
      "### Re: Wood",
    ],
    [
      "of a time to its own post",
      '<p>Ann <a href="https://forum.example/threads/wood.12/post-33"><time>Feb 25, 2024</time></a></p>',
      "Ann Feb 25, 2024",
    ],
    [
      "of a number to its own post",
      '<p>Ann <a href="https://forum.example/threads/wood.12/#post-33">#33</a></p>',
      "Ann #33",
    ],
    [
      "to a part of the page that is not written",
      '<p>See <a href="#rules">the rules</a>.</p>',
      "See the rules.",
    ],
    [
      "that dial the number in their text",
      '<p>Call <a href="tel:+1-918-205-4492">(918) 205-4492</a></p>',
      "Call (918) 205-4492",
    ],
  ])("writes links %s as text", (_what, html, markdown) => {
    expect(convertHtml(html)).toBe(markdown);
  });

  it.each([
    [
      "to another thread",
      '<p><a href="https://forum.example/threads/stone.9/post-3"><time>Feb 25, 2024</time></a></p>',
    ],
    [
      "to a post, by its words",
      '<p><a href="https://forum.example/threads/wood.12/post-33">as Ann said</a></p>',
    ],
    [
      "to a part of the page",
      '<p><a href="https://forum.example/threads/wood.12/page-2?s=1#rules">the rules</a></p><p id="rules">No ads.</p>',
    ],
    [
      "to a part of another page, which <base> names",
      '<p><a href="#rules">the rules</a></p>',
      "https://forum.example/",
    ],
    [
      "of a heading to another page",
      '<h2><a href="https://forum.example/threads/stone.9/">Stone</a></h2>',
    ],
    [
      "of a heading to the same script with another query",
      '<h2><a href="https://forum.example/threads/wood.12/page-2?t=5">Stone</a></h2>',
    ],
    ["that dial another number than their text", '<p><a href="tel:+19182054492">Call us</a></p>'],
  ])("keeps links %s", (_what, html, base = page) => {
    expect(toMarkdown(parseHtml(html), { base, page })).toContain("](");
  });

  it("compares links with the page's address, not with its base", () => {
    const home = '<p><a href="https://forum.example/">Home</a></p>';
    expect(convertHtml(home, "https://forum.example/")).toBe("[Home](https://forum.example/)");
  });

  it("leaves out back-to-top links and new-window notes", () => {
    expect(convertHtml('<p>End. <a href="#main">Back to top ↑</a></p>')).toBe("End.");
    expect(
      convertHtml(
        '<p><a href="/x">Terms<span class="a11y"> (opens in a new window)</span></a></p>',
        "https://a.example/",
      ),
    ).toBe("[Terms](https://a.example/x)");
    expect(convertHtml("<p>It <span>opens in a new window</span></p>")).toBe(
      "It opens in a new window",
    );
  });
});
