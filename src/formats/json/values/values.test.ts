import { expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const valueOf = (body: string, properties: object): unknown =>
  draftPage(
    `<!doctype html><html lang="en"><body><main><h1>Pottery</h1>${body}</main></body></html>`,
    {
      type: "object",
      properties,
    },
  ).value;
const TEXT = { type: "string" };

it("cuts what stands behind the name of a contact", () => {
  const properties = { contact_person: TEXT };
  expect(valueOf("<p>Contact person: Ida Brandt, Sales.</p>", properties)).toEqual({
    contact_person: "Ida Brandt",
  });
  expect(valueOf("<p>Contact person: Ida Brandt, PhD</p>", properties)).toEqual({
    contact_person: "Ida Brandt, PhD",
  });
});

it("gives the person whom a catalog credits as the only writer", () => {
  const row = (text: string): string => `<table><tr><th>著者</th><td>${text}</td></tr></table>`;
  expect(valueOf(row("山辺 凪/文 , 小川 澄/絵"), { author: TEXT })).toEqual({ author: "山辺 凪" });
  expect(valueOf(row("山辺 凪/著 , 小川 澄/著"), { author: TEXT })).toBeUndefined();
});

it("cuts brackets behind a number, and splits two labels in one line", () => {
  expect(valueOf("<p>Leaflet 88-2041 (PDF, 90 kB)</p>", { leaflet_number: TEXT })).toEqual({
    leaflet_number: "88-2041",
  });
  expect(
    valueOf("<p>Opening 10:00 – Closing 17:30</p>", { opening_time: TEXT, closing_time: TEXT }),
  ).toEqual({ opening_time: "10:00", closing_time: "17:30" });
});

it("splits a line of short items below the heading of a list", () => {
  const list = { glazes: { type: "array", items: TEXT } };
  expect(valueOf("<h2>Glazes</h2><p>ash, tin oxide, cobalt no. 4, celadon.</p>", list)).toEqual({
    glazes: ["ash", "tin oxide", "cobalt no. 4", "celadon"],
  });
});

it.each([
  ["Art.-Nr. AG-KS32", "AG-KS32"],
  ["Ref. 12 345", "12 345"],
  ["Ref. A12 to B9", "Ref. A12 to B9"],
])("reads the code %s as %s", (written, expected) => {
  expect(valueOf(`<dl><dt>SKU</dt><dd>${written}</dd></dl>`, { sku: TEXT })).toEqual({
    sku: expected,
  });
});
