// The scorers parse links with regular expressions that take quadratic time. Their replacements
// must find the same links.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  visitLinks,
  replaceLinks,
  removePictures,
  removeReferences,
} from "../../bench/eval/bracket-scan.ts";
import { listParts, readSpokenText } from "../../bench/eval/readable-text.ts";

const LINK = /\[((?:[^[\]\\]|\\.)*)\]\((?:[^()\\]|\\.|\([^()]*\))*\)/g;
const IMAGE = /!\[((?:[^[\]\\]|\\.)*)\]\((?:[^()\\]|\\.|\([^()]*\))*\)/g;
const REFERENCE = /\[((?:[^[\]\\]|\\.)+)\]\[[^\]]*\]/g;
const PICTURE = /!\[((?:[^[\]\\]|\\.)*)\]\(\s*<?([^)\s>]*)>?(?:\s+["'(][^)]*)?\)/g;
const NESTED =
  /\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(\s*<?((?:[^()\s\\>]|\\.|\([^()]*\))*)>?(?:\s+["'(][^)]*)?\)/g;

const bracketed = fc
  .array(
    fc.constantFrom("[", "]", "(", ")", "](", "][", "![", "\\", "\n", " ", '"', "<", ">", "a"),
    {
      maxLength: 40,
    },
  )
  .map((pieces) => pieces.join(""));

describe("replaceLinks and spokenText", () => {
  test("replaces links in any text of brackets as the scorers' expressions do", () => {
    fc.assert(
      fc.property(bracketed, (text) => {
        expect(replaceLinks(text, "[", (label) => `<${label}>`)).toBe(text.replace(LINK, "<$1>"));
        expect(replaceLinks(text, "![", () => " ")).toBe(text.replace(IMAGE, " "));
        expect(removeReferences(text)).toBe(text.replace(REFERENCE, "$1"));
        expect(removePictures(text)).toBe(text.replace(PICTURE, " "));
        const links: string[][] = [];
        visitLinks(text, (label, target) => links.push([label, target]));
        expect(links).toEqual([...text.matchAll(NESTED)].map((match) => [match[1], match[2]]));
      }),
      { numRuns: 2_000 },
    );
  });

  test("processes a script full of escaped brackets in linear time", () => {
    const script = "\\[\\[a(b\\], ](c ".repeat(40_000);
    const spent = process.cpuUsage();
    readSpokenText(script, (text) => text);
    expect(process.cpuUsage(spent).user / 1e6).toBeLessThan(10);
  });
});

test("counts the same parts of Markdown as the scorers", () => {
  const markdown = [
    "# Title",
    "",
    "See [the **guide**](https://example.org/Guide/?a=1#b) and ![x](y.png).",
    "",
    "- first",
    "- second",
    "",
    "| a | b |",
    "| --- | --- |",
    "| 1 | 2 |",
    "",
    "```js",
    "let a = 1;",
    "```",
  ].join("\n");
  expect(listParts(markdown, (text) => text)).toEqual({
    headings: ["title"],
    levels: ["1 title"],
    links: ["the guide -> /guide"],
    items: ["first", "second"],
    cells: ["a", "b", "1", "2"],
    tables: [["a", "b", "1", "2"]],
    code: ["let a 1"],
  });
});
