import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const string = { type: "string" };
const number = { type: "number" };
const date = { type: "string", format: "date" };
const boolean = { type: "boolean" };
const objectOf = (properties: Record<string, unknown>) => ({ type: "object", properties });
const listOf = (name: string, properties: Record<string, unknown>) =>
  objectOf({ [name]: { type: "array", items: objectOf(properties) } });
const page = (lang: string, title: string, main: string): string =>
  `<!doctype html><html lang="${lang}"><head><title>${title}</title></head><body><header><a href="/">Home</a></header><main><h1>${title}</h1>${main}</main></body></html>`;
const valueOf = (html: string, schema: Record<string, unknown>): unknown =>
  draftPage(html, schema).value;
const rowsOf = (html: string, name: string, properties: Record<string, unknown>) => {
  const value = valueOf(html, listOf(name, properties)) as
    | Record<string, readonly Record<string, unknown>[] | undefined>
    | undefined;
  return value?.[name];
};

type Day = readonly [date: string, icon: string, high: string, low: string, more: string];
const forecast = (days: readonly Day[]): string =>
  `<ul class="grid gap-2">${days
    .map(
      ([day, icon, high, low, more]) =>
        `<li class="flex items-center"><h3>${day}</h3><img src="/i/${icon.length}.svg" alt="${icon}"><span>${high}</span><span>${low}</span>${more}</li>`,
    )
    .join("")}</ul>`;
const rain = (share: string): string => `<span>${share}</span>`;
const DAY = {
  date,
  condition: string,
  high: number,
  low: number,
  precipitation_probability: number,
};

