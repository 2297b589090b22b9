import { describe, expect, it } from "vitest";
import {
  CLOCK,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const WEEKDAY = {
  type: "string",
  enum: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
};
const hoursOf = (lang: string, heads: readonly string[], ...rows: readonly string[][]): string =>
  pageOf(lang, `<h1>Info</h1>${tableOf(heads, ...rows)}`);

describe("opening hours in rows", () => {
  it.each([
    ["de", ["Tag", "Geöffnet"], ["Montag", "Dienstag", "Mittwoch"], "geschlossen"],
    ["fr", ["Jour", "Horaires"], ["Lundi", "Mardi", "Mercredi"], "fermé"],
    ["pl", ["Dzień", "Godziny"], ["poniedziałek", "wtorek", "środa"], "nieczynne"],
  ])("have the day as an option of the schema, and both ends (%s)", (lang, heads, days, closed) => {
    const [first = "", second = "", third = ""] = days;
    const html = hoursOf(
      lang,
      heads,
      [first, "9:00–17:00"],
      [second, "10:30–18:00"],
      [third, closed],
    );
    expect(readRows(html, "hours", { day: WEEKDAY, opens: CLOCK, closes: CLOCK })).toEqual([
      { day: "monday", opens: "09:00", closes: "17:00" },
      { day: "tuesday", opens: "10:30", closes: "18:00" },
      { day: "wednesday" },
    ]);
  });

  it("have the ends of the columns that the names of the properties begin with", () => {
    const html = hoursOf(
      "nl",
      ["Dag", "Lunch", "Avond"],
      ["Maandag", "12:00–14:00", "18:00–22:00"],
      ["Dinsdag", "12:00–14:30", "gesloten"],
      ["Woensdag", "gesloten", "18:30–22:00"],
    );
    const properties = {
      day: STRING,
      lunch_opens: CLOCK,
      lunch_closes: CLOCK,
      dinner_opens: CLOCK,
      dinner_closes: CLOCK,
    };
    expect(readRows(html, "hours", properties)).toEqual([
      {
        day: "Maandag",
        lunch_opens: "12:00",
        lunch_closes: "14:00",
        dinner_opens: "18:00",
        dinner_closes: "22:00",
      },
      { day: "Dinsdag", lunch_opens: "12:00", lunch_closes: "14:30" },
      { day: "Woensdag", dinner_opens: "18:30", dinner_closes: "22:00" },
    ]);
  });

  it("have no time for one span where a row shows two", () => {
    const html = hoursOf(
      "it",
      ["Giorno", "Orario"],
      ["Lunedì", "9:00–12:00, 15:00–19:00"],
      ["Martedì", "9:00–12:00, 15:00–18:00"],
    );
    expect(
      JSON.stringify(readRows(html, "hours", { day: STRING, opens: CLOCK, closes: CLOCK })),
    ).not.toMatch(/opens|closes/);
  });
});
