import { describe, expect, it } from "vitest";
import { conditionsSchema } from "../contract/jobs/monitor-rules.ts";
import { checkConditions, listWatchedFacts, type ComparedChange } from "./conditions.ts";

type Change = Partial<{
  before: string;
  after: string;
  valuesBefore: unknown;
  valuesAfter: unknown;
  title: string;
}>;

function toChange({
  before = "",
  after = "",
  valuesBefore,
  valuesAfter,
  title = "Shop",
}: Change): ComparedChange {
  const facts = { statusCode: 200, finalUrl: "https://shop.example/" };
  const lines = (text: string, other: string): string[] =>
    text.split("\n").filter((line) => line !== "" && !other.split("\n").includes(line));
  return {
    previous: { ...facts, title: "Shop", text: before, values: valuesBefore },
    current: { ...facts, title, text: after, values: valuesAfter },
    added: lines(after, before),
    removed: lines(before, after),
  };
}

const notifies = (condition: object, change: Change): boolean =>
  checkConditions(conditionsSchema.parse({ conditions: [condition] }), toChange(change)).notifies;

describe("conditions of a monitor", () => {
  it.each([
    [
      { type: "numberBelow", near: "Price", value: 20 },
      "Price: 24.90 EUR",
      "Price: 19.50 EUR",
      true,
    ],
    [
      { type: "numberBelow", near: "Price", value: 20 },
      "Price: 18.00 EUR",
      "Price: 17.00 EUR",
      false,
    ],
    [{ type: "numberAbove", near: "Seats", value: 1_000 }, "Seats: 900", "Seats: 1,200", true],
    [
      { type: "numberBelow", near: "Model 3 price", value: 50 },
      "Model 3 price 60",
      "Model 3 price 40",
      true,
    ],
    [{ type: "numberBelow", near: "Price", value: 20 }, "Price: 24.90", "Price on request", false],
    [
      { type: "numberChangedByPercent", near: "Price", value: 10 },
      "Price: 100",
      "Price: 109",
      false,
    ],
    [{ type: "numberChangedByPercent", near: "Price", value: 10 }, "Price: 100", "Price: 90", true],
    [{ type: "numberBelow", value: 20 }, "24.90 EUR", "19.50 EUR", true],
    [{ type: "numberBelow", value: 20 }, "Lamp\n\n24.90 EUR", "Lamp\n\n19.50 EUR", true],
    [{ type: "numberBelow", value: 20 }, "3\n500 EUR", "3\n500 USD", false],
    [
      { type: "numberBelow", value: 20 },
      "[Lamp](https://shop.example/7)\n24.90 EUR",
      "[Lamp](https://shop.example/7)\n19.50 EUR",
      true,
    ],
    [
      { type: "numberBelow", near: "Price", value: 20 },
      "[Price](https://shop.example/7) 24.90 EUR",
      "[Price](https://shop.example/7) 19.50 EUR",
      true,
    ],
    [
      { type: "numberBelow", near: "price", value: 50 },
      "See [terms](https://shop.example/price/20) now\nPrice: 90 EUR",
      "See [our terms](https://shop.example/price/20) now\nPrice: 90 EUR",
      false,
    ],
    [
      { type: "numberBelow", near: "price", value: 50 },
      "See [terms](https://shop.example/price/20) now\nPrice: 90 EUR",
      "See [terms](https://shop.example/price/20) now\nPrice: 40 EUR",
      true,
    ],
    [
      { type: "numberBelow", near: "price", value: 50 },
      "https://shop.example/price/20\nPrice: 90 EUR",
      "https://shop.example/price/20\nPrice: 40 EUR",
      true,
    ],
    [
      { type: "numberBelow", near: "**Price**", value: 50 },
      "**Price**: [from](/a_(2)7) 90 EUR",
      "**Price**: [from](/a_(2)7) 40 EUR",
      true,
    ],
    [
      { type: "numberBelow", near: "Price: from", value: 50 },
      "**Price:** from 90 EUR",
      "**Price:** from 40 EUR",
      true,
    ],
    [
      { type: "numberBelow", near: "Price", value: 50 },
      "![Price](/tag-7.png) ![20 % off](/badge.png) 90 EUR",
      "![Price](/tag-7.png) ![20 % off](/badge.png) 40 EUR",
      true,
    ],
    [{ type: "numberBelow", near: "EUR", value: 50 }, "90 EUR", "40 EUR", false],
    [{ type: "numberBelow", near: "Lamp  2", value: 50 }, "Lamp 2 90 EUR", "LAMP 2 40 EUR", true],
    [
      { type: "numberBelow", value: 50 },
      String.raw`1\. Offers` + "\n\n90 EUR",
      String.raw`1\. Offers` + "\n\n40 EUR",
      true,
    ],
    [{ type: "numberBelow", value: 50 }, "- 2) Lamp 90 EUR", "- 2) Lamp 40 EUR", true],
    [{ type: "numberBelow", value: 50 }, "## 3. Lamps\n90 EUR", "## 3. Lamps\n40 EUR", true],
    [
      { type: "numberBelow", value: 50 },
      "[1]: https://shop.example/7\n90 EUR",
      "[1]: https://shop.example/7\n40 EUR",
      true,
    ],
    [{ type: "numberBelow", value: 3 }, "5.", "2.", true],
    [{ type: "numberBelow", value: 0 }, "- 5 °C", "-5 °C", true],
    [{ type: "textAppears", text: "SOLD  out" }, "In stock", "Sold out", true],
    [{ type: "textAppears", text: "sold out" }, "Sold out\nA", "Sold out\nB", false],
    [{ type: "textDisappears", text: "in stock" }, "In stock", "Sold out", true],
    [{ type: "textAdded", text: "lamp" }, "A chair", "A chair\nA lamp", true],
    [{ type: "textRemoved", text: "lamp" }, "A chair", "A chair\nA lamp", false],
    [{ type: "newUrls" }, "[a](https://a.example/1)", "[A](https://a.example/1)", false],
    [
      { type: "newUrls" },
      "[a](https://a.example/1)",
      "[a](https://a.example/1)\n[b](https://a.example/2)",
      true,
    ],
  ])("evaluates the condition %j from %j to %j: %s", (condition, before, after, expected) => {
    expect(notifies(condition, { before, after })).toBe(expected);
  });

  it("reads fields by their path, also inside lists", () => {
    const change = {
      valuesBefore: { offers: [{ price: "24,90 €" }] },
      valuesAfter: { offers: [{ price: "19,90 €" }] },
    };
    expect(notifies({ type: "numberBelow", field: "offers.0.price", value: 20 }, change)).toBe(
      true,
    );
    expect(notifies({ type: "fieldChanged", field: "offers.0.price" }, change)).toBe(true);
    expect(notifies({ type: "fieldChanged", field: "offers.0.name" }, change)).toBe(false);
    expect(notifies({ type: "fieldEquals", field: "__proto__", value: null }, change)).toBe(false);
  });

  it("says in words which number met its condition", () => {
    const when = conditionsSchema.parse({
      conditions: [{ type: "numberBelow", near: "Price", value: 15 }],
    });
    const change = toChange({ before: "Price: €18.00", after: "Price: €12.00" });
    expect(checkConditions(when, change).reason).toBe("Met: Price is below 15.");
  });

  const NOT_MET = "No condition is met.";
  it.each<[object, Change, string]>([
    [
      { type: "numberBelow", near: "Price", value: 20 },
      { before: "24.90", after: "19.50" },
      `${NOT_MET} "Price" is not in the compared text.`,
    ],
    [
      { type: "numberBelow", near: "Price", value: 20 },
      { before: "Price: 24.90", after: "Price on request" },
      `${NOT_MET} There is no number after "Price" on its line.`,
    ],
    [
      { type: "numberBelow", value: 20 },
      { before: "24.90", after: "On request" },
      `${NOT_MET} There is no number in the compared text.`,
    ],
    [
      { type: "numberChangedByPercent", value: 20 },
      { before: "On request", after: "24.90" },
      `${NOT_MET} In the last version: There is no number in the compared text.`,
    ],
    [
      { type: "numberBelow", field: "offer.price", value: 20 },
      { valuesBefore: { offer: {} }, valuesAfter: { offer: {} } },
      `${NOT_MET} The page's json has no field offer.price.`,
    ],
    [
      { type: "numberBelow", field: "price", value: 20 },
      { valuesBefore: { price: 24 }, valuesAfter: { price: "on request" } },
      `${NOT_MET} The field price has no number.`,
    ],
    [
      { type: "fieldChanged", field: "price" },
      { valuesBefore: { name: "Lamp" }, valuesAfter: { name: "Lamps" } },
      `${NOT_MET} The page's json has no field price.`,
    ],
    [{ type: "numberBelow", value: 20 }, { before: "30", after: "24.90" }, NOT_MET],
    [{ type: "textAppears", text: "sold out" }, { before: "A", after: "B" }, NOT_MET],
  ])("says what the page lacks for %j with %j", (condition, change, reason) => {
    const when = conditionsSchema.parse({ conditions: [condition] });
    expect(checkConditions(when, toChange(change))).toEqual({ notifies: false, reason });
  });

  it("does not say what is lacking when another condition is met", () => {
    const conditions = [
      { type: "numberBelow", near: "Price", value: 20 },
      { type: "textAdded", text: "lamp" },
    ];
    const change = toChange({ before: "A", after: "A lamp" });
    expect(checkConditions(conditionsSchema.parse({ conditions }), change).reason).toBe(
      'Met: "lamp" was added.',
    );
    const all = conditionsSchema.parse({ match: "all", conditions });
    expect(checkConditions(all, change).reason).toBe(
      'Not all conditions are met, only: "lamp" was added. "Price" is not in the compared text.',
    );
  });

  it("refuses a field and a text for the same number", () => {
    const condition = { type: "numberBelow", near: "Price", field: "price", value: 20 };
    expect(conditionsSchema.safeParse({ conditions: [condition] }).error?.issues[0]?.message).toBe(
      "when.conditions[0]: field and near exclude each other",
    );
  });

  it("requires any or all of the conditions, and names those that are met", () => {
    const conditions = [{ type: "textAdded", text: "lamp" }, { type: "titleChanged" }];
    const change = toChange({ before: "A", after: "A lamp" });
    const any = conditionsSchema.parse({ conditions });
    expect(checkConditions(any, change)).toEqual({
      notifies: true,
      reason: 'Met: "lamp" was added.',
    });
    const all = conditionsSchema.parse({ match: "all", conditions });
    expect(checkConditions(all, change)).toEqual({
      notifies: false,
      reason: 'Not all conditions are met, only: "lamp" was added.',
    });
    expect(checkConditions(null, change)).toEqual({ notifies: true, reason: "" });
    expect(listWatchedFacts(any)).toEqual(["title"]);
  });
});