describe("forecast days", () => {
  it.each([
    [
      "en",
      "Weather in Leeds",
      "Updated 8 August 2025",
      ["Sat 9 August", "Sun 10 August", "Mon 11 August"],
      ["Light rain", "Sunny", "Cloudy"],
    ],
    [
      "de",
      "Wetter in Köln",
      "Stand: 8. August 2025",
      ["Sa., 9. August", "So., 10. August", "Mo., 11. August"],
      ["Leichter Regen", "Sonnig", "Bewölkt"],
    ],
    [
      "fr",
      "Météo à Lyon",
      "Mis à jour le 8 août 2025",
      ["sam. 9 août", "dim. 10 août", "lun. 11 août"],
      ["Pluie faible", "Ensoleillé", "Nuageux"],
    ],
    [
      "es",
      "El tiempo en Burgos",
      "Actualizado el 8 de agosto de 2025",
      ["sáb 9 de agosto", "dom 10 de agosto", "lun 11 de agosto"],
      ["Lluvia ligera", "Soleado", "Nublado"],
    ],
    [
      "nl",
      "Weer in Utrecht",
      "Bijgewerkt op 8 augustus 2025",
      ["za 9 augustus", "zo 10 augustus", "ma 11 augustus"],
      ["Lichte regen", "Zonnig", "Bewolkt"],
    ],
  ] as const)(
    "have date, weather, high, low and chance of rain without labels: %s",
    (lang, title, updated, days, icons) => {
      const html = page(
        lang,
        title,
        `<p>${updated}</p>${forecast([
          [days[0], icons[0], "24°", "13°", rain("60%")],
          [days[1], icons[1], "27°", "15°", rain("5%")],
          [days[2], icons[2], "22°", "12°", rain("20%")],
        ])}`,
      );
      expect(rowsOf(html, "days", DAY)).toEqual([
        {
          date: "2025-08-09",
          condition: icons[0],
          high: 24,
          low: 13,
          precipitation_probability: 60,
        },
        {
          date: "2025-08-10",
          condition: icons[1],
          high: 27,
          low: 15,
          precipitation_probability: 5,
        },
        {
          date: "2025-08-11",
          condition: icons[2],
          high: 22,
          low: 12,
          precipitation_probability: 20,
        },
      ]);
    },
  );

  const en = (days: readonly Day[], updated = "<p>Updated 8 August 2025</p>") =>
    rowsOf(page("en", "Weather in Leeds", updated + forecast(days)), "days", DAY);

  it("reads the larger temperature as the high when the low comes first", () => {
    const rows = en([
      ["Sat 9 August", "Sunny", "13°", "24°", ""],
      ["Sun 10 August", "Cloudy", "15°", "27°", ""],
      ["Mon 11 August", "Sunny", "12°", "22°", ""],
    ]);
    expect(rows?.map(({ high, low }) => [high, low])).toEqual([
      [24, 13],
      [27, 15],
      [22, 12],
    ]);
  });

  it("reads temperatures below zero", () => {
    const rows = en(
      [
        ["Sat 10 January", "Snow", "-2°", "−9°", ""],
        ["Sun 11 January", "Sunny", "0°", "-11°", ""],
        ["Mon 12 January", "Snow", "1°", "-4°", ""],
      ],
      "<p>Updated 9 January 2026</p>",
    );
    expect(rows?.map(({ date: day, high, low }) => [day, high, low])).toEqual([
      ["2026-01-10", -2, -9],
      ["2026-01-11", 0, -11],
      ["2026-01-12", 1, -4],
    ]);
  });

  it("returns no chance of rain when a day shows two percentages", () => {
    const two = (first: string, second: string) => rain(first) + rain(second);
    const rows = en([
      ["Sat 9 August", "Light rain", "24°", "13°", two("60%", "81%")],
      ["Sun 10 August", "Sunny", "27°", "15°", two("5%", "40%")],
      ["Mon 11 August", "Cloudy", "22°", "12°", two("20%", "55%")],
    ]);
    expect(rows).toHaveLength(3);
    expect(rows?.every((row) => row["precipitation_probability"] === undefined)).toBe(true);
  });

  it("returns no date when the weekday does not fit the year", () => {
    const rows = en([
      ["Tue 9 August", "Light rain", "24°", "13°", ""],
      ["Wed 10 August", "Sunny", "27°", "15°", ""],
      ["Thu 11 August", "Cloudy", "22°", "12°", ""],
    ]);
    expect(rows).toEqual([
      { condition: "Light rain", high: 24, low: 13 },
      { condition: "Sunny", high: 27, low: 15 },
      { condition: "Cloudy", high: 22, low: 12 },
    ]);
  });

  it("returns no date without a weekday when the page shows dates that are far apart", () => {
    const rows = en(
      [
        ["9 August", "Light rain", "24°", "13°", ""],
        ["10 August", "Sunny", "27°", "15°", ""],
        ["11 August", "Cloudy", "22°", "12°", ""],
      ],
      "<p>Station opened 3 May 2011</p><p>Updated 8 August 2025</p>",
    );
    expect(rows).toEqual([
      { condition: "Light rain", high: 24, low: 13 },
      { condition: "Sunny", high: 27, low: 15 },
      { condition: "Cloudy", high: 22, low: 12 },
    ]);
  });
});

describe("forecast hours", () => {
  const ICONS = {
    en: ["Sunny", "Cloudy", "Rain"],
    de: ["Sonnig", "Bewölkt", "Regen"],
    it: ["Soleggiato", "Nuvoloso", "Pioggia"],
  } as const;
  const hoursOf = (lang: keyof typeof ICONS, name: string) => {
    const hours = ICONS[lang].map(
      (icon, at) =>
        `<li class="hour"><time>${14 + at}:00</time><img src="/i/${at}.svg" alt="${icon}"><span>${[19, 21, 18][at]}°</span></li>`,
    );
    const html = page(lang, "Leeds", `<ol class="flex">${hours.join("")}</ol>`);
    return rowsOf(html, "hours", { [name]: string, condition: string, temperature: number });
  };

  it.each(["en", "de", "it"] as const)(
    "have the hour, the weather and the one temperature: %s",
    (lang) => {
      const [first, second, third] = ICONS[lang];
      expect(hoursOf(lang, "hour")).toEqual([
        { hour: "14:00", condition: first, temperature: 19 },
        { hour: "15:00", condition: second, temperature: 21 },
        { hour: "16:00", condition: third, temperature: 18 },
      ]);
    },
  );

  it("returns the hour of a forecast for a property named time", () => {
    expect(hoursOf("en", "time")?.map((row) => row["time"])).toEqual(["14:00", "15:00", "16:00"]);
  });
});

