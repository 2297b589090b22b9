import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const valueOf = (body: string, properties: object): unknown =>
  draftPage(
    `<!doctype html><html lang="en"><body><main><h1>Port Anse</h1>${body}</main></body></html>`,
    {
      type: "object",
      properties,
    },
  ).value;
const NUMBER = { type: "number" };
const WIND = "<dl><dt>Wind</dt><dd>7 m/s</dd><dt>Pressure</dt><dd>1,004 hPa</dd></dl>";

describe("labels in a part about another time", () => {
  it.each(["Tomorrow", "Morgen", "Demain, jeudi", "明日"])(
    "returns no current value from a part titled %s",
    (title) => {
      expect(valueOf(`<h2>${title}</h2>${WIND}`, { wind_speed: NUMBER })).toBeUndefined();
      expect(valueOf(`<h2>Conditions</h2>${WIND}`, { wind_speed: NUMBER })).toEqual({
        wind_speed: 7,
      });
    },
  );

  it("returns the value whose label names the period of the property", () => {
    expect(
      valueOf(`<h2>Tomorrow</h2>${WIND}`, {
        wind: { type: "number", description: "wind, tomorrow" },
      }),
    ).toEqual({ wind: 7 });
  });

  it("returns no value of one of several years, but the value of the only year", () => {
    const years = "<h2>2026</h2><p>Ships: 412</p><h2>2025</h2><p>Crew: 96</p>";
    expect(valueOf(years, { crew: NUMBER })).toBeUndefined();
    expect(valueOf("<h2>2025</h2><p>Crew: 96</p>", { crew: NUMBER })).toEqual({ crew: 96 });
  });
});

describe("years behind a word", () => {
  it("does not read a year behind a word as its value, unless a number is requested", () => {
    const body =
      "<table><tr><th></th><th>Plan 2026</th></tr><tr><th>Quays</th><td>12</td></tr></table>";
    expect(valueOf(body, { plan: NUMBER })).toBeUndefined();
    expect(valueOf("<p>Hall 2011</p>", { hall_number: { type: "integer" } })).toEqual({
      hall_number: 2011,
    });
  });
});
