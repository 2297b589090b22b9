import { describe, expect, it } from "vitest";
import { parseHtml } from "../html/parse/parse.ts";
import { PageModel } from "./page-model.ts";

const textOf = (html: string): string => new PageModel(parseHtml(`<p>${html}</p>`)).text;

describe("raised digits and signs", () => {
  it.each([
    ["a digit behind a number with several digits", "4,812<sup>3</sup> seats", "4,812 seats"],
    ["a digit in a bracket", "27<sup>2)</sup>", "27"],
    ["a sign", "27<sup>†</sup>", "27"],
    ["a link to a note", '27<sup><a href="#n4">4</a></sup>', "27"],
    ["a digit behind a name", "Mayor Li Wu<sup>2</sup>", "Mayor Li Wu"],
  ])("leaves out %s that leads to a note", (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });

  it.each([
    ["of a unit", "450 km<sup>2</sup>", "450 km2"],
    ["of ten", "10<sup>6</sup>", "106"],
    ["of a variable", "x<sup>2</sup>", "x2"],
  ])("keeps the power %s", (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });

  it("separates the cents of a price", () => {
    expect(textOf("349<sup>95</sup> €")).toBe("349.95 €");
    expect(textOf("349,<sup>95</sup> €")).toBe("349,95 €");
  });
});
