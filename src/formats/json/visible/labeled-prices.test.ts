import { expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const number = { type: "number" };
const pricesOf = (rows: string, names: readonly string[]): unknown =>
  draftPage(
    `<!doctype html><html><head><title>Harbour House</title></head><body><main><h1>Harbour House</h1>${rows}</main></body></html>`,
    { type: "object", properties: Object.fromEntries(names.map((name) => [name, number])) },
  ).value ?? {};
const list = (rows: Readonly<Record<string, string>>): string =>
  `<dl>${Object.entries(rows)
    .map(([label, value]) => `<dt>${label}</dt><dd>${value}</dd>`)
    .join("")}</dl>`;

test.each([
  [{ Adult: "£12", Concession: "£9", Child: "£5" }, 12, 9, 5],
  [{ Erwachsene: "12 €", Ermäßigt: "9 €", Kinder: "5 €" }, 12, 9, 5],
  [{ "Plein tarif": "12 €", "Tarif réduit": "9 €", Enfants: "5 €" }, 12, 9, 5],
  [{ Intero: "12 €", Ridotto: "9 €", Bambini: "5 €" }, 12, 9, 5],
])("reads prices by the visitors that their labels name: %o", (rows, full, reduced, child) => {
  expect(pricesOf(list(rows), ["full_price", "reduced_price", "child_price"])).toEqual({
    full_price: full,
    reduced_price: reduced,
    child_price: child,
  });
});

test("reads no price of adults from their number", () => {
  expect(pricesOf(list({ Erwachsene: "2", Kinder: "1" }), ["full_price", "child_price"])).toEqual(
    {},
  );
});

test.each(["Breakfast", "Kurtaxe", "Audioguide", "Endreinigung", "Parking permit"])(
  "takes no price of what is paid beside the thing: %s",
  (label) => {
    expect(pricesOf(list({ [label]: "€14" }), ["price"])).toEqual({});
  },
);
