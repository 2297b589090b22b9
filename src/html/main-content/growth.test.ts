import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { findMainContent } from "./find-main-content.ts";

/** CPU milliseconds of the step without parsing; the minimum of three runs. */
function measureCost(html: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 2; run++) {
    const root = parseHtml(html);
    const before = process.cpuUsage();
    findMainContent(root, { url: "https://example.com/" });
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

const buildItem = (index: number): string =>
  `<li class="c${index}"><a href="/${index}">Entry ${index}</a> with some words about it, <b>bold</b> ones too.<br><br>More.</li>`;
const buildMessages = (size: number, end: string): string =>
  Array.from(
    { length: size },
    (_, index) =>
      `<article class="message message--post" data-author="a${index}"><a class="username">a${index}</a><time class="u-dt">1</time><article class="message-body"><blockquote>some words of ${index % 9}</blockquote>${`word${index} `.repeat(20)}${end}`,
  ).join("");
const SHAPES: readonly [name: string, page: (size: number) => string][] = [
  [
    "a list",
    (size) => `<ul>${Array.from({ length: size }, (_, index) => buildItem(index)).join("")}</ul>`,
  ],
  ["one paragraph", (size) => `<p>${"some words and <i>more</i> of them ".repeat(size * 2)}</p>`],
  ["nested tables", (size) => "<table><tr><td>cell".repeat(size)],
  ["nested inline elements", (size) => `${"<span><b>".repeat(size)}x<div>y</div>`],
  ["open headings", (size) => "<h2>heading".repeat(size)],
  [
    "figures",
    (size) => "<figure><img src=a.png><figcaption>caption</figcaption></figure>".repeat(size),
  ],
  ["posts", (size) => `<html id="XF">${buildMessages(size, "</article></article>")}`],
  ["nested posts and quotes", (size) => `<html id="XF">${buildMessages(size, "<blockquote>")}`],
];

describe("findMainContent cost", () => {
  it.each(SHAPES)("finds the main content of %s in linear, not quadratic, time", (_, page) => {
    measureCost(page(1_000));
    const small = measureCost(page(1_500));
    const large = measureCost(page(6_000));
    // Four times the page: linear cost is 4, at most 9 with noise and caches; quadratic cost is 16.
    expect(large / Math.max(small, 4)).toBeLessThan(10);
  });
});
