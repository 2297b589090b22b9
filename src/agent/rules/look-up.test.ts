import { describe, expect, it } from "vitest";
import { lookUpCell } from "./look-up.ts";

const PLANS = `
| Plan | Upload size limit | Seats |
| --- | --- | --- |
| Solo | 200 MB | 1 |
| Team | 2 GB | 10 |
| Team Plus | 8 GB | 25 |
`;
const ask = (name: string, open: string[], markdown = PLANS, isNumber = false) =>
  lookUpCell(
    { markdown: markdown },
    { name, isNumber, open, known: new Set([...open, ...name.split("_")]) },
  );

describe("look-up in tables", () => {
  it("returns the cell where the named row and column meet", () => {
    expect(ask("upload_limit", ["size", "team", "plan"])?.value).toBe("2 GB");
    expect(ask("seats", ["team", "plus", "plan"], PLANS, true)?.value).toBe(25);
  });

  it("looks up values in a table with one item per column", () => {
    const turned =
      "| Feature | Solo | Team |\n| --- | --- | --- |\n| Seats | 1 | 10 |\n| Storage | 5 GB | 50 GB |\n";
    expect(ask("storage", ["team"], turned)?.value).toBe("50 GB");
  });

  it("finds the words of the property in the heading and the corner of the table together", () => {
    const limits =
      "| Limit | Free | Team |\n| --- | --- | --- |\n| Upload size | 250 MB | 5 GB |\n| Projects | 3 | 25 |\n";
    expect(ask("upload_limit", ["size", "team"], limits)?.value).toBe("5 GB");
    expect(ask("upload_limit", ["size", "scale"], limits)).toBeUndefined();
  });

  it("does not treat a word for the kind of a row as part of its name", () => {
    expect(ask("seats", ["team", "plan"], PLANS, true)?.value).toBe(10);
    expect(ask("seats", ["plan"], PLANS, true)).toBeUndefined();
  });

  it("reads complete tables and repeated records of the page, and skips truncated ones", () => {
    const options = {
      ref: "t1",
      title: "Options",
      shape: "records dl",
      columns: [
        { key: "dtcode", name: "code" },
        { key: "label:default", name: "Default" },
      ],
      rows: [
        ["--retries", "5"],
        ["--parallel", "4"],
      ],
      isCut: false,
    };
    const asked = {
      name: "default",
      isNumber: false,
      open: ["parallel", "option"],
      known: new Set(["parallel", "option", "default"]),
    };
    expect(lookUpCell({ markdown: "", tables: [options] }, asked)?.value).toBe("4");
    const cut = { ...options, isCut: true };
    expect(lookUpCell({ markdown: "", tables: [cut] }, asked)).toBeUndefined();
  });

  it.each([
    ["no row has the name", "seats", ["enterprise"]],
    ["the row is called otherwise", "seats", ["plus"]],
    ["no column has the name", "price", ["team"]],
    ["the column is narrower than the request", "limit", ["team"]],
    ["a word of the request is in neither", "seats", ["team", "cheapest"]],
    ["the request names no row", "seats", []],
  ])("finds no table cell when %s", (_, name, open) => {
    expect(ask(name, open)).toBeUndefined();
  });

  it("finds no table cell when two tables disagree", () => {
    const other = PLANS.replace("| 10 |", "| 12 |");
    expect(ask("seats", ["team"], `${PLANS}\n\ntext\n${other}`)).toBeUndefined();
  });

  it("does not look up a name by a value", () => {
    expect(ask("plan", ["2", "gb", "limit"])).toBeUndefined();
  });
});
