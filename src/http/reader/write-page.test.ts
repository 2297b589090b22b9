import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../../test/growth.ts";
import { toPlainText } from "./write-page.ts";

describe("toPlainText", () => {
  it.each([
    ["## The [old](https://a.test/) harbour", "The old harbour"],
    ["![A boat](https://a.test/boat.png)", "A boat"],
    ["[![A boat](/boat.png)](https://a.test/)", "A boat"],
    ["[Boat](https://a.test/Boat_(ship)) and [pier](/pier)", "Boat and pier"],
    [String.raw`[see \[1\]](https://a.test/1)`, "see [1]"],
    ['[Tides](https://a.test/ "At nine")', "Tides"],
    ["**High water** at __nine__", "High water at nine"],
    [String.raw`5 \* 3 \[sic\]`, "5 * 3 [sic]"],
    ["```js\nlet boats = 1;\n```\n", "let boats = 1;\n"],
  ])("toPlainText turns %j into %j", (markdown, text) => {
    expect(toPlainText(markdown)).toBe(text);
  });

  it.each([
    "[",
    "\\[",
    "![",
    "**a ",
    "__a ",
    "[a](",
    "[a](b",
    "[a](b(",
    "[a](b\\(",
    "[a](b)(",
    "*",
    "_",
  ])(
    "toPlainText takes linear time for a text of %j",
    (piece) => {
      expectNoSquare((size) => void toPlainText(piece.repeat(size)));
    },
    60_000,
  );
});
