import { describe, expect, it } from "vitest";
import { mergePages } from "./merge.ts";

const merge = (...data: unknown[]) =>
  mergePages(data.map((value, index) => ({ url: `u${index}`, data: value })));

describe("what several pages say", () => {
  it("the first that says something wins, lists are joined", () => {
    expect(merge({ a: "", b: [1] }, { a: "x", b: [1, 2] }, { a: "y", c: null }).data).toEqual({
      a: "x",
      b: [1, 2],
      c: null,
    });
  });

  it("fields may be called as objects of JavaScript have theirs", () => {
    const { data, sources } = merge({ constructor: "Ferrari" }, { valueOf: 7, constructor: null });
    expect(data).toEqual({ constructor: "Ferrari", valueOf: 7 });
    expect(sources).toEqual({ constructor: ["u0"], valueOf: ["u1"] });
  });

  it("things of the same name are one, unless they contradict each other", () => {
    const { data } = merge(
      { books: [{ title: "Dune", year: 1965 }, { title: "Emma" }] },
      {
        books: [
          { title: "Dune ", pages: 412 },
          { title: "Emma", year: 1815 },
          { title: "Dune", year: 1999 },
        ],
      },
    );
    expect(data).toEqual({
      books: [
        { title: "Dune", year: 1965, pages: 412 },
        { title: "Emma", year: 1815 },
        { title: "Dune", year: 1999 },
      ],
    });
  });

  it("tells which page gave a field, and not which only repeated nothing", () => {
    const { sources } = merge({ a: 1, b: [] }, { a: 1, b: ["x"] }, { a: 2, b: ["x"] });
    expect(sources).toEqual({ a: ["u0", "u1"], b: ["u1"] });
  });

  it("joins lists that have no field around them, and goes into objects", () => {
    expect(merge([1, 2], [2, 3]).data).toEqual([1, 2, 3]);
    expect(merge({ o: { a: 1 } }, { o: { b: 2 } }).data).toEqual({ o: { a: 1, b: 2 } });
    expect(merge(null, undefined, {}).data).toBeUndefined();
  });

  it("keeps lists as short as the schema wants them", () => {
    const pages = [{ url: "u", data: { a: [1, 2, 3] } }];
    const schema = { properties: { a: { type: "array", maxItems: 2 } } };
    expect(mergePages(pages, schema).data).toEqual({ a: [1, 2] });
  });
});
