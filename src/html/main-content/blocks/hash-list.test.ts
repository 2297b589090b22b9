import { describe, expect, it } from "vitest";
import { HashList } from "./hash-list.ts";

describe("HashList", () => {
  it("keeps hashes in the order of insertion when it grows", () => {
    const list = new HashList();
    const wanted = Array.from({ length: 5000 }, (_, at) => Math.imul(at, 0x9e3779b1));
    for (const hash of wanted) list.add(hash);
    expect(list.length).toBe(wanted.length);
    expect([...list.all()]).toEqual(wanted);
  });

  it("adds a hash only once after a given index", () => {
    const list = new HashList();
    list.add(7);
    list.addOnce(0, 0);
    list.addOnce(7, 0);
    list.addOnce(7, 1);
    expect([...list.all()]).toEqual([7, 0, 7]);
  });
});
