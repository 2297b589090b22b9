import { describe, expect, it } from "vitest";
import {
  DATE,
  NUMBER,
  pageOf,
  readObject,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const object = (properties: Record<string, unknown>) => ({ type: "object", properties });
const list = (rows: Readonly<Record<string, string>>): string =>
  `<dl>${Object.entries(rows)
    .map(([label, value]) => `<div><dt>${label}</dt><dd>${value}</dd></div>`)
    .join("")}</dl>`;
const WEATHER = {
  current: object({
    temperature_c: NUMBER,
    wind_speed_kmh: NUMBER,
    humidity_percent: NUMBER,
    pressure_hpa: NUMBER,
    dew_point_c: NUMBER,
    visibility_km: NUMBER,
    uv_index: NUMBER,
  }),
};
const weather = (lang: string, rows: Readonly<Record<string, string>>): unknown =>
  readObject(pageOf(lang, `<h1>Alder</h1><h2>Now</h2>${list(rows)}`), WEATHER).current ?? {};
const SELLER = {
  title: STRING,
  seller: object({
    name: STRING,
    email: STRING,
    phone: STRING,
    address: STRING,
    rating: NUMBER,
    since: DATE,
  }),
};
const offer = (lang: string, body: string): Record<string, unknown> =>
  readObject(pageOf(lang, `<h1>Oak table</h1><p>Solid wood.</p>${body}`), SELLER);

const seller = (lang: string, rows: Readonly<Record<string, string>>): unknown =>
  offer(lang, `<section><h2>${Object.keys(rows)[0]}</h2>${list(rows)}</section>`)["seller"];

describe("nested objects without identity", () => {
  it.each([
    ["en", { Humidity: "64%", Pressure: "1012 hPa" }, { humidity_percent: 64, pressure_hpa: 1012 }],
  ])("have the few values that the page labels (%s)", (lang, rows, value) => {
    expect(weather(lang, rows)).toEqual(value);
  });

  it.each([
    [
      "de",
      { Luftfeuchtigkeit: "64 %", Luftdruck: "1012 hPa" },
      { humidity_percent: 64, pressure_hpa: 1012 },
    ],
    [
      "fr",
      { Humidité: "64 %", Pression: "1012 hPa" },
      { humidity_percent: 64, pressure_hpa: 1012 },
    ],
    ["es", { Humedad: "64 %", Presión: "1012 hPa" }, { humidity_percent: 64, pressure_hpa: 1012 }],
    [
      "sv",
      { Luftfuktighet: "64 %", Lufttryck: "1012 hPa" },
      { humidity_percent: 64, pressure_hpa: 1012 },
    ],
    ["it", { Umidità: "64%", Pressione: "1012 hPa" }, { humidity_percent: 64, pressure_hpa: 1012 }],
  ])("have the few values that the page labels (%s)", (lang, rows, value) => {
    expect(weather(lang, rows)).toEqual(value);
  });

  it.each([
    ["wind in m/s for km/h", "en", { Wind: "5 m/s from the west" }, "wind_speed_kmh", 5],
    ["gusts", "en", { "Wind gusts": "48 km/h" }, "wind_speed_kmh", 48],
    ["the felt temperature", "en", { "Feels like": "14 °C" }, "temperature_c", 14],
    ["gefühlte Temperatur", "de", { "Gefühlte Temperatur": "14 °C" }, "temperature_c", 14],
    ["Wassertemperatur", "de", { Wassertemperatur: "12 °C" }, "temperature_c", 12],
    ["the chance of rain", "en", { "Chance of rain": "40%" }, "humidity_percent", 40],
  ])("have no other value: %s", (_, lang, rows, name, wrong) => {
    expect(weather(lang, rows)).not.toHaveProperty(name, wrong);
  });

  it.each([
    ["the temperature of water", "en", { "Water temperature": "12 °C" }, "temperature_c", 12],
    ["température ressentie", "fr", { "Température ressentie": "14 °C" }, "temperature_c", 14],
    ["Fahrenheit for Celsius", "en", { Temperature: "58 °F" }, "temperature_c", 58],
  ])("have no other value: %s", (_, lang, rows, name, wrong) => {
    expect(weather(lang, rows)).not.toHaveProperty(name, wrong);
  });
});

describe("nested objects with a name or contact", () => {
  it.each([
    [
      "en",
      { Seller: "Alder Woodworks Ltd", Email: "desk@alder.example", Phone: "+44 20 7946 0018" },
    ],
  ])("are given when at least half is known (%s)", (lang, rows) => {
    expect(seller(lang, rows)).toMatchObject({ email: Object.values(rows)[1] });
  });

  it.fails.each([
    [
      "de",
      { Verkäufer: "Erle Möbel GmbH", "E-Mail": "post@erle.example", Telefon: "+49 30 901820" },
    ],
  ])("are given when at least half is known (%s)", (lang, rows) => {
    expect(seller(lang, rows)).toMatchObject({ email: Object.values(rows)[1] });
  });

  it.each([
    ["an address of the footer", "<p>Questions? Write to press@alder.example.</p>"],
    ["a telephone of the site", "<p>Newsroom: +44 20 7946 0018</p>"],
    ["a date of the page", "<p>Published on 3 March 2026</p>"],
    ["an author", "<p>By Ilse Brandt</p>"],
    ["a rating of the product", list({ Rating: "4.5 out of 5", Material: "Oak" })],
    [
      "an address of delivery",
      list({ "Delivery address": "12 Quay Road, Hull HU1 2AB", Material: "Oak" }),
    ],
  ])("are not given when only one value may be known: %s", (_, body) => {
    expect(offer("en", body)["seller"]).toBeUndefined();
  });

  it("are not given for an organizer of whom only the venue is known", () => {
    const html = pageOf(
      "fr",
      `<h1>Concert</h1>${list({ Lieu: "Salle des Aulnes", Date: "12 mars 2026", Adresse: "4 rue du Port, Lyon" })}`,
    );
    const organizer = object({ name: STRING, email: STRING, phone: STRING, website: STRING });
    expect(readObject(html, { title: STRING, organizer }).organizer).toBeUndefined();
  });
});
