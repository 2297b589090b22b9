import { expect, test } from "vitest";
import { listTexts, toExample } from "./picks.ts";

test("makes an object of one value each and records of several", () => {
  expect(toExample([{ name: "title", values: ["Lamp"] }])).toEqual({ title: "Lamp" });
  const fields = [
    { name: "title", values: ["Lamp", "Chair"] },
    { name: " price ", values: ["20"] },
    { name: "", values: ["no name"] },
    { name: "empty", values: [] },
  ];
  expect(toExample(fields)).toEqual([{ title: "Lamp", price: "20" }, { title: "Chair" }]);
  expect(toExample([{ name: "empty", values: [] }])).toBeUndefined();
});

test("lists each text of the data once", () => {
  expect(
    listTexts([
      { name: "Lamp", price: 20 },
      { name: "Lamp", tags: ["blue"] },
    ]),
  ).toEqual(["Lamp", "20", "blue"]);
});
