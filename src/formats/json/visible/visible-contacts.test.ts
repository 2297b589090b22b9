import { describe, expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const text = { type: "string" };
const valueOf = (body: string, properties: Record<string, object>) =>
  draftPage(
    `<!doctype html><html lang="en"><body><main><h1>Harbor office</h1>${body}</main></body></html>`,
    {
      type: "object",
      properties,
    },
  ).value;

describe("contacts of a page", () => {
  test("chooses the address whose mailbox has the name of the property", () => {
    const body = "<p>sales@pier.example</p><p>press@pier.example</p>";
    expect(valueOf(body, { sales_email: text, press_email: text })).toEqual({
      sales_email: "sales@pier.example",
      press_email: "press@pier.example",
    });
    expect(valueOf(body, { contact_email: text })).toBeUndefined();
  });

  test("returns the only phone number for a general property, and none for a special one", () => {
    const body = "<p>Call 020 7946 0018</p>";
    expect(valueOf(body, { customer_service_phone: text })).toEqual({
      customer_service_phone: "020 7946 0018",
    });
    expect(valueOf(body, { press_phone: text })).toBeUndefined();
  });

  test("reads the phone number behind the label that the property names", () => {
    const body =
      "<dl><dt>Driver line</dt><dd>0117 496 0311</dd><dt>Our customer care</dt><dd>0808 157 0192</dd></dl>";
    expect(valueOf(body, { customer_care_phone: text })).toEqual({
      customer_care_phone: "0808 157 0192",
    });
  });
});

describe("labels of today's layouts", () => {
  test.each([
    [
      "an icon with a title",
      '<div class="row"><i title="Office"></i><span>B-214</span></div>',
      { office: text },
      { office: "B-214" },
    ],
    [
      "a label, a value and a note",
      '<div><p class="l">Carrier</p><p class="v">Kestrel</p><p class="n">two days</p></div>',
      { carrier: text },
      { carrier: "Kestrel" },
    ],
    [
      "a short form of number",
      "<dl><dt>Tracking no.</dt><dd>KT0091GB</dd></dl>",
      { tracking_number: text },
      { tracking_number: "KT0091GB" },
    ],
    ["a word before a code", "<p>Oak · SKU TSD-OAK-45</p>", { sku: text }, { sku: "TSD-OAK-45" }],
    [
      "a rounded number with the exact one for screen readers",
      '<div><h3>Downloads</h3><p aria-label="312,406 downloads">312K</p></div>',
      { downloads: { type: "integer" } },
      { downloads: 312_406 },
    ],
    [
      "a number with an explanation in brackets",
      "<dl><dt>Credits</dt><dd>180 (90 ECTS)</dd></dl>",
      { credits: { type: "integer" } },
      { credits: 180 },
    ],
    [
      "a value with its crossed-out former one",
      "<dl><dt>Delivery</dt><dd><s>Thu 15 May</s> Mon 19 May</dd></dl>",
      { delivery: text },
      { delivery: "Mon 19 May" },
    ],
  ] as const)("%s", (_, body, properties, value) => {
    expect(valueOf(body, properties)).toEqual(value);
  });

  test("a row with two merged cells below a shared one is a record of its own", () => {
    const row = (cells: string): string => `<tr>${cells}</tr>`;
    const table = `<table>${row("<th>Supplier</th><th>Tariff</th><th>Day</th><th>Night</th>")}${row("<td rowspan=2>Pier</td><td>Tide</td><td>24.1</td><td>18.2</td>")}${row("<td>Night Owl<sup>1</sup></td><td colspan=2>21.5</td>")}</table>`;
    const items = {
      type: "object",
      properties: {
        supplier: text,
        tariff: text,
        day: { type: "number" },
        night: { type: "number" },
      },
    };
    expect(valueOf(table, { tariffs: { type: "array", items } })).toEqual({
      tariffs: [
        { supplier: "Pier", tariff: "Tide", day: 24.1, night: 18.2 },
        { supplier: "Pier", tariff: "Night Owl", day: 21.5, night: 21.5 },
      ],
    });
  });

  test("reads a name that ends in min as minutes for durations only", () => {
    const body = "<dl><dt>Travel time</dt><dd>25 min.</dd><dt>Salary</dt><dd>see below</dd></dl>";
    const number = { type: "number" };
    expect(valueOf(body, { salary_min: number, travel_time_min: number })).toEqual({
      travel_time_min: 25,
    });
  });

  test("a date is no number and a number is no date", () => {
    const body = "<h2>Order PP-7730-2941</h2>";
    expect(valueOf(body, { order_number: text, order_date: text })).toEqual({
      order_number: "PP-7730-2941",
    });
  });

  test("a price is no value of a property that its label only partly names", () => {
    const body = "<table><tr><td>Delivery</td><td>£29.95</td></tr></table>";
    expect(valueOf(body, { estimated_delivery: text })).toBeUndefined();
  });
});
