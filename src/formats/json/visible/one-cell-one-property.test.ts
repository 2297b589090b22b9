import { describe, expect, it } from "vitest";
import {
  CLOCK,
  DATE,
  INTEGER,
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

type Case = readonly [
  statement: string,
  heads: readonly [string, string],
  cells: readonly (readonly [string, string])[],
  properties: Record<string, unknown>,
  pair: readonly [string, string],
];
/** Gives the rows that have the same value for both properties of the pair. */
const readShared = ([, heads, cells, properties, [one, other]]: Case): unknown => {
  const html = pageOf("en", `<h1>Overview</h1>${tableOf(heads, ...cells)}`);
  return readRows(html, "records", properties).filter(
    (row) => row[one] !== undefined && row[one] === row[other],
  );
};
const named = (...values: readonly string[]): (readonly [string, string])[] =>
  values.map((value, at) => [["Alpha", "Beta", "Gamma"][at] ?? "", value]);

const TEAMS: Case = [
  "the home and the away team",
  ["Team", "Next match"],
  [
    ["Rovers", "5 May 2027"],
    ["United", "6 May 2027"],
    ["Town", "7 May 2027"],
  ],
  { home_team: STRING, away_team: STRING, date: DATE },
  ["home_team", "away_team"],
];
const STATIONS: Case = [
  "the first and the last station",
  ["Station", "Departure"],
  [
    ["Bergen", "08:10"],
    ["Oslo", "09:40"],
    ["Bodø", "11:05"],
  ],
  { from_station: STRING, to_station: STRING, departure_time: CLOCK, arrival_time: CLOCK },
  ["from_station", "to_station"],
];

describe("one cell", () => {
  it.each<Case>([
    [
      "the start and the end date",
      ["Course", "Date"],
      named("5 May 2027", "6 May 2027", "7 May 2027"),
      { name: STRING, start_date: DATE, end_date: DATE },
      ["start_date", "end_date"],
    ],
    [
      "the prices for adults and children",
      ["Museum", "Price"],
      named("€20", "€30", "€40"),
      { name: STRING, price_adult: NUMBER, price_child: NUMBER },
      ["price_adult", "price_child"],
    ],
    [
      "the high and the low of a day",
      ["City", "Temperature"],
      named("12 °C", "14 °C", "9 °C"),
      { city: STRING, temperature_min_c: NUMBER, temperature_max_c: NUMBER },
      ["temperature_min_c", "temperature_max_c"],
    ],
    [
      "the winner and the second",
      ["Final", "Winner"],
      named("Rovers", "United", "Town"),
      { name: STRING, winner: STRING, runner_up: STRING },
      ["winner", "runner_up"],
    ],
    [
      "the phone and the fax",
      ["Name", "Phone"],
      named("040 123 45", "040 123 46", "040 123 47"),
      { name: STRING, phone: STRING, fax: STRING },
      ["phone", "fax"],
    ],
    [
      "the height and the width",
      ["Item", "Height (cm)"],
      named("20", "30", "40"),
      { name: STRING, height_cm: NUMBER, width_cm: NUMBER },
      ["height_cm", "width_cm"],
    ],
    [
      "an altitude and a depth of snow in rows without one",
      ["Station", "Altitude"],
      named("1 500 m", "1 200 m", "1 800 m"),
      { station: STRING, altitude_m: NUMBER, snow_depth_cm: NUMBER },
      ["altitude_m", "snow_depth_cm"],
    ],
  ])("does not fill %s", (...given) => {
    expect(readShared(given)).toEqual([]);
  });

  it.fails.each<Case>([
    TEAMS,
    STATIONS,
    [
      "the living area and the plot",
      ["Home", "Area"],
      named("50 m²", "60 m²", "70 m²"),
      { name: STRING, living_area_m2: NUMBER, plot_area_m2: NUMBER },
      ["living_area_m2", "plot_area_m2"],
    ],
    [
      "the rent with and without heating",
      ["Flat", "Rent"],
      named("€500", "€600", "€700"),
      { name: STRING, rent_cold_eur: NUMBER, rent_warm_eur: NUMBER },
      ["rent_cold_eur", "rent_warm_eur"],
    ],
    [
      "the population of two years",
      ["City", "Population"],
      named("1,200", "1,100", "900"),
      { city: STRING, population_2025: INTEGER, population_2026: INTEGER },
      ["population_2025", "population_2026"],
    ],
    [
      "the number of votes and their share",
      ["Candidate", "Votes"],
      named("1,200", "1,100", "900"),
      { name: STRING, votes: INTEGER, votes_percent: NUMBER },
      ["votes", "votes_percent"],
    ],
    [
      "the net and the gross weight",
      ["Item", "Weight"],
      named("1.9 kg", "2.9 kg", "3.9 kg"),
      { name: STRING, net_weight_kg: NUMBER, gross_weight_kg: NUMBER },
      ["net_weight_kg", "gross_weight_kg"],
    ],
    [
      "the heating and the cooling capacity",
      ["Pump", "Capacity"],
      named("1.9 kW", "2.9 kW", "3.9 kW"),
      { model: STRING, heating_capacity_kw: NUMBER, cooling_capacity_kw: NUMBER },
      ["heating_capacity_kw", "cooling_capacity_kw"],
    ],
  ])("does not fill %s", (...given) => {
    expect(readShared(given)).toEqual([]);
  });

  it.fails("does not fill two weights and two capacities below one label each", () => {
    const main = `<h1>Pump</h1><dl><dt>Weight</dt><dd>1.9 kg</dd><dt>Capacity</dt><dd>3.1 kW</dd></dl>`;
    const given = readObject(pageOf("en", main), {
      net_weight_kg: NUMBER,
      gross_weight_kg: NUMBER,
      heating_capacity_kw: NUMBER,
      cooling_capacity_kw: NUMBER,
    });
    expect(Object.keys(given).length).toBeLessThan(3);
  });
});

describe("two cells", () => {
  it("fill the home and the away team", () => {
    const table = tableOf(
      ["Date", "Home", "Away"],
      ["5 May 2027", "Rovers", "United"],
      ["6 May 2027", "Town", "County"],
      ["7 May 2027", "Albion", "Athletic"],
    );
    const rows = readRows(pageOf("en", `<h1>Fixtures</h1>${table}`), "matches", {
      home_team: STRING,
      away_team: STRING,
    });
    expect(rows[1]).toEqual({ home_team: "Town", away_team: "County" });
  });

  it("fill two properties with the same value", () => {
    const table = tableOf(
      ["Item", "Net weight", "Gross weight"],
      ["Alpha", "1.9 kg", "1.9 kg"],
      ["Beta", "2.9 kg", "3.2 kg"],
      ["Gamma", "3.9 kg", "4.4 kg"],
    );
    const rows = readRows(pageOf("en", `<h1>Items</h1>${table}`), "items", {
      name: STRING,
      net_weight_kg: NUMBER,
      gross_weight_kg: NUMBER,
    });
    expect(rows[0]).toEqual({ name: "Alpha", net_weight_kg: 1.9, gross_weight_kg: 1.9 });
  });
});
