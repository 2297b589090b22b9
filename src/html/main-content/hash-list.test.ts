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

  it("adds a hash that stands there from an index on no second time", () => {
    const list = new HashList();
    list.add(7);
    list.addOnce(0, 0);
    list.addOnce(7, 0);
    list.addOnce(7, 1);
    expect([...list.all()]).toEqual([7, 0, 7]);
  });
});
