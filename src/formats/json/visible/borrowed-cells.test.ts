import { describe, expect, it } from "vitest";
import {
  DATE,
  INTEGER,
  NUMBER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const PLAYERS = { player: STRING, team: STRING, goals: INTEGER };

describe("one cell of a table", () => {
  it("does not fill the player and the team of a list of players", () => {
    const table = tableOf(
      ["#", "Team", "Played", "Goals", "Points"],
      ["1", "Harbour Rovers", "12", "31", "28"],
      ["2", "Mill United", "12", "24", "25"],
      ["3", "Quay Athletic", "11", "19", "21"],
    );
    const rows = readRows(pageOf("en", `<h1>Standings</h1>${table}`), "players", PLAYERS);
    expect(rows.filter(({ player }) => player !== undefined)).toEqual([]);
  });

  it.fails("makes no list of players from a table of teams", () => {
    const table = tableOf(
      ["#", "Team", "Played", "Goals", "Points"],
      ["1", "Harbour Rovers", "12", "31", "28"],
      ["2", "Mill United", "12", "24", "25"],
      ["3", "Quay Athletic", "11", "19", "21"],
    );
    expect(readRows(pageOf("en", `<h1>Standings</h1>${table}`), "players", PLAYERS)).toEqual([]);
  });

  it("does not fill the player and the team when the team is linked", () => {
    const table = tableOf(
      ["Team", "Goals"],
      [`<a href="/t/1">Harbour Rovers</a>`, "31"],
      [`<a href="/t/2">Mill United</a>`, "24"],
      [`<a href="/t/3">Quay Athletic</a>`, "19"],
    );
    expect(readRows(pageOf("en", `<h1>Standings</h1>${table}`), "players", PLAYERS)).toEqual([]);
  });

  it("is read for the teams of the same table", () => {
    const table = tableOf(
      ["Team", "Goals"],
      ["Harbour Rovers", "31"],
      ["Mill United", "24"],
      ["Quay Athletic", "19"],
    );
    const html = pageOf("en", `<h1>Standings</h1>${table}`);
    expect(readRows(html, "teams", { team: STRING, goals: INTEGER })).toEqual([
      { team: "Harbour Rovers", goals: 31 },
      { team: "Mill United", goals: 24 },
      { team: "Quay Athletic", goals: 19 },
    ]);
  });

  it("is read for players when the page also has a table of teams", () => {
    const players = tableOf(
      ["Player", "Team", "Goals"],
      ["Ida Falk", "Harbour Rovers", "9"],
      ["Jon Marlow", "Mill United", "7"],
      ["Petra Holm", "Harbour Rovers", "6"],
    );
    const teams = tableOf(
      ["Team", "Goals"],
      ["Harbour Rovers", "31"],
      ["Mill United", "24"],
      ["Quay Athletic", "19"],
    );
    const html = pageOf(
      "en",
      `<h1>Season</h1><h2>Standings</h2>${teams}<h2>Top scorers</h2>${players}`,
    );
    expect(readRows(html, "players", PLAYERS)).toEqual([
      { player: "Ida Falk", team: "Harbour Rovers", goals: 9 },
      { player: "Jon Marlow", team: "Mill United", goals: 7 },
      { player: "Petra Holm", team: "Harbour Rovers", goals: 6 },
    ]);
  });

  const SNOW = {
    resort: STRING,
    altitude_m: INTEGER,
    snow_bottom_cm: INTEGER,
    snow_top_cm: INTEGER,
  };
  const isDepth = (value: unknown): boolean => typeof value === "number" && value > 1000;

  it.each([["1 500 m"], ["1\u00a0500\u00a0m"], ["1500 m"], ["1,500 m"]])(
    "does not give the altitude %s as a depth of snow",
    (altitude) => {
      const table = tableOf(
        ["Resort", "Altitude", "Snow"],
        ["Fjell", altitude, "40 cm"],
        ["Vik", altitude.replace("5", "2"), "25 cm"],
        ["Skar", altitude.replace("5", "8"), "60 cm"],
      );
      const rows = readRows(pageOf("en", `<h1>Snow report</h1>${table}`), "resorts", SNOW);
      expect(rows.filter((row) => isDepth(row.snow_bottom_cm) || isDepth(row.snow_top_cm))).toEqual(
        [],
      );
      expect(rows.map((row) => row.altitude_m)).toEqual([1500, 1200, 1800]);
    },
  );

  it("does not give an altitude as a depth of snow when the page has one place", () => {
    const table = tableOf(["Altitude", "Snow"], ["1 500 m", "40 cm"], ["2 300 m", "110 cm"]);
    const rows = readRows(pageOf("en", `<h1>Snow report</h1>${table}`), "snow", {
      altitude_m: INTEGER,
      snow_bottom_cm: INTEGER,
      snow_top_cm: INTEGER,
    });
    expect(rows.filter((row) => isDepth(row.snow_bottom_cm) || isDepth(row.snow_top_cm))).toEqual(
      [],
    );
  });

  it.fails.each([
    ["a range", "40–110 cm"],
    ["two numbers", "40/110 cm"],
    ["a dash", "–"],
    ["nothing", ""],
  ])("does not give an altitude as a depth of snow when the snow is %s", (_, snow) => {
    const table = tableOf(
      ["Resort", "Altitude", "Snow"],
      ["Fjell", "1 500 m", snow],
      ["Vik", "1 200 m", snow.replace("40", "25")],
      ["Skar", "1 800 m", snow.replace("40", "60")],
    );
    const rows = readRows(pageOf("en", `<h1>Snow report</h1>${table}`), "resorts", SNOW);
    expect(rows.filter((row) => isDepth(row.snow_bottom_cm) || isDepth(row.snow_top_cm))).toEqual(
      [],
    );
  });

  it.fails("does not give the upper depth of a range as the lower one", () => {
    const table = tableOf(
      ["Resort", "Altitude (m)", "Snow (cm)"],
      ["Fjell", "1500", "40 – 110"],
      ["Vik", "1200", "25 – 70"],
      ["Skar", "1800", "60 – 140"],
    );
    const rows = readRows(pageOf("en", `<h1>Snow report</h1>${table}`), "resorts", SNOW);
    expect(rows.map((row) => row.snow_bottom_cm ?? null)).not.toEqual([110, 70, 140]);
  });

  it("gives the depths of snow below labels of their own", () => {
    const table = tableOf(
      ["Resort", "Altitude", "Snow bottom", "Snow top"],
      ["Fjell", "1 500 m", "40 cm", "110 cm"],
      ["Vik", "1 200 m", "25 cm", "70 cm"],
      ["Skar", "1 800 m", "60 cm", "140 cm"],
    );
    const rows = readRows(pageOf("en", `<h1>Snow report</h1>${table}`), "resorts", SNOW);
    expect(rows[1]).toEqual({
      resort: "Vik",
      altitude_m: 1200,
      snow_bottom_cm: 25,
      snow_top_cm: 70,
    });
  });

  it("does not fill both dates of a record with its only date", () => {
    const table = tableOf(
      ["Course", "Start date"],
      ["Bread", "2026-12-05"],
      ["Pastry", "2026-12-12"],
      ["Cakes", "2026-12-19"],
    );
    const rows = readRows(pageOf("en", `<h1>Courses</h1>${table}`), "courses", {
      title: STRING,
      start_date: DATE,
      registration_deadline: DATE,
    });
    expect(rows.map((row) => row.registration_deadline).filter(Boolean)).toEqual([]);
  });
});

describe("a list with few of the asked properties", () => {
  const COURSES = {
    title: STRING,
    date: DATE,
    teacher: STRING,
    price: NUMBER,
    level: STRING,
    places: INTEGER,
  };
  const DAYS = [
    ["Doors open for families", "5 December 2026"],
    ["Tour of the workshops", "6 December 2026"],
    ["Talks with former students", "12 December 2026"],
    ["Evening for companies", "13 December 2026"],
  ];
  const cards = (rows: readonly (readonly string[])[]): string =>
    `<ul class="grid gap-6">${rows.map(([title, date]) => `<li class="card"><h3><a href="/x">${title}</a></h3><p>${date}</p></li>`).join("")}</ul>`;

  const FEW = { title: STRING, teacher: STRING, level: STRING, places: INTEGER };
  const HEADINGS = [["Open days"], ["News"], ["Visits"]];

  it.each(HEADINGS)(
    "is not accepted as courses with a title only below the heading %s",
    (heading) => {
      const html = pageOf("en", `<h1>School of crafts</h1><h2>${heading}</h2>${cards(DAYS)}`);
      expect(readRows(html, "courses", FEW)).toEqual([]);
    },
  );

  it.fails.each(HEADINGS)("is not accepted as courses below the heading %s", (heading) => {
    const html = pageOf("en", `<h1>School of crafts</h1><h2>${heading}</h2>${cards(DAYS)}`);
    expect(readRows(html, "courses", COURSES)).toEqual([]);
  });

  const priced = (heading: string): string =>
    pageOf(
      "en",
      `${heading}<ul class="grid">${DAYS.map(([title], at) => `<li class="card"><h3><a href="/x">${title}</a></h3><p>€2${at}.00</p></li>`).join("")}</ul>`,
    );
  const MANY = { ...FEW, price: NUMBER, room: STRING, credits: NUMBER, language: STRING };

  it("is not accepted as courses with two of eight properties below a short second heading", () => {
    const html = priced("<h1>School of crafts</h1><h2>Open days</h2>");
    expect(readRows(html, "courses", MANY)).toEqual([]);
  });

  it.fails("is not accepted as courses with two of eight properties below a short title", () => {
    expect(readRows(priced("<h1>Open days</h1>"), "courses", MANY)).toEqual([]);
  });

  const BREAD = [
    ["Bread for beginners", "5 December 2026"],
    ["Sourdough in three days", "6 December 2026"],
    ["Pastry and puff", "12 December 2026"],
    ["Cakes without flour", "13 December 2026"],
  ];
  const titlesOf = (html: string): unknown =>
    readRows(html, "courses", COURSES).map(({ title }) => title);

  it("is accepted below a slogan when it is the main list of the page", () => {
    const html = pageOf(
      "en",
      `<h1>Learn to bake with the masters of the old mill this winter</h1>${cards(BREAD)}`,
    );
    expect(titlesOf(html)).toEqual(BREAD.map(([title]) => title));
  });

  it("is accepted below a heading with the asked name", () => {
    const html = pageOf("en", `<h1>School of crafts</h1><h2>Our courses</h2>${cards(BREAD)}`);
    expect(titlesOf(html)).toEqual(BREAD.map(([title]) => title));
  });

  it("is not taken from the open days when the courses are below their own heading", () => {
    const html = pageOf(
      "en",
      `<h1>School of crafts</h1><h2>Open days</h2>${cards(DAYS)}<h2>Courses</h2>${cards(BREAD)}`,
    );
    expect(titlesOf(html)).toEqual(BREAD.map(([title]) => title));
  });
});
