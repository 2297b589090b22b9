import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { measureText } from "./measure-text.ts";

const measure = (html: string) => measureText(parseHtml(html));

describe("measureText", () => {
  it("counts words, and the characters in and outside links", () => {
    expect(measure("<p>Two words <a href='/'>and <b>three linked</b></a></p><p>end")).toEqual({
      words: 6,
      characters: 25,
      linkCharacters: 14,
    });
  });

  it("counts half of the characters of scripts without spaces", () => {
    expect(measure("<p>東京の天気</p>").words).toBe(3);
    expect(measure("<p>東京 weather</p>").words).toBe(2);
  });

  it("ignores scripts, styles and the head", () => {
    expect(
      measure("<head><title>t</title></head><script>x()</script><style>a{}</style>").words,
    ).toBe(0);
  });

  it("measures a page that is nested deeply", () => {
    const deep = measure(`${"<div>".repeat(5_000)}deep<a href=x>link${"</div>".repeat(5_000)}`);
    expect(deep.characters).toBe(8);
  });
});
