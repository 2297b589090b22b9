import { expect, it } from "vitest";
import { isBuyButton, readLabeledStock, readStock } from "./stock.ts";

it.each([
  ["In stock", "InStock"],
  [
    "Currently unavailable. We don't know when or if this item will be back in stock.",
    "OutOfStock",
  ],
  ["One size – In stock", "InStock"],
  ["Na zalogi", "InStock"],
  ["Není skladem", "OutOfStock"],
  ["Slut i lager", "OutOfStock"],
  ["Available for pre-order", "PreOrder"],
])("reads the stock state of %j", (text, stock) => {
  expect(readStock(text)).toBe(stock);
});

it.each([
  "Unavailable for store pickup",
  "Available in store only",
  "Verfügbar in Ihrer Filiale",
  "Stock photos",
  "Available sizes of this boat are listed in the table that follows below it",
])("reads no stock state from %j", (text) => {
  expect(readStock(text)).toBeUndefined();
});

it("reads the number in stock behind a label", () => {
  expect(readLabeledStock("solo 1")).toBe("InStock");
  expect(readLabeledStock("0")).toBe("OutOfStock");
  expect(readLabeledStock("12 Stück")).toBe("InStock");
  expect(readLabeledStock("2 to 3 weeks")).toBeUndefined();
});

it("recognizes buttons for buying", () => {
  expect(isBuyButton("Add to cart")).toBe(true);
  expect(isBuyButton("Naroči")).toBe(true);
  expect(isBuyButton("View cart")).toBe(false);
});
