import { describe, expect, it } from "vitest";
import { packTable, TABLE_NAMES, unpackTables, WordTable } from "./word-table.ts";
import shipped from "./words.json" with { type: "json" };

const EMPTY = { near: "", far: "", text: "", heading: "", label: "" };

describe("WordTable", () => {
  it("returns stored odds and NaN for unknown hashes, including 0 and colliding hashes", () => {
    const entries = Array.from({ length: 50 }, (_, at): [number, number] => [at * 1024, at - 25]);
    const table = new WordTable(entries);
    for (const [hash, odds] of entries) expect(table.at(hash)).toBe(odds);
    expect(table.at(7)).toBeNaN();
    expect(table.at(-1024)).toBeNaN();
    expect(new WordTable([]).at(0)).toBeNaN();
  });
});

describe("packTable and unpackTables", () => {
  it("round-trips entries in tenths, independent of their order", () => {
    const entries: [number, number][] = [
      [2 ** 31 - 1, 4.26],
      [-(2 ** 31), -0.3],
      [0, 99],
    ];
    const packed = packTable(entries);
    expect(packTable(entries.toReversed())).toBe(packed);
    const { far, near } = unpackTables({ ...EMPTY, far: packed });
    expect([far.at(2 ** 31 - 1), far.at(-(2 ** 31)), far.at(0)]).toEqual([4.3, -0.3, 12.7]);
    expect(near.at(0)).toBeNaN();
  });
});

describe("shipped word tables", () => {
  it("fills every shipped word table and keeps them small", () => {
    for (const name of TABLE_NAMES) expect(shipped[name].length, name).toBeGreaterThan(1000);
    expect(JSON.stringify(shipped).length).toBeLessThan(60_000);
  });
});
