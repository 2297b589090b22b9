import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { foldSpace, readText } from "../../parse/tree.ts";
import { findMainContent } from "../find-main-content.ts";

const PROSE = ["wind", "salt", "glass", "brass", "rope", "night", "fog"]
  .map(
    (topic) =>
      `<p>What the ${topic} does to a lamp is known to whoever has sailed with one, and the ${topic} of the north, people say, is the worst of all that a lamp can meet on its way.</p>`,
  )
  .join("");

function convert(after: string, appeared?: readonly string[]): string {
  const root = parseHtml(
    `<title>Lamps of the deck</title><body><nav><a href="/">Home</a></nav><article><h1>Lamps of the deck</h1>${PROSE}</article>${after}</body>`,
  );
  findMainContent(root, { url: "https://e.org/blog/lamps", appeared });
  return foldSpace(readText(root));
}

describe("text that appeared after an action", () => {
  const answer = `<aside class="sidebar widget"><ul class="menu"><li>Order <b>4711</b></li></ul></aside>`;

  it("keeps text that appeared after an action, wherever it stands", () => {
    expect(convert(answer)).not.toContain("4711");
    expect(convert(answer, ["Order", "4711"])).toContain("Order 4711");
  });

  it("drops cookie notices and newsletter forms that appeared after an action", () => {
    const notice = `<div class="banner"><p>We use cookies on this site</p><button>Accept</button></div>`;
    expect(convert(notice, ["We use cookies on this site", "Accept"])).not.toContain("cookies");
  });

  it("drops appeared texts that are longer versions of old ones, or mostly old", () => {
    const menu = `<aside class="sidebar widget"><p>Orders of yesterday</p><p>New <span>and a lot of old words</span></p></aside>`;
    const markdown = convert(menu, ["Orders", "New"]);
    expect(markdown).not.toContain("yesterday");
    expect(markdown).not.toContain("old words");
  });
});

describe("text of frames", () => {
  const framed = (attributes: string): string =>
    convert(
      `<aside class="sidebar widget"><div data-original-tag="iframe" ${attributes}><header><nav><a href="/x">Menu</a></nav></header><p>Level 3.20 m</p></div></aside>`,
    );

  it("keeps a document shown in a frame, without its menus", () => {
    expect(framed('src="/levels"')).toContain("Level 3.20 m");
    expect(framed('srcdoc="x"')).toContain("Level 3.20 m");
    expect(framed('src="/levels"')).not.toContain("Menu");
  });

  it("judges text that a script wrote into a frame like other text", () => {
    expect(framed('src="about:blank"')).not.toContain("Level 3.20 m");
    expect(framed("")).not.toContain("Level 3.20 m");
  });
});
