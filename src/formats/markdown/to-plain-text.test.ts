import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../../test/growth.ts";
import { toPlainText } from "./to-plain-text.ts";

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
    ["*calm* and **rough *seas***, ~~fog~~", "calm and rough seas, fog"],
    ["`*p*` and ``a`b`` in `[x](y)`", "*p* and a`b in [x](y)"],
    ["```py\n# see [a](b)\nx = *p* \\* 2\n```", "# see [a](b)\nx = *p* \\* 2"],
    ["- one\n\n  ```\n  # one\n  ```\n- two", "- one\n\n  # one\n- two"],
    ["> ## Tides\n> at nine", "Tides\nat nine"],
    ["| Boat | Length |\n| --- | ---: |\n| Sloop | 9 m |", "| Boat | Length |\n| Sloop | 9 m |"],
    ["H<sub>2</sub>O, line one  \nline two", "H2O, line one\nline two"],
    ["snake_case_name, 2 * 3 * 4 and a\\_b", "snake_case_name, 2 * 3 * 4 and a_b"],
    ["```x``` is *code*\n\nand *prose*", "x is code\n\nand prose"],
    ["````\n```\n*x*\n````\n*after*", "```\n*x*\nafter"],
    ["```\n``` is *code*\n```\n*after*", "``` is *code*\nafter"],
    ["~~~ a `b`\n*x*\n~~~\n*after*", "*x*\nafter"],
    ["so $x*y*z$ is *so*", "so $x*y*z$ is so"],
    [String.raw`$\{a_1\}$ and $$[a](b)**c**$$`, String.raw`$\{a_1\}$ and $$[a](b)**c**$$`],
    ["costs $5 *and* $6, or $5*x*$6", "costs $5 and $6, or $5x$6"],
    [String.raw`\$5 and *six*$`, "$5 and six$"],
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
    "*a ",
    "~~a ",
    "`",
    "`` a",
    "$",
    "$a",
    "$$a",
    "$$a ",
    "$a\\",
    "```",
    "```x",
    "> ",
    "|",
    "| --- |",
    "<sub>",
    "_",
  ])(
    "toPlainText takes linear time for a text of %j",
    (piece) => {
      expectNoSquare((size) => void toPlainText(piece.repeat(size)));
    },
    60_000,
  );
});
