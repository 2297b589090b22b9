import { describe, expect, it } from "vitest";
import {
  DATE,
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

describe("rows", () => {
  it("may have a name that means total in another language", () => {
    const table = tableOf(
      ["Course", "Level", "Fee"],
      ["Ensemble", "Advanced", "€80"],
      ["Piano", "Beginners", "€95"],
      ["Violin", "Beginners", "€95"],
    );
    const html = pageOf("en", `<h1>Music school</h1>${table}`);
    expect(
      readRows(html, "courses", { course: STRING, level: STRING, fee: NUMBER }).map(
        ({ course }) => course,
      ),
    ).toEqual(["Ensemble", "Piano", "Violin"]);
  });
});

describe("values in signs with a spoken label", () => {
  it.each([
    ["price_range", "Price range", "€€"],
    ["country", "Country", "🇩🇰"],
    ["spice_level", "Spice level", "●●○"],
    ["customer_rating", "Customer rating", "⭐⭐⭐⭐"],
  ])("are read (%s)", (property, label, value) => {
    const html = pageOf(
      "en",
      `<h1>Noodle house</h1><p>By the pier</p><div class="facts"><span aria-label="${label}">${value}</span></div>`,
    );
    expect(readObject(html, { [property]: STRING })).toEqual({ [property]: value });
  });

  it("leave an icon to be the label of the text behind it", () => {
    const html = pageOf(
      "en",
      `<h1>Alder</h1><p><span aria-label="Sunrise">☀↑</span> 06:12</p><p>Clear</p>`,
    );
    expect(readObject(html, { sunrise: STRING })).toEqual({ sunrise: "06:12" });
  });
});

describe("starts of events", () => {
  const events = (line: string): unknown[] =>
    readRows(
      pageOf(
        "en",
        `<h1>Tonight</h1><ul>${["Orn", "Tern", "Gull"]
          .map(
            (name, at) =>
              `<li class="event"><h3>${name} Quartet</h3><time datetime="2026-03-07T${19 + at}:30">${line}</time><p>Harbor Hall</p></li>`,
          )
          .join("")}</ul>`,
      ),
      "events",
      { name: STRING, start_date: DATE },
    ).map((row) => row.start_date);

  it("are read from a time that is shown with today's name", () => {
    expect(events("Today, at the pier").filter((each) => each !== undefined)).toHaveLength(3);
  });

  it.each(["Today", "Yesterday", "2 days ago"])("are not the time of a posting (%s)", (line) => {
    expect(events(line).filter((each) => each !== undefined)).toEqual([]);
  });
});

describe("names of a page", () => {
  it.each(["History", "Notes", "Release"])("may be words that sites use too (%s)", (title) => {
    const html = pageOf("en", `<h1>${title}</h1><dl><dt>Credits</dt><dd>6</dd></dl>`);
    expect(readObject(html, { name: STRING, credits: NUMBER })).toEqual({
      name: title,
      credits: 6,
    });
  });
});

describe("weights", () => {
  it("are not that of the parcel", () => {
    const html = pageOf(
      "en",
      `<h1>Oak stool</h1><dl><dt>Shipping weight</dt><dd>5.5 kg</dd><dt>Material</dt><dd>Oak</dd></dl>`,
    );
    expect(readObject(html, { weight_kg: NUMBER, material: STRING })).toEqual({ material: "Oak" });
  });

  it("are found by the name of the parcel's weight when it is asked for", () => {
    const html = pageOf(
      "en",
      `<h1>Oak stool</h1><dl><dt>Shipping weight</dt><dd>5.5 kg</dd><dt>Weight</dt><dd>4.8 kg</dd></dl>`,
    );
    expect(readObject(html, { shipping_weight_kg: NUMBER, weight_kg: NUMBER })).toEqual({
      shipping_weight_kg: 5.5,
      weight_kg: 4.8,
    });
  });
});
