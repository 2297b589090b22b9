import { expect, test } from "vitest";
import { findFieldFault, listTexts, toExample } from "./picks.ts";

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

test("finds fields that would be left out without notice", () => {
  const title = { name: "title", values: ["Lamp"] };
  expect(findFieldFault([title])).toBe(undefined);
  expect(findFieldFault([title, { name: "", values: [] }])).toBe(undefined);
  expect(findFieldFault([title, { name: " ", values: ["20"] }])).toBe(
    "Name field 2: it has a value but no name.",
  );
  expect(findFieldFault([title, { name: "title ", values: ["20"] }])).toBe(
    "Two fields are named title; rename one.",
  );
  expect(findFieldFault([title, { name: "price", values: [] }])).toBe(
    "Click a value for price on the page, or remove the field.",
  );
});

test("lists each text of the data once", () => {
  expect(
    listTexts([
      { name: "Lamp", price: 20 },
      { name: "Lamp", tags: ["blue"] },
    ]),
  ).toEqual(["Lamp", "20", "blue"]);
});
