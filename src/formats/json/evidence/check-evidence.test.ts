import { describe, expect, test } from "vitest";
import { threadCpuMs } from "../../../../test/cpu-time.ts";
import { findEvidence, PageText } from "./check-evidence.ts";

const PAGE = new PageText(
  "# Lamp 300\n\nThe lamp costs 1,249.50 euros and weighs 2,4 kg. Born on 12 March 1971 in Kiel. [Shop](https://shop.example/lamp) — write to a.b@shop.example.",
);

test.each<[string | number | boolean, string | undefined]>([
  ["Lamp 300", undefined],
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
  [1249.5, undefined],
  [99, "costs 99 euros"],
  ["1980-01-02", "Born on 12 March 1971"],
  ["https://evil.example/lamp", "[Shop](https://shop.example/lamp)"],
  ["free shipping to the moon", "The lamp costs 1,249.50 euros"],
  [true, "is in stock"],
  [true, undefined],
])("does not find %j with the quote %j on the page", (value, quote) => {
  expect(findEvidence(value, quote, PAGE)).toBeUndefined();
});

const SHOP = new PageText(
  [
    "# Fjell Jacket",
    "£184.00",
    "Running time: 1h 52m",
    "Net weight: 1.45 kg",
    "12.4K ratings",
    "Power reserve 1.234,5 h",
    "Born 3 October 2026",
    "| Plan | Seats | Storage |",
    "| --- | --- | --- |",
    "| Team | 25 | 80 % |",
    "Footer: founded with 7 people in 1998",
  ]
    .join("\n\n")
    .replaceAll("|\n\n|", "|\n|"),
);

describe("normalization", () => {
  test.each<[string, string | number]>([
    ["price", 184],
    ["price", "184"],
    ["running_time", 112],
    ["running_time", "112"],
    ["weight_g", 1450],
    ["weight", 1.45],
    ["ratings", 12_400],
    ["power_reserve", 1234.5],
    ["seats", 25],
    ["storage", 0.8],
    ["born", "2026-10-03"],
    ["currency", "GBP"],
  ])("normalizes and finds %s %j", (name, value) => {
    expect(findEvidence(value, undefined, SHOP, { name })?.source).toBe("model");
  });

  test.each<[string, string | number | boolean]>([
    ["rating", 184],
    ["year_of_release", 25],
    ["seats", 1998],
    ["weight_g", 1.45],
    ["price", 25],
    ["born", "2026-03-10"],
    ["currency", "USD"],
    ["is_available", true],
  ])("does not take a number from elsewhere for %s %j", (name, value) => {
    expect(findEvidence(value, undefined, SHOP, { name })).toBeUndefined();
  });

  test("requires a quote for an enum word even where the page has the word", () => {
    const property = { name: "plan", isEnum: true };
    expect(findEvidence("Team", undefined, SHOP, property)).toBeUndefined();
    expect(findEvidence("Team", "| Team | 25", SHOP, property)?.source).toBe("model");
  });

  test("does not read a dollar sign alone as a currency", () => {
    const page = new PageText("Price: $12");
    expect(findEvidence("USD", undefined, page, { name: "currency" })).toBeUndefined();
    expect(
      findEvidence("USD", undefined, new PageText("Price: US$12"), { name: "currency" })?.source,
    ).toBe("model");
  });
});

test("checks a long page of numbers in linear time", () => {
  const page = new PageText("Seats 1 234,5 | 7h 3m | 1.2.3.4 | ((1,2 ".repeat(5_000));
  const from = threadCpuMs();
  for (let at = 0; at < 50; at += 1) findEvidence(90_000 + at, undefined, page, { name: "price" });
  expect(threadCpuMs() - from).toBeLessThan(2_000);
});
