import { describe, expect, it } from "vitest";
import { cost } from "../../../../test/growth.ts";
import { readShape } from "../../../runtime/json-schema/shape.ts";
import { separateCode, splitWeekday } from "./sibling-values.ts";

const shapeOf = (...names: readonly string[]) =>
  readShape({
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  });
const split = (value: Record<string, unknown>, ...names: readonly string[]) => {
  splitWeekday(value, shapeOf(...names));
  return value;
};

describe("splitWeekday", () => {
  it("leaves the weekday to the day when both have the same text", () => {
    const both = { day: "Fri 15 May", date: "Fri 15 May" };
    expect(split(both, "day", "date")).toMatchObject({ day: "Fri" });
  });

  it("moves the date out of the day when the date has no value", () => {
    expect(split({ day: "Fri 15 May" }, "day", "date")).toEqual({ day: "Fri", date: "15 May" });
  });

  it("moves the weekday out of the date when the day has no value", () => {
    expect(split({ date: "Fri 15 May" }, "day", "date")).toEqual({ day: "Fri", date: "15 May" });
  });

  it("keeps the text when the schema asks for one of them only", () => {
    expect(split({ day: "Fri 15 May" }, "day")).toEqual({ day: "Fri 15 May" });
    expect(split({ date: "Fri 15 May" }, "date")).toEqual({ date: "Fri 15 May" });
  });

  it("keeps a day that is only a weekday", () => {
    expect(split({ day: "Friday", date: "15 May" }, "day", "date")).toEqual({
      day: "Friday",
      date: "15 May",
    });
  });

  it("keeps a text that does not begin with a weekday", () => {
    expect(split({ day: "Opening 15 May" }, "day", "date")).toEqual({ day: "Opening 15 May" });
  });
});

describe("separateCode", () => {
  const separate = (value: Record<string, unknown>) => {
    separateCode(value, shapeOf("code", "title"));
    return value["title"];
  };

  it.each([
    ["CME7005", "CME7005 Design of Structures", "Design of Structures"],
    ["CME7005", "CME7005: Design of Structures", "Design of Structures"],
    ["CME7005", "Design of Structures", "Design of Structures"],
    ["CME7005", "CME7005", "CME7005"],
    ["Design", "Design of Structures", "Design of Structures"],
    ["4", "4x4 Driving", "4x4 Driving"],
    ["4", "4 Pillars", "4 Pillars"],
    ["2024", "2024 Report", "2024 Report"],
    ["10-204", "10-204 – Charts", "Charts"],
    ["3.1", "3.1 Knots", "Knots"],
  ])("takes %s from the title %s", (code, title, expected) => {
    expect(separate({ code, title })).toBe(expected);
  });

  it("reads a title of many blanks in linear time", () => {
    const title = `CME7005${" ".repeat(50_000)}`;
    expect(separate({ code: "CME7005", title })).toBe(title);
    expect(cost(() => void separate({ code: "CME7005", title }))).toBeLessThan(300);
  });
});
