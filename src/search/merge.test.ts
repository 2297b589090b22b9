import { describe, expect, it } from "vitest";
import { mergePages } from "./merge.ts";

const merge = (...data: unknown[]) =>
  mergePages(data.map((value, index) => ({ url: `u${index}`, data: value })));

describe("mergePages", () => {
  it("takes the first non-empty value and joins lists", () => {
    expect(merge({ a: "", b: [1] }, { a: "x", b: [1, 2] }, { a: "y", c: null }).data).toEqual({
      a: "x",
      b: [1, 2],
      c: null,
    });
  });

  it("handles fields named like members of JavaScript objects", () => {
    const { data, sources } = merge({ constructor: "Ferrari" }, { valueOf: 7, constructor: null });
    expect(data).toEqual({ constructor: "Ferrari", valueOf: 7 });
    expect(sources).toEqual({ constructor: ["u0"], valueOf: ["u1"] });
  });

  it("merges list entries with the same name unless they contradict each other", () => {
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

  it("names the pages that gave or confirmed a field, not those without a value", () => {
    const { sources } = merge({ a: 1, b: [] }, { a: 1, b: ["x"] }, { a: 2, b: ["x"] });
    expect(sources).toEqual({ a: ["u0", "u1"], b: ["u1"] });
  });

  it("joins top-level lists and merges nested objects", () => {
    expect(merge([1, 2], [2, 3]).data).toEqual([1, 2, 3]);
    expect(merge({ o: { a: 1 } }, { o: { b: 2 } }).data).toEqual({ o: { a: 1, b: 2 } });
    expect(merge(null, undefined, {}).data).toBeUndefined();
  });

  it("truncates lists to the schema's maxItems", () => {
    const pages = [{ url: "u", data: { a: [1, 2, 3] } }];
    const schema = { properties: { a: { type: "array", maxItems: 2 } } };
    expect(mergePages(pages, schema).data).toEqual({ a: [1, 2] });
  });
});
