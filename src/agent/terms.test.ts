import { expect, it } from "vitest";
import { subjectsOf } from "./terms.ts";

it.each([
  ["E-mail and phone of Greta Sato", ["greta", "sato"]],
  ["Price of the lantern with the SKU LN-1021", ["sku", "ln-1021"]],
  ["All members of staff. Their titles, too", []],
  ["What is the limit of the plan called Team at https://Example.org/A1?", ["team"]],
])('extracts from "%s" the subjects %j', (prompt, subjects) => {
  expect(subjectsOf(prompt)).toEqual(subjects);
});
