import { describe, expect, it } from "vitest";
import { Rows } from "./rows.ts";

const from = (url: string) => () => [{ url }];
const FIELDS = ["name", "title", "email", "profileUrl"];

describe("rows over several pages", () => {
  it("merges the same row of two pages and keeps the first spelling", () => {
    const rows = new Rows(FIELDS);
    expect(rows.add({ name: "Ada Marsh", title: "Professor" }, from("a"))).toEqual({
      index: 0,
      gain: 1,
    });
    const second = rows.add({ name: "ADA  MARSH", email: "ada@x.example" }, from("b"));
    expect(second).toEqual({ index: 0, gain: 0.25 });
    expect(rows.rows).toEqual([
      {
        value: { name: "Ada Marsh", title: "Professor", email: "ada@x.example" },
        sources: {
          name: [{ url: "a" }, { url: "b" }],
          title: [{ url: "a" }],
          email: [{ url: "b" }],
        },
      },
    ]);
  });

  it("keeps rows with the same name but different fields apart", () => {
    const rows = new Rows(FIELDS);
    rows.add({ name: "Ada Marsh", email: "ada@x.example" }, from("a"));
    rows.add({ name: "Ada Marsh", email: "ada2@x.example" }, from("a"));
    rows.add({ name: "Ada Marsh", title: "Cook" }, from("a"));
    expect(rows.rows).toHaveLength(2);
    expect(rows.rows[0]?.value).toMatchObject({ email: "ada@x.example", title: "Cook" });
  });

  it("merges rows with the same URL even if other values differ", () => {
    const rows = new Rows(FIELDS);
    rows.add({ profileUrl: "https://www.x.example/ada/" }, from("a"));
    rows.add({ profileUrl: "http://x.example/ada", name: "Ada" }, from("b"));
    expect(rows.rows).toHaveLength(1);
    expect(rows.isContradictedBy(0, { name: "Bruno" })).toBe(true);
    expect(rows.isContradictedBy(0, { name: "ada", title: "Cook" })).toBe(false);
  });

  it("rejects values without content", () => {
    const rows = new Rows(FIELDS);
    for (const value of [null, "Ada", [], {}, { name: "" }, { other: "x" }])
      expect(rows.add(value, from("a"))).toBeUndefined();
    expect(rows.listMissingFields(0)).toEqual(FIELDS);
  });
});
