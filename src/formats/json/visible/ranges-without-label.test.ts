import { describe, expect, it } from "vitest";
import {
  DATE,
  pageOf,
  readObject,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const RANGE = { start_date: DATE, end_date: DATE };
const datesOf = (lang: string, body: string) => {
  const { start_date, end_date } = readObject(pageOf(lang, body), { title: STRING, ...RANGE });
  return [start_date, end_date];
};
const below = (text: string): string =>
  `<article><h1 class="text-3xl font-bold">Tides</h1><p class="mt-1 text-gray-600">${text}</p><p>Pictures of the sea from four centuries in six rooms of the old custom house.</p></article>`;
const NONE = [undefined, undefined];

describe("ranges of dates without a label", () => {
  it.each([
    ["en", "7 March – 19 July 2026"],
    ["en", "March 7 – July 19, 2026"],
    ["fr", "Du 7 mars au 19 juillet 2026"],
    ["de", "7. März bis 19. Juli 2026"],
    ["de", "7.3.–19.7.2026"],
    ["es", "Del 7 de marzo al 19 de julio de 2026"],
    ["it", "Dal 7 marzo al 19 luglio 2026"],
    ["nl", "7 maart t/m 19 juli 2026"],
    ["pl", "7 marca – 19 lipca 2026"],
  ])("are read below the heading (%s: %s)", (lang, text) => {
    expect(datesOf(lang, below(text))).toEqual(["2026-03-07", "2026-07-19"]);
  });

  it("are read when the year changes or the month is named once", () => {
    expect(datesOf("en", below("12 December 2026 – 3 January 2027"))).toEqual([
      "2026-12-12",
      "2027-01-03",
    ]);
    expect(datesOf("en", below("12–14 June 2026"))).toEqual(["2026-06-12", "2026-06-14"]);
  });

  it("are read in records", () => {
    const card = (title: string, text: string): string =>
      `<li class="card"><h2>${title}</h2><p>${text}</p></li>`;
    const html = pageOf(
      "fr",
      `<h1>Expositions</h1><ul>${card("Marées", "Du 7 mars au 19 juillet 2026")}${card("Voiles", "Du 1er août au 4 octobre 2026")}</ul>`,
    );
    expect(readRows(html, "exhibitions", { title: STRING, ...RANGE })).toEqual([
      { title: "Marées", start_date: "2026-03-07", end_date: "2026-07-19" },
      { title: "Voiles", start_date: "2026-08-01", end_date: "2026-10-04" },
    ]);
  });

  it.each([
    ["en", "Registration: 7 March – 19 July 2026"],
    ["en", "Register between 7 March and 19 July 2026"],
    ["en", "Early bird: 7 March – 19 July 2026"],
    ["en", "Offer valid 7 March – 19 July 2026"],
    ["en", "Closed for holidays 7 March – 19 July 2026"],
    ["en", "Submissions open 7 March – 19 July 2026"],
    ["de", "Anmeldung: 7. März bis 19. Juli 2026"],
    ["de", "Betriebsferien 7. März bis 19. Juli 2026"],
    ["fr", "Inscriptions du 7 mars au 19 juillet 2026"],
    ["es", "Inscripción del 7 de marzo al 19 de julio de 2026"],
  ])("are not read from other periods (%s: %s)", (lang, text) => {
    expect(datesOf(lang, below(text))).toEqual(NONE);
  });

  it.each([
    ["fr", "Fermeture annuelle du 7 mars au 19 juillet 2026"],
    ["nl", "Inschrijven kan van 7 maart t/m 19 juli 2026"],
    ["en", "<strong>Registration</strong> <span>7 March – 19 July 2026</span>"],
  ])("are not read from another period (%s: %s)", (lang, text) => {
    expect(datesOf(lang, below(text))).toEqual(NONE);
  });

  it("are not read below a heading of another period", () => {
    const body = "<h1>Tides</h1><h2>Registration</h2><p>7 March – 19 July 2026</p>";
    expect(datesOf("en", body)).toEqual(NONE);
  });

  it("are not read when two ranges differ", () => {
    expect(datesOf("en", below("7 March – 19 July 2026</p><p>1 August – 4 October 2026"))).toEqual(
      NONE,
    );
    const card = (title: string): string =>
      `<li><h2>${title}</h2><p>7 March – 19 July 2026</p><p>1 August – 4 October 2026</p></li>`;
    const html = pageOf("en", `<h1>Shows</h1><ul>${card("Tides")}${card("Sails")}</ul>`);
    for (const row of readRows(html, "shows", { title: STRING, ...RANGE }))
      expect([row.start_date, row.end_date]).toEqual(NONE);
  });

  it("are not read without a year", () => {
    expect(datesOf("en", below("7 March – 19 July"))).toEqual(NONE);
  });

  it("are not read from the footer", () => {
    const footer = "<p>1 August – 4 October 2026</p>";
    expect(
      readObject(pageOf("en", "<h1>Tides</h1><p>Pictures of the sea.</p>", footer), RANGE),
    ).toEqual({});
  });

  it("are not read from the linked card of another event", () => {
    const other =
      '<aside><h2>Next</h2><a href="/sails"><h3>Sails</h3><p>1 August – 4 October 2026</p></a></aside>';
    const body = `<article><h1>Tides</h1><p>Pictures of the sea.</p></article>${other}`;
    expect(datesOf("en", body)).toEqual(NONE);
  });
});

describe("dates without a year below a heading with month and year", () => {
  const eventsOf = (lang: string, heading: string, first: string, second: string): unknown[] =>
    readRows(
      pageOf(
        lang,
        `<h1>${heading}</h1><ul class="space-y-4">${[first, second].map((day, at) => `<li><span class="font-mono">${day}</span><h3>${["Knopen", "Zeilen"][at] ?? ""}</h3></li>`).join("")}</ul>`,
      ),
      "events",
      { title: STRING, date: DATE },
    ).map(({ date }) => date);

  it.each([
    ["nl", "Agenda maart 2026", "za 7 maart", "do 19 maart"],
    ["de", "Termine im März 2026", "Sa, 7. März", "Do, 19. März"],
    ["fr", "Agenda mars 2026", "samedi 7 mars", "jeudi 19 mars"],
    ["en", "What's on in March 2026", "Sat 7 March", "Thu 19 March"],
  ])("have the year of the heading (%s: %s)", (lang, heading, first, second) => {
    expect(eventsOf(lang, heading, first, second)).toEqual(["2026-03-07", "2026-03-19"]);
  });

  it.each([
    ["en", "Events", "7 March", "19 March"],
    ["en", "Sailing since 1998", "7 March", "19 March"],
    ["nl", "Agenda van de club, opgericht in 1998", "7 maart", "19 maart"],
    ["en", "Season 2025/26", "7 March", "19 March"],
    ["en", "Review of March 2026", "Sun 7 March", "Fri 19 March"],
  ])(
    "have no date when the heading does not give their year (%s: %s)",
    (lang, heading, first, second) => {
      const dates = eventsOf(lang, heading, first, second);
      expect(dates).toEqual(dates.map(() => undefined));
    },
  );
});
