import { describe, expect, it } from "vitest";
import { readShape } from "../../../runtime/json-schema/shape.ts";
import type { ModelPage } from "../../model/model-page.ts";
import { ReferenceCopier } from "./copy-references.ts";

const place = (ref: string, words: string, address?: string): ModelPage["lines"][number] => ({
  text: `${ref} p ${words}`,
  places: [{ ref, words, ...(address === undefined ? {} : { address }) }],
  level: 0,
  isAside: false,
  isData: ref.startsWith("d"),
  tokens: 5,
});

const PAGE: ModelPage = {
  lines: [
    place("n1", "Skarn 3L Shell"),
    place("n2", "Price: £184.00"),
    place("n3", "now £184.00, was £230.00"),
    place("n4", "In stock – leaves tomorrow"),
    place("n5", "Size guide", "https://site.example/sizes"),
    place("n6", "write to us", "mailto:ada@site.example?subject=Hello"),
    place("n7", "1h 52m"),
    place("n8", "3 October 2026"),
    place("d1", "NV-2207-M"),
  ],
  left: 0,
  base: "https://site.example/",
  order: "day-first",
};

const SCHEMA = readShape({
  type: "object",
  properties: {
    name: { type: "string" },
    price: { type: "number" },
    sku: { type: "string" },
    in_stock: { type: "boolean" },
    guide_url: { type: "string" },
    email: { type: "string" },
    minutes: { type: "integer" },
    date: { type: "string", format: "date" },
    names: { type: "array", items: { type: "string" } },
  },
});

const copy = (data: unknown, isWordOfPage = (_word: string): boolean => false) =>
  new ReferenceCopier(PAGE, isWordOfPage).copy(data, SCHEMA);

describe("references of a model's answer", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["the words of a line", { name: "n1" }, { name: "Skarn 3L Shell" }],
    ["a number without its label and sign", { price: "n2" }, { price: 184 }],
    ["the part that the model names", { price: "n3: £184.00" }, { price: 184 }],
    ["the part in an object", { price: { ref: "n3", text: "230.00" } }, { price: 230 }],
    ["a reference in brackets", { name: "[n1]" }, { name: "Skarn 3L Shell" }],
    ["words that mean yes", { in_stock: "n4" }, { in_stock: true }],
    ["an address for an address", { guide_url: "n5" }, { guide_url: "https://site.example/sizes" }],
    ["an e-mail address from a link", { email: "n6" }, { email: "ada@site.example" }],
    ["a date in the form of the schema", { date: "n8" }, { date: "2026-10-03" }],
    ["machine-readable data", { sku: "d1" }, { sku: "NV-2207-M" }],
    [
      "each member of a list",
      { names: ["n1", "n8"] },
      { names: ["Skarn 3L Shell", "3 October 2026"] },
    ],
  ])("references are replaced by %s", (_, data, value) => {
    const copied = copy(data);
    expect(copied.value).toEqual(value);
    expect(copied.dropped).toEqual([]);
    expect(Object.keys(copied.evidence).length).toBeGreaterThan(0);
  });

  it("returns each referenced element as evidence with its text", () => {
    expect(copy({ name: "n1", sku: "d1" }).evidence).toEqual({
      "/name": { source: "model", ref: "n1", text: "Skarn 3L Shell" },
      "/sku": { source: "model", text: "NV-2207-M" },
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a line that the page does not have", { name: "n99" }, "/name (the page has no n99)"],
    ["several numbers where one is wanted", { price: "n3" }, "/price (n3 is no number)"],
    ["words where a number is wanted", { minutes: "n1" }, "/minutes (n1 is no integer)"],
  ])("drops and names references that lead to %s", (_, data, dropped) => {
    const copied = copy(data);
    expect(Object.values(copied.value as object)).toEqual([null]);
    expect(copied.dropped).toEqual([dropped]);
  });

  it("keeps a value in other words, with the referenced line as its quote", () => {
    const copied = copy({ minutes: "n7: 112", in_stock: "n4: true", name: "n1: Scarn" });
    expect(copied.value).toEqual({ minutes: 112, in_stock: true, name: "Scarn" });
    expect(copied.evidence).toEqual({});
    expect(copied.quotes["/minutes"]).toBe("1h 52m");
  });

  it("does not accept a part of a number or word", () => {
    expect(copy({ price: "n2: 84.00" }).evidence).toEqual({});
    expect(copy({ name: "n1: kar" }).evidence).toEqual({});
  });

  it("drops a reference that is also a word of the page, and keeps plain values", () => {
    const isWordOfPage = (word: string): boolean => word === "n1" || word === "n95";
    expect(copy({ name: "n1" }, isWordOfPage).dropped).toEqual([
      "/name (n1 is a word of the page and a reference)",
    ]);
    expect(copy({ name: "n95", price: 184 }, isWordOfPage).value).toEqual({
      name: "n95",
      price: 184,
    });
  });
});
