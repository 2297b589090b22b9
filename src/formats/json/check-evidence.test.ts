import { expect, test } from "vitest";
import { findEvidence, toPageText } from "./check-evidence.ts";

const PAGE = toPageText(
  "# Lamp 300\n\nThe lamp costs 1,249.50 euros and weighs 2,4 kg. Born on 12 March 1971 in Kiel. [Shop](https://shop.example/lamp) — write to a.b@shop.example.",
);

test.each<[string | number | boolean, string | undefined]>([
  ["Lamp 300", undefined],
  [1249.5, undefined],
  [1249.5, "costs 1,249.50 euros"],
  [2.4, "weighs 2,4 kg"],
  ["1971-03-12", "Born on 12 March 1971"],
  ["https://shop.example/lamp", undefined],
  ["a.b@shop.example", undefined],
  ["lamp that costs euros", "The lamp costs 1,249.50 euros"],
  [true, "weighs 2,4 kg"],
])("finds %j with the quote %j on the page", (value, quote) => {
  expect(findEvidence(value, quote, PAGE)?.source).toBe("model");
});

test.each<[string | number | boolean, string | undefined]>([
  ["Lamp 400", undefined],
  [300.5, "Lamp 300"],
  [4, undefined],
  [249, undefined],
  [99, "costs 99 euros"],
  ["1980-01-02", "Born on 12 March 1971"],
  ["https://evil.example/lamp", "[Shop](https://shop.example/lamp)"],
  ["free shipping to the moon", "The lamp costs 1,249.50 euros"],
  [true, "is in stock"],
  [true, undefined],
])("does not find %j with the quote %j on the page", (value, quote) => {
  expect(findEvidence(value, quote, PAGE)).toBeUndefined();
});
