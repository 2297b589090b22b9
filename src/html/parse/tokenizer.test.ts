import { expect, test } from "vitest";
import { parseHtml } from "./parse.ts";
import { toHtml } from "./serialize.ts";
import { readText } from "./tree.ts";

test("drops only the tag when a document is cut off inside it", () => {
  for (const end of ["<a", "<a href", '<a href="x', "</p", "</b ", "<script"])
    expect(toHtml(parseHtml(`<p>kept</p>${end}`)), end).toBe("<p>kept</p>");
});

test("keeps a CDATA mark inside a script", () => {
  const script = "<script><!--//--><![CDATA[//><!--\nx()\n//--><!]]></script>";
  expect(toHtml(parseHtml(script))).toBe(script);
});

test("reads CDATA as text in SVG and MathML, and ends it at the next > in HTML", () => {
  const inside = (html: string): string => readText(parseHtml(html));
  expect(inside("<svg><text><![CDATA[a > b]]></text></svg>")).toBe("a > b");
  expect(inside("<math><annotation><![CDATA[x<y]]></annotation></math>")).toBe("x<y");
  expect(inside("<p>one <![CDATA[two> three</p>")).toBe("one  three");
});
