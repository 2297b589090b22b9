import { expect, test } from "vitest";
import { parseHtml } from "./parse.ts";
import { toHtml } from "./serialize.ts";
import { textOf } from "./tree.ts";

test("a document cut off inside a tag loses that tag only", () => {
  for (const end of ["<a", "<a href", '<a href="x', "</p", "</b ", "<script"])
    expect(toHtml(parseHtml(`<p>kept</p>${end}`)), end).toBe("<p>kept</p>");
});

test("a CDATA mark in a script stays as it is", () => {
  const script = "<script><!--//--><![CDATA[//><!--\nx()\n//--><!]]></script>";
  expect(toHtml(parseHtml(script))).toBe(script);
});

test("a CDATA section is text in a drawing and ends at the next bracket in HTML", () => {
  const inside = (html: string): string => textOf(parseHtml(html));
  expect(inside("<svg><text><![CDATA[a > b]]></text></svg>")).toBe("a > b");
  expect(inside("<math><annotation><![CDATA[x<y]]></annotation></math>")).toBe("x<y");
  expect(inside("<p>one <![CDATA[two> three</p>")).toBe("one  three");
});
