import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../../test/cpu-time.ts";
import { isOnlyLinks, toPlainText } from "./markdown-table.ts";

describe("plain text of Markdown", () => {
  it.each([
    ["[Ada *Marsh*](/people/ada)", "Ada Marsh"],
    ["[![a boat](http://a.example/i(1).png)](http://b.example/)", "a boat"],
    ['see [a \\[b\\]](u), [x](y_(z)) and [t](u "q (r)")', "see a [b], x and t"],
    ["first_last@a.example and cmp_to_key", "first_last@a.example and cmp_to_key"],
    ["first\\_last@a.example, 2\\*3, a \\* b", "first_last@a.example, 2*3, a * b"],
    ["**_a_ b** and `c_d` and __e__", "a b and c_d and e"],
    ["[no link] and ](neither)", "[no link] and ](neither)"],
  ])("converts %j to plain text", (markdown, text) => {
    expect(toPlainText(markdown)).toBe(text);
  });

  it.each(["[", "[](", "_", "_a ", "*", "`", "[]((", "[\\", "[](a(b)", "![", "[a](b"])(
    "converts repeated %j in linear time",
    (part) => {
      const text = part.repeat(200_000 / part.length);
      const from = threadCpuMs();
      toPlainText(text);
      expect(threadCpuMs() - from).toBeLessThan(1_000);
    },
  );
});

it("classifies text as links only when no words stand outside of them", () => {
  const texts = ["[Ada](/ada) · [Bo](/bo_(x))", "[![a boat](b.png)](/c)", "[Ada](/ada) rows", ""];
  expect(texts.map(isOnlyLinks)).toEqual([true, true, false, true]);
});
