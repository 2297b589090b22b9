import { describe, expect, it } from "vitest";
import { HashList } from "./hash-list.ts";

describe("HashList", () => {
  it("holds what was added in its order, more than it began with room for", () => {
    const list = new HashList();
    const wanted = Array.from({ length: 5000 }, (_, at) => Math.imul(at, 0x9e3779b1));
    for (const hash of wanted) list.add(hash);
    expect(list.length).toBe(wanted.length);
    expect([...list.all()]).toEqual(wanted);
  });

  it("finds a hash from an index on, and nothing past its end", () => {
    const list = new HashList();
    list.add(7);
    list.add(-7);
    expect([list.has(7, 0), list.has(7, 1), list.has(-7, 1)]).toEqual([true, false, true]);
    expect(list.has(0, 0)).toBe(false);
  });
});
