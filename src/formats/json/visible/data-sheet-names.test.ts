import { describe, expect, it } from "vitest";
import {
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const at = (description: string) => ({ type: "number", description });
const PUMP = {
  model: STRING,
  heating_capacity_kw: at("At A7/W35"),
  refrigerant: STRING,
  refrigerant_charge_kg: NUMBER,
  sound_power_db: NUMBER,
};
const FIRST = {
  model: "KP 20",
  heating_capacity_kw: 6.1,
  refrigerant: "R290",
  refrigerant_charge_kg: 0.89,
  sound_power_db: 54,
};
const LABELS = {
  en: "Model|Unit|Heating capacity|Refrigerant|Refrigerant charge|Sound power level",
  de: "Modell|Einheit|Heizleistung|Kältemittel|Kältemittelfüllmenge|Schallleistungspegel",
  fr: "Modèle|Unité|Puissance calorifique|Fluide frigorigène|Charge de fluide frigorigène|Puissance acoustique",
  es: "Modelo|Unidad|Potencia calorífica|Refrigerante|Carga de refrigerante|Potencia sonora",
  it: "Modello|u.m.|Potenza termica|Refrigerante|Carica refrigerante|Potenza sonora",
  nl: "Model|Eenheid|Verwarmingsvermogen|Koudemiddel|Koudemiddelvulling|Geluidsvermogen",
} as const;

const sheet = (lang: keyof typeof LABELS, conditions: readonly string[]): string => {
  const [model = "", unit = "", heating, refrigerant = "", charge = "", sound = ""] =
    LABELS[lang].split("|");
  return pageOf(
    lang,
    `<h1>KP</h1>${tableOf(
      [model, unit, "KP 20", "KP 40"],
      ...conditions.map((each, place) => [
        `${heating} ${each}`.trim(),
        "kW",
        `${6.1 - place}`,
        `${9.1 - place}`,
      ]),
      [refrigerant, "", "R290", "R32"],
      [charge, "g", "890", "980"],
      [sound, "dB(A)", "54", "57"],
    )}`,
  );
};

describe("data sheets of heat pumps", () => {
  it.each(Object.keys(LABELS) as (keyof typeof LABELS)[])("are read by model (%s)", (lang) => {
    expect(readRows(sheet(lang, [""]), "models", PUMP)[0]).toEqual(FIRST);
  });

  it.each(["en", "de", "it"] as const)(
    "have the figure at the condition that the description states (%s)",
    (lang) => {
      const html = sheet(lang, ["A7/W35", "A2/W35"]);
      expect(readRows(html, "models", PUMP)[0]).toEqual(FIRST);
    },
  );

  it("have no figure at another condition", () => {
    const html = sheet("it", ["A2/W35", "A−7/W35"]);
    expect(readRows(html, "models", PUMP)[0]).not.toHaveProperty("heating_capacity_kw");
  });

  it("tell sound power from sound pressure", () => {
    const html = pageOf(
      "de",
      `<h1>KP 20</h1><dl><dt>Schallleistungspegel</dt><dd>54 dB(A)</dd><dt>Schalldruckpegel</dt><dd>39 dB(A)</dd></dl>`,
    );
    expect(readObject(html, { sound_power_db: NUMBER, sound_pressure_db: NUMBER })).toEqual({
      sound_power_db: 54,
      sound_pressure_db: 39,
    });
  });
});
