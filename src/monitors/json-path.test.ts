import { describe, expect, it } from "vitest";
import { parseJsonPath, selectPaths } from "./json-path.ts";
import { threadCpuMs } from "../../test/cpu-time.ts";

/** The example of RFC 9535, section 1.5. */
const STORE = {
  store: {
    book: [
      { category: "reference", author: "Rees", price: 8.95 },
      { category: "fiction", author: "Waugh", price: 12.99 },
      { category: "fiction", author: "Melville", isbn: "0-553-21311-3", price: 8.99 },
      { category: "fiction", author: "Tolkien", isbn: "0-395-19395-8", price: 22.99 },
    ],
    bicycle: { color: "red", price: 399 },
  },
};
const select = (path: string): unknown => selectPaths(STORE, [path])[path];

describe("JSON paths", () => {
  it.each([
    ["$.store.book[*].author", ["Rees", "Waugh", "Melville", "Tolkien"]],
    ["$..author", ["Rees", "Waugh", "Melville", "Tolkien"]],
    ["$.store..price", [8.95, 12.99, 8.99, 22.99, 399]],
    ["$..book[2].author", "Melville"],
    ["$..book[-1].author", "Tolkien"],
    ["$..book[0,1].author", ["Rees", "Waugh"]],
    ["$..book[:2].author", ["Rees", "Waugh"]],
    ["$..book[::2].author", ["Rees", "Melville"]],
    ["$['store']['bicycle'][\"color\"]", "red"],
    ["$.store.bicycle", { color: "red", price: 399 }],
    ["$.store.book[9].author", null],
    ["$.store.toString", null],
    ["$.__proto__", null],
  ])("selects %s", (path, values) => {
    expect(select(path)).toEqual(values);
  });

  it.each(["store", "$.", "$[", "$[?@.price < 10]", "$.a b", "$[]", "$[1", "$..", "$[0:1:-1]"])(
    "rejects %s",
    (path) => {
      expect(parseJsonPath(path)).toBeUndefined();
    },
  );

  it("selects from deep and wide JSON in bounded time", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 50_000; depth++) deep = [deep];
    expect(selectPaths(deep, ["$..x", "$[0]"])["$..x"]).toBeNull();
    const wide = Array.from({ length: 1_000 }, () => Array.from({ length: 1_000 }, () => 0));
    const started = threadCpuMs();
    selectPaths(wide, ["$..*..*..*"]);
    expect(threadCpuMs() - started).toBeLessThan(5_000);
  });
});