describe("the current temperature", () => {
  const schema = objectOf({ temperature: number });
  const OUTLOOK =
    "<h2>Outlook</h2><p>Dry and mild weather over the whole of the county until the weekend.</p><ul><li>Sat 24° 13°</li><li>Sun 22° 11°</li></ul>";

  it.each([
    ["en", "Leeds", "Feels like 16°"],
    ["de", "Köln", "Gefühlt 16°"],
    ["fr", "Lyon", "Ressenti 16°"],
    ["nl", "Utrecht", "Gevoelstemperatuur 16°"],
  ])("reads the temperature beside the heading, not the felt one: %s", (lang, title, feels) => {
    const now = `<div class="now"><span>19°</span><p>${feels}</p></div>`;
    expect(valueOf(page(lang, title, now + OUTLOOK), schema)).toEqual({ temperature: 19 });
  });

  it("does not return the felt temperature when no other is beside the heading", () => {
    const html = page("en", "Leeds", `<div class="now"><p>Feels like 16°</p></div>${OUTLOOK}`);
    expect(valueOf(html, schema)).toBeUndefined();
  });

  it.fails("reads the temperature from a span in the same block as the heading", () => {
    const html = `<!doctype html><html lang="en"><body><main><div><h1>Leeds</h1><span>19°</span></div><p>Feels like 16°</p>${OUTLOOK}</main></body></html>`;
    expect(valueOf(html, schema)).toEqual({ temperature: 19 });
  });

  it.fails("reads the temperature from a short page with a link to the home page", () => {
    const html = page("en", "Leeds", "<p>19°</p><p>Sunny</p><p>Feels like 16°</p>");
    expect(valueOf(html, schema)).toEqual({ temperature: 19 });
  });
});

describe("events with date, times and venue in one line", () => {
  const EVENT = {
    name: string,
    start_time: string,
    end_time: string,
    venue: string,
    sold_out: boolean,
  };
  const events = (lang: string, title: string, lines: readonly string[], badge: string): string =>
    page(
      lang,
      title,
      `<div class="list">${lines
        .map(
          (line, at) =>
            `<article class="card"><h3><a href="/e/${at}">${["Nora Vale", "The Tin Boats", "Iris Quartet"][at]}</a></h3>${at === 1 ? `<span class="badge">${badge}</span>` : ""}<p>${line}</p></article>`,
        )
        .join("")}</div>`,
    );
  const pick = (html: string, ...names: readonly (keyof typeof EVENT)[]) =>
    rowsOf(html, "events", EVENT)?.map((row) => names.map((name) => row[name]));
  const nl = events(
    "nl",
    "Agenda",
    [
      "Sat 12 June 2026 · 20:00 – 21:30 uur · The Garage",
      "Sun 13 June 2026 · 19:30 – 22:00 uur · Grand Hall",
      "Fri 19 June 2026 · 21:00 – 23:15 uur · The Cellar",
    ],
    "Sold out",
  );
  const de = events(
    "de",
    "Programm",
    [
      "Fr., 12. Juni 2026 · 20:00 – 21:30 Uhr · Kulturfabrik",
      "Sa., 13. Juni 2026 · 19:30 – 22:00 Uhr · Alte Mühle",
      "Fr., 19. Juni 2026 · 21:00 – 23:15 Uhr · Kellerbühne",
    ],
    "Ausverkauft",
  );

  it("reads the start and end time of an event from its line", () => {
    const times = (html: string) =>
      pick(html, "start_time", "end_time")?.map((pair) =>
        pair.map((time) => /\d\d:\d\d/.exec(String(time))?.[0]),
      );
    const expected = [
      ["20:00", "21:30"],
      ["19:30", "22:00"],
      ["21:00", "23:15"],
    ];
    expect(times(nl)).toEqual(expected);
    expect(times(de)).toEqual(expected);
  });

  it("reads the place in an event's line as its venue", () => {
    expect(pick(nl, "name", "venue")).toEqual([
      ["Nora Vale", "The Garage"],
      ["The Tin Boats", "Grand Hall"],
      ["Iris Quartet", "The Cellar"],
    ]);
    expect(pick(de, "venue")).toEqual([["Kulturfabrik"], ["Alte Mühle"], ["Kellerbühne"]]);
  });

  it("reads an event as sold out when a badge says so", () => {
    expect(pick(nl, "sold_out")?.[1]).toEqual([true]);
    expect(pick(de, "sold_out")?.[1]).toEqual([true]);
  });

  it.fails('reads an event as sold out when a French badge says "Complet"', () => {
    const fr = events(
      "fr",
      "Agenda",
      [
        "ven. 12 juin 2026 · 20h00 – 21h30 · La Grange",
        "sam. 13 juin 2026 · 19h30 – 22h00 · Salle Nord",
        "ven. 19 juin 2026 · 21h00 – 23h15 · La Cave",
      ],
      "Complet",
    );
    expect(pick(fr, "sold_out")?.[1]).toEqual([true]);
  });

  it("does not read an event as sold out when another event has the badge", () => {
    expect(pick(nl, "sold_out")?.[0]).not.toEqual([true]);
    expect(pick(nl, "sold_out")?.[2]).not.toEqual([true]);
  });
});

