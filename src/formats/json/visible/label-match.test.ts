import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const NUMBER = { type: "number" };
const TEXT = { type: "string" };
const valueOf = (body: string, properties: Readonly<Record<string, object>>): unknown =>
  draftPage(
    `<html><head><title>X</title></head><body><main><h1>X</h1>${body}</main></body></html>`,
    {
      type: "object",
      properties,
    },
  ).value;

describe("names with a unit of time", () => {
  it("matches a name with a unit of time to labels without it, and keeps names that only end in such a word", () => {
    const list =
      "<dl><dt>Baking time</dt><dd>50 min</dd><dt>Warranty</dt><dd>24 months</dd><dt>Opening hours</dt><dd>9 to 17</dd></dl>";
    expect(valueOf(list, { cook_time_minutes: NUMBER, warranty_months: NUMBER })).toEqual({
      cook_time_minutes: 50,
      warranty_months: 24,
    });
    expect(valueOf(list, { opening_hours: TEXT })).toEqual({ opening_hours: "9 to 17" });
  });
});

describe("numbers in a unit of time", () => {
  it.each([
    ["Warranty", "2 years", "warranty_months", 24],
    ["Warranty", "24 months", "warranty_years", 2],
    ["Baking time", "1 h 10 min", "cook_time_minutes", 70],
    ["Delivery", "3 days", "delivery_days", 3],
  ])("%s %s is converted for %s", (label, value, name, expected) => {
    const list = `<dl><dt>${label}</dt><dd>${value}</dd></dl>`;
    expect(valueOf(list, { [name]: NUMBER })).toEqual({ [name]: expected });
  });

  it.each([
    ["Delivery", "€4.90", "delivery_days"],
    ["Deposit", "€1,800", "deposit_months"],
    ["Power", "150 PS", "power_kw"],
  ])("does not read %s %s as %s", (label, value, name) => {
    const list = `<dl><dt>${label}</dt><dd>${value}</dd></dl>`;
    expect(valueOf(list, { [name]: NUMBER })).toBeUndefined();
  });

  it("does not read a number of months from a price on the page", () => {
    expect(valueOf("<p>€900</p>", { rent_months: NUMBER })).toBeUndefined();
  });
});

describe("labels of vehicles", () => {
  it.each([
    ["Hubraum", "1598 cm³", "displacement_cc", 1598],
    ["Puissance", "96 kW", "power_kw", 96],
    ["Aantal deuren", "5", "number_of_doors", 5],
    ["Liczba właścicieli", "2", "previous_owners", 2],
  ])("%s gives a number", (label, value, name, expected) => {
    const list = `<dl><dt>${label}</dt><dd>${value}</dd></dl>`;
    expect(valueOf(list, { [name]: NUMBER })).toEqual({ [name]: expected });
  });
});

describe("names of amounts of money", () => {
  it("requires a currency when the label leaves out what is paid", () => {
    const row = (value: string): string =>
      `<table><tr><th>Boat trip</th><td>${value}</td></tr><tr><th>Lectures</th><td>12</td></tr></table>`;
    expect(valueOf(row("3"), { boat_trip_fee: NUMBER })).toBeUndefined();
    expect(valueOf(row("€45"), { boat_trip_fee: NUMBER })).toEqual({ boat_trip_fee: 45 });
  });

  it("does not return the declared price as the net price", () => {
    const data =
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"X","offers":{"@type":"Offer","price":"119","priceCurrency":"EUR"}}</script>';
    expect(valueOf(data, { net_price: NUMBER })).toBeUndefined();
    expect(valueOf(data, { price: NUMBER })).toEqual({ price: 119 });
  });

  it("does not read the monthly payment of a loan as the price", () => {
    const body = "<p><a href='/loan'>Finanzierung ab <b>89 €</b> mtl.</a></p>";
    expect(valueOf(body, { price: NUMBER })).toBeUndefined();
    expect(valueOf(`${body}<p>3.480 €</p>`, { price: NUMBER })).toEqual({ price: 3480 });
  });
});

describe("values with a label of their own", () => {
  it("does not use a value with its own label as the value of the text before it", () => {
    const beside = "<div><p>Latest release</p><p>Published: 4 June 2026</p></div>";
    expect(valueOf(beside, { version: TEXT })).toBeUndefined();
    const plain = "<div><p>Latest release</p><p>4.2.1</p></div>";
    expect(valueOf(plain, { version: TEXT })).toEqual({ version: "4.2.1" });
  });
});

describe("columns that are periods", () => {
  it("does not read columns of periods as records with a name", () => {
    const table =
      "<h2>Income statement</h2><table><tr><th></th><th>Q2 2026</th><th>Q1 2026</th><th>Q2 2025</th></tr><tr><th>Operating profit</th><td>12</td><td>11</td><td>9</td></tr><tr><th>Revenue</th><td>80</td><td>77</td><td>70</td></tr></table>";
    const segments = {
      type: "array",
      items: { type: "object", properties: { name: TEXT, operating_profit: NUMBER } },
    };
    expect(valueOf(table, { segments })).toBeUndefined();
    const products = table.replaceAll(/Q\d (20\d\d)/g, "Model $1").replace("Model 2026", "Mini");
    expect(valueOf(products.replaceAll("Model 20", "Maxi "), { segments })).toBeDefined();
  });
});
