import { describe, expect, it } from "vitest";
import {
  CLOCK,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const EVENTS = { title: STRING, start_time: CLOCK, end_time: CLOCK };
const eventsOf = (...times: readonly string[]): string => {
  const titles = ["Night of choirs", "Harbour films", "Late tour"];
  return pageOf(
    "en",
    `<h1>Programme</h1>${tableOf(["Event", "Time"], ...times.map((time, at) => [titles[at] ?? "", time]))}`,
  );
};
const timesOf = (html: string): unknown =>
  readRows(html, "events", EVENTS).map((row) => [row.start_time, row.end_time]);

describe("corrected times of a table", () => {
  it.each([
    ["s", "<s>21:00</s> 21:30 – 23:00"],
    ["del", "<del>21:00</del> <ins>21:30</ins> – 23:00"],
    ["a class", `<span class="line-through">21:00</span> <span>21:30 – 23:00</span>`],
    ["a style", `<span style="text-decoration: line-through">21:00</span> 21:30–23:00`],
  ])("give the new start and the end when %s crosses the old one out", (_, time) => {
    expect(timesOf(eventsOf("18:00 – 19:30", time, "22:00 – 23:30"))).toEqual([
      ["18:00", "19:30"],
      ["21:30", "23:00"],
      ["22:00", "23:30"],
    ]);
  });

  it("give the new end when the old end is crossed out", () => {
    expect(
      timesOf(eventsOf("18:00 – 19:30", "21:00 – <s>22:30</s> 23:00", "22:00 – 23:30")),
    ).toEqual([
      ["18:00", "19:30"],
      ["21:00", "23:00"],
      ["22:00", "23:30"],
    ]);
  });

  it("give the new range when the whole old range is crossed out", () => {
    expect(
      timesOf(eventsOf("18:00 – 19:30", "<s>21:00 – 22:00</s> 21:30 – 23:00", "22:00 – 23:30")),
    ).toEqual([
      ["18:00", "19:30"],
      ["21:30", "23:00"],
      ["22:00", "23:30"],
    ]);
  });

  it("stay as they are when an element only stresses them", () => {
    expect(
      timesOf(
        eventsOf("<strong>18:00</strong> – 19:30", "<em>21:00</em> – 23:00", "22:00 – 23:30"),
      ),
    ).toEqual([
      ["18:00", "19:30"],
      ["21:00", "23:00"],
      ["22:00", "23:30"],
    ]);
  });
});

describe("times of a table with more than two times", () => {
  it.fails("give no end that is before the start", () => {
    const html = eventsOf(
      "18:00 – 19:30",
      `<span class="old-time">21:00</span> 21:30 – 23:00`,
      "22:00 – 23:30",
    );
    const [, row] = readRows(html, "events", EVENTS);
    expect([row?.start_time, row?.end_time]).not.toEqual(["23:00", "21:00"]);
  });

  it.each([
    ["a crossed-out start and no new one", "<s>21:00</s> cancelled"],
    ["a crossed-out range", "<s>21:00 – 23:00</s>"],
  ])("give no time for %s", (_, time) => {
    const html = eventsOf("18:00 – 19:30", time, "22:00 – 23:30");
    const row = readRows(html, "events", EVENTS).find(({ title }) => title === "Harbour films");
    expect([row?.start_time, row?.end_time]).toEqual([undefined, undefined]);
  });
});

describe("corrected times of cards and labels", () => {
  it("give the new start in a list of cards", () => {
    const card = (title: string, time: string): string =>
      `<li class="rounded border p-4"><h2><a href="/e">${title}</a></h2><p class="time">${time}</p></li>`;
    const html = pageOf(
      "de",
      `<h1>Programm</h1><ul class="grid">${card("Chornacht", "18:00 – 19:30")}${card("Hafenfilme", "<s>21:00</s> 21:30 – 23:00")}${card("Nachtführung", "22:00 – 23:30")}</ul>`,
    );
    expect(timesOf(html)).toEqual([
      ["18:00", "19:30"],
      ["21:30", "23:00"],
      ["22:00", "23:30"],
    ]);
  });

  it("give the new departure of a label", () => {
    const main = `<h1>Ferry 12</h1><dl><dt>Departure</dt><dd><s>08:10</s> 08:25</dd><dt>Arrival</dt><dd><del>09:40</del> 09:55</dd></dl>`;
    expect(readObject(pageOf("en", main), { departure_time: CLOCK, arrival_time: CLOCK })).toEqual({
      departure_time: "08:25",
      arrival_time: "09:55",
    });
  });
});
