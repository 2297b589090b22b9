import { describe, expect, it } from "vitest";
import { NUMBER, pageOf, readRows, STRING } from "../../../../test/understanding/schema-pages.ts";

const cardsOf = (...cards: readonly (readonly string[])[]): string =>
  `<ul class="cards">${cards
    .map(
      (texts) =>
        `<li>${texts.map((text, at) => `<div class="c${at}">${text}</div>`).join("")}</li>`,
    )
    .join("")}</ul>`;

describe("records of hours", () => {
  const HOUR = {
    time: STRING,
    temperature_c: NUMBER,
    feels_like_c: NUMBER,
    wind_kmh: NUMBER,
    gusts_kmh: NUMBER,
  };

  it("have their temperature beside the perceived one, wind and gusts", () => {
    const html = pageOf(
      "fr",
      `<h1>Belmont</h1><h2>Heure par heure</h2>${cardsOf(
        ["9 h 00", "11°", "ressenti 8°", "25 / 45 km/h"],
        ["10 h 00", "12°", "ressenti 10°", "20 / 38 km/h"],
        ["11 h 00", "12°", "ressenti 11°", "15 / 30 km/h"],
      )}`,
    );
    expect(readRows(html, "hours", HOUR)[1]).toEqual({
      time: "10 h 00",
      temperature_c: 12,
      feels_like_c: 10,
      wind_kmh: 20,
      gusts_kmh: 38,
    });
  });

  it("have no temperature where two are not named", () => {
    const html = pageOf(
      "en",
      `<h1>Belmont</h1><h2>Hours</h2>${cardsOf(
        ["09:00", "11°", "9°", "20 km/h"],
        ["10:00", "12°", "8°", "22 km/h"],
        ["11:00", "12°", "7°", "25 km/h"],
      )}`,
    );
    const rows = readRows(html, "hours", HOUR);
    expect(rows.filter((row) => row.temperature_c !== undefined)).toEqual([]);
  });

  it("have the only time of day as their time, but no duration", () => {
    const html = pageOf(
      "fi",
      `<h1>Elokuvat</h1>${cardsOf(
        ["18.30", "Talvinen meri", "Sali 2", "1 h 52 min"],
        ["20.15", "Ketunpolku", "Sali 1", "2 h 5 min"],
        ["21.00", "Majakka", "Sali 3", "1 h 40 min"],
      )}`,
    );
    const rows = readRows(html, "showings", { title: STRING, time: STRING });
    expect(rows.map(({ time }) => time)).toEqual(["18.30", "20.15", "21.00"]);
    const recipes = pageOf(
      "fi",
      `<h1>Reseptit</h1>${cardsOf(["Lohikeitto", "45 min"], ["Pulla", "90 min"], ["Puuro", "10 min"])}`,
    );
    expect(readRows(recipes, "items", { title: STRING, time: STRING })[0]).toHaveProperty("title");
  });
});