describe("quarterly reports", () => {
  const table =
    '<table><thead><tr><th rowspan="2">In millions</th><th colspan="2">Three months ended September 30,</th><th colspan="2">Nine months ended September 30,</th></tr><tr><th>2025</th><th>2024</th><th>2025</th><th>2024</th></tr></thead><tbody><tr><th>Revenue</th><td>412</td><td>380</td><td>1,190</td><td>1,102</td></tr><tr><th>Operating expenses</th><td>301</td><td>290</td><td>880</td><td>845</td></tr><tr><th>Net income</th><td>88</td><td>(6)</td><td>240</td><td>191</td></tr></tbody></table>';
  const schema = objectOf({ revenue: number, revenue_prior_year: number, net_income: number });
  const report = (title: string) => page("en", title, table);

  it("returns the three months of the quarter that the title names", () => {
    expect(valueOf(report("Arden reports third quarter 2025 results"), schema)).toEqual({
      revenue: 412,
      revenue_prior_year: 380,
      net_income: 88,
    });
  });

  it("returns the nine months when the title names them", () => {
    expect(valueOf(report("Arden reports results of the first nine months 2025"), schema)).toEqual({
      revenue: 1190,
      revenue_prior_year: 1102,
      net_income: 240,
    });
  });

  it("returns nothing when the three months end in another quarter than the title names", () => {
    expect(valueOf(report("Arden reports second quarter 2025 results"), schema)).toBeUndefined();
  });

  it("returns nothing when the title names no period", () => {
    expect(valueOf(report("Arden investor relations"), schema)).toBeUndefined();
  });

  const segments = (title: string) =>
    page(
      "en",
      title,
      "<h2>Segment revenue</h2><table><thead><tr><th>Segment</th><th>Q3 2025</th><th>Q3 2024</th></tr></thead><tbody><tr><td>Devices</td><td>210</td><td>195</td></tr><tr><td>Services</td><td>142</td><td>130</td></tr><tr><td>Licensing</td><td>60</td><td>55</td></tr></tbody></table>",
    );

  it("lists the segments with the revenue of the reported quarter", () => {
    const html = segments("Arden reports third quarter 2025 results");
    expect(rowsOf(html, "segments", { name: string, revenue: number })).toEqual([
      { name: "Devices", revenue: 210 },
      { name: "Services", revenue: 142 },
      { name: "Licensing", revenue: 60 },
    ]);
  });

  it("returns no revenue when the title names no quarter", () => {
    const html = segments("Arden investor relations");
    expect(rowsOf(html, "segments", { name: string, revenue: number })).toEqual([
      { name: "Devices" },
      { name: "Services" },
      { name: "Licensing" },
    ]);
  });

  it("returns no revenue of another quarter than the title names", () => {
    const html = segments("Arden reports second quarter 2025 results");
    const rows = rowsOf(html, "segments", { name: string, revenue: number });
    expect((rows ?? []).filter((row) => row["revenue"] !== undefined)).toEqual([]);
  });
});

