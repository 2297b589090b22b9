import { describe, expect, it } from "vitest";
import {
  BOOLEAN,
  CLOCK,
  NUMBER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const SESSION = {
  title: STRING,
  performer: STRING,
  start_time: CLOCK,
  room: STRING,
  price: NUMBER,
  is_free: BOOLEAN,
};
const lines = (title: string, below: string): string => `<strong>${title}</strong><br>${below}`;
const program = (lang: string, heads: readonly string[], free: string): readonly object[] =>
  readRows(
    pageOf(
      lang,
      `<h1>Program</h1>${tableOf(
        heads,
        ["10:00–11:00", lines("Tales of the old mill", "Ada Whit and the Gulls"), "Loft", "8 €"],
        ["11:00–12:00", lines("Songs for rainy days", "Bo Tran"), "Yard", free],
        ["12:00–13:00", lines("Knots for sailors", "with coffee"), "Yard", "12 €"],
        ["13:00–14:00", "<strong>Harbor walk</strong>", "Quay", free],
      )}`,
    ),
    "sessions",
    SESSION,
  );
const expected = [
  {
    title: "Tales of the old mill",
    performer: "Ada Whit and the Gulls",
    start_time: "10:00",
    room: "Loft",
    price: 8,
  },
  {
    title: "Songs for rainy days",
    performer: "Bo Tran",
    start_time: "11:00",
    room: "Yard",
    price: 0,
    is_free: true,
  },
  { title: "Knots for sailors", start_time: "12:00", room: "Yard", price: 12 },
  { title: "Harbor walk", start_time: "13:00", room: "Quay", price: 0, is_free: true },
];

describe("program tables with the title over the performer in one cell", () => {
  it.each([
    ["en", ["Time", "Title", "Room", "Admission"], "Free"],
    ["en", ["Time", "", "Room", "Price"], "Free"],
    ["it", ["Ora", "Titolo", "Sala", "Ingresso"], "Ingresso libero"],
    ["cs", ["Čas", "Program", "Místnost", "Vstupné"], "zdarma"],
  ])("give both, the price and what is free (%s, %s)", (lang, heads, free) => {
    expect(program(lang, heads, free)).toEqual(expected);
  });

  it("give no performer in German, which writes all nouns with a capital", () => {
    const performers = program("de", ["Zeit", "Titel", "Raum", "Eintritt"], "frei") as {
      performer?: string;
    }[];
    expect(performers.map(({ performer }) => performer)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });
});

describe("cells with more than a title and a performer", () => {
  it("keep a note out of the title, and the title of what is cancelled", () => {
    const html = pageOf(
      "nl",
      `<h1>Programma</h1>${tableOf(
        ["Tijd", "", "Zaal"],
        [
          "10:00",
          "<b>Verhalen van de molen</b> (vanaf 6 jaar)<br>Ada Whit en de Meeuwen",
          "Zolder",
        ],
        ["11:00", "<s><b>Liedjes voor regen</b><br>Bo Tran</s><br>GEANNULEERD", "Tuin"],
        ["12:00", "<b>Knopen voor schippers</b><br>Cor Ruijs", "Tuin"],
      )}`,
    );
    const properties = { title: STRING, performer: STRING, start_time: CLOCK, cancelled: BOOLEAN };
    expect(readRows(html, "sessions", properties)).toEqual([
      { title: "Verhalen van de molen", performer: "Ada Whit en de Meeuwen", start_time: "10:00" },
      { title: "Liedjes voor regen", start_time: "11:00", cancelled: true },
      { title: "Knopen voor schippers", performer: "Cor Ruijs", start_time: "12:00" },
    ]);
  });
});

describe("forms in tables", () => {
  it("have no titles, though their cells start with a bold line", () => {
    const cell = (value: string, caption: string): string => lines(value, caption);
    const html = pageOf(
      "en",
      `<h1>Register</h1>${tableOf(
        ["Register", "Seat"],
        [cell("Orn", "(State)"), cell("14-221", "(File number)")],
        [cell("Gull Street 4", "(Street)"), cell("Harbor", "(Town)")],
        [cell("No", "(Listed)"), cell("Yes", "(Active)")],
      )}`,
    );
    expect(readRows(html, "companies", { name: STRING, file_number: STRING })).toEqual([]);
  });
});
