import { describe, expect, it } from "vitest";
import {
  CLOCK,
  NUMBER,
  pageOf,
  readObject,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const list = (rows: Readonly<Record<string, string>>): string =>
  `<dl>${Object.entries(rows)
    .map(([label, value]) => `<div><dt>${label}</dt><dd>${value}</dd></div>`)
    .join("")}</dl>`;
const read = (lang: string, main: string, name: string, schema: object = STRING): unknown =>
  readObject(pageOf(lang, main), { [name]: schema })[name];

describe("years in sentences", () => {
  it.each([
    ["revenue", "en", "In 2025 revenue grew strongly."],
    ["revenue", "en", "We will report 2025 revenue on 4 March."],
    ["revenue_2025", "en", "2025 revenue was well above expectations."],
    ["umsatz", "de", "Der Umsatz 2025 lag über dem Vorjahr."],
    ["ventes", "fr", "Les ventes 2025 ont progressé."],
    ["ingresos", "es", "Los ingresos 2025 crecieron."],
  ])("are no amount for %s (%s: %s)", (name, lang, sentence) => {
    expect(read(lang, `<h1>Alder AG</h1><p>${sentence}</p>`, name, NUMBER)).toBeUndefined();
  });
});

describe("labels without information", () => {
  it.each([
    ["Material", "material", "pl", "brak informacji"],
    ["Material", "material", "de", "keine Angabe"],
    ["Material", "material", "de", "k. A."],
    ["Material", "material", "en", "no data"],
    ["Material", "material", "en", "Not available"],
    ["Material", "material", "es", "n.d."],
    ["Materiale", "material", "it", "n.d."],
    ["Matériau", "material", "fr", "non renseigné"],
    ["Author", "author", "en", "n/a"],
    ["Hersteller", "manufacturer", "de", "nicht angegeben"],
  ])("give no value: %s for %s (%s: %s)", (label, name, lang, text) => {
    expect(
      read(lang, `<h1>Tisch</h1>${list({ [label]: text, Code: "T-4" })}`, name),
    ).toBeUndefined();
  });

  it.each([["Material", "material", "sv", "uppgift saknas"]])(
    "give no value: %s for %s (%s: %s)",
    (label, name, lang, text) => {
      expect(
        read(lang, `<h1>Bord</h1>${list({ [label]: text, Code: "T-4" })}`, name),
      ).toBeUndefined();
    },
  );

  it("give their value when there is one", () => {
    expect(
      read("de", `<h1>Tisch</h1>${list({ Material: "Eiche", Code: "T-4" })}`, "material"),
    ).toBe("Eiche");
  });
});

describe("signs around values", () => {
  it.each([
    ["en", "“Low tide”", "Low tide"],
    ["de", "„Ebbe“", "Ebbe"],
    ["fr", "« Marée basse »", "Marée basse"],
    ["en", '"Low tide"', "Low tide"],
  ])("are left out of a title (%s: %s)", (lang, title, value) => {
    expect(read(lang, `<h1>${title}</h1><p>A film.</p>`, "title")).toBe(value);
  });

  it.each([["sv", "”Ebb”", "Ebb"]])("are left out of a title (%s: %s)", (lang, title, value) => {
    expect(read(lang, `<h1>${title}</h1><p>En film.</p>`, "title")).toBe(value);
  });

  it("stay in a title that only begins with a quotation", () => {
    expect(read("en", "<h1>“Low tide” and other stories</h1><p>A book.</p>", "title")).toBe(
      "“Low tide” and other stories",
    );
  });

  it.each([
    ["de", "Art.-Nr. AG-KS32"],
    ["de", "Artikelnummer: AG-KS32"],
    ["en", "SKU: AG-KS32"],
    ["fr", "Réf. AG-KS32"],
  ])("are left out of a sku (%s: %s)", (lang, line) => {
    expect(read(lang, `<h1>Sieb</h1><p>${line}</p><p>€12.00</p>`, "sku")).toBe("AG-KS32");
  });

  it.each([
    ["a telephone", "Tel. AG-KS32"],
    ["a batch", "Batch no. AG-KS32"],
    ["an article of law", "Art. 32"],
  ])("name no sku: %s", (_, line) => {
    expect(read("en", `<h1>Sieve</h1><p>${line}</p><p>€12.00</p>`, "sku")).toBeUndefined();
  });
});

const icons = (...parts: readonly (readonly [string, string, string])[]): string =>
  `<h1>Alder</h1><ul>${parts.map(([name, icon, time]) => `<li><span role="img" aria-label="${name}">${icon}</span> ${time}</li>`).join("")}</ul>`;
const sun = (element: (time: string) => string): string =>
  icons(["Sunrise", "☀↑", element("7:04 AM")], ["Sunset", "☀↓", element("5:31 PM")]);
const SUN = sun((time) => time);
const TIMES = [
  ["sunrise", "07:04"],
  ["sunset", "17:31"],
] as const;

describe("icons with a name", () => {
  it.each(TIMES)("name the time behind them: %s", (name, time) => {
    expect(read("en", SUN, name, CLOCK)).toBe(time);
  });

  it.fails.each(TIMES)("name the time in the next element: %s", (name, time) => {
    expect(
      read(
        "en",
        sun((text) => `<b>${text}</b>`),
        name,
        CLOCK,
      ),
    ).toBe(time);
  });

  it.each(["moonrise", "opening_time", "dawn"])("name no time for another property: %s", (name) => {
    expect(read("en", SUN, name, CLOCK)).toBeUndefined();
  });

  it("are no value themselves", () => {
    expect(
      read("en", icons(["Sunrise", "☀↑", ""], ["Sunset", "☀↓", ""]), "sunrise"),
    ).toBeUndefined();
  });
});