describe("tables of two periods on one page", () => {
  const table = (head: string, now: string, before: string, rows: string) =>
    `<h2>${head}</h2><table><tr><th>£m</th><th>${now}</th><th>${before}</th></tr>${rows}</table>`;
  const html = page(
    "en",
    "Half-year results 2025",
    table(
      "Six months",
      "H1 2025",
      "H1 2024",
      "<tr><th>Revenue</th><td>612.3</td><td>575.4</td></tr>",
    ) +
      table(
        "Second quarter",
        "Q2 2025",
        "Q2 2024",
        "<tr><th>Revenue</th><td>315.8</td><td>291.6</td></tr>",
      ),
  );

  it("returns the period of the length that the title names", () => {
    const schema = objectOf({ revenue: number, revenue_prior_year: number });
    expect(valueOf(html, schema)).toEqual({ revenue: 612.3, revenue_prior_year: 575.4 });
  });
});

describe("columns named by alternatives", () => {
  const html = (head: string) =>
    page(
      "en",
      "Council election",
      `<h2>Results</h2><table><tr><th>${head}</th><th>Votes</th></tr><tr><td>Green List</td><td>4,381</td></tr><tr><td>Harbour Party</td><td>3,277</td></tr></table>`,
    );

  it("matches a column to the property that all its alternatives mean, and to none when they differ", () => {
    const partiesOf = (head: string) =>
      rowsOf(html(head), "results", { party: string, votes: number })?.map((row) => row["party"]);
    expect(partiesOf("Party / Political party")).toEqual(["Green List", "Harbour Party"]);
    expect(partiesOf("Party / Ward")).toEqual([undefined, undefined]);
  });
});

describe("titles of publications", () => {
  const titlesOf = (link: (doi: string) => string) => {
    const items = ["10.5555/abc.1", "10.5555/abc.2", "10.5555/abc.3"].map(
      (doi, at) => `<li>${link(doi)}<p>Vale N., Reed T. Journal of Tides ${at + 11}, 2025</p></li>`,
    );
    const html = page("en", "Publications", `<ul>${items.join("")}</ul>`);
    const rows = rowsOf(html, "publications", { title: string, doi: string }) ?? [];
    return rows.map((row) => row["title"]).filter((title) => title !== undefined);
  };

  it("reads the title of a publication from a link with words to a DOI", () => {
    const link = (doi: string) =>
      `<h3><a href="https://doi.org/${doi}">Tides ${doi.at(-1)}</a></h3>`;
    expect(titlesOf(link)).toEqual(["Tides 1", "Tides 2", "Tides 3"]);
  });

  it("reads no title from a DOI link whose text is its URL", () => {
    const url = (doi: string) => `https://doi.org/${doi}`;
    expect(titlesOf((doi) => `<h3><a href="${url(doi)}">${url(doi)}</a></h3>`)).toEqual([]);
    expect(titlesOf((doi) => `<a href="${url(doi)}">${url(doi)}</a>`)).toEqual([]);
  });

  it("reads no title from a DOI link whose text is the bare DOI", () => {
    expect(titlesOf((doi) => `<a href="https://dx.doi.org/${doi}">${doi}</a>`)).toEqual([]);
  });
});
