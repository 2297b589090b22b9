import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { listElements } from "../parse/tree.ts";
import { readPlace, matchesPlace } from "./place.ts";

/** Tags and ids of the elements of a page at a place. */
const findAtPlace = (place: string, html: string): string[] =>
  listElements(parseHtml(html))
    .filter((element) => matchesPlace(element, readPlace(place)))
    .map(({ attribs }) => attribs["id"] ?? "");

describe("readPlace", () => {
  it("parses a tag, an id, classes, a role and a parent, and requires all of them", () => {
    expect(readPlace("div.a > main#b.c.d[role=main]")).toEqual({
      tag: "main",
      id: "b",
      idStart: undefined,
      classes: ["c", "d"],
      role: "main",
      parent: {
        tag: "div",
        id: undefined,
        idStart: undefined,
        classes: ["a"],
        role: undefined,
        parent: undefined,
      },
    });
    const html = `<div class="a"><main id="b" class="d x c" role="main"></main></div>`;
    expect(findAtPlace("div.a > main#b.c.d[role=main]", html)).toEqual(["b"]);
    for (const other of ["c", "d", "role", 'class="a"', 'id="b"', "main"])
      expect(findAtPlace("div.a > main#b.c.d[role=main]", html.replaceAll(other, "z"))).toEqual([]);
  });

  it("matches the start of an id when the pattern ends in *", () => {
    expect(findAtPlace("p#i:*", `<p id="i:a"></p><p id="xi:b"></p><p></p>`)).toEqual(["i:a"]);
  });

  it("matches whole class names only", () => {
    expect(
      findAtPlace(
        "div.body",
        `<div id=1 class="bodywrapper"></div><div id=2 class="x body"></div>`,
      ),
    ).toEqual(["2"]);
  });

  it.each(["", "#id", ".class", "div > p > a", "div p", "div[role]", "div:hover", "DIV"])(
    "rejects %j as a place",
    (text) => {
      expect(() => readPlace(text)).toThrow("is no place");
    },
  );
});
