import { describe, expect, it } from "vitest";
import {
  CLOCK,
  pageOf,
  readObject,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const event = (time: string): string =>
  `<h1>Open Harbor Day</h1><p>Starts: ${time}</p><p>Pier 4, Aarhus</p>`;
const startOf = (lang: string, main: string): unknown =>
  readObject(pageOf(lang, main), { start_time: CLOCK }).start_time;

describe("start time from a date with a zone", () => {
  const listed = (time: string): string =>
    `<h1>Open Harbor Day</h1><dl><dt>Start</dt><dd>${time}</dd></dl>`;

  it.each([
    ["en", listed('<time datetime="2025-09-18T09:00:00+02:00">18 September</time>'), "09:00"],
    ["en", event('<time datetime="2025-09-18T18:15-05:00">6:15 PM</time>'), "18:15"],
    ["en", event('<time datetime="2025-09-18T10:30+05:30">18 Sep, 10:30</time>'), "10:30"],
    ["en", event("2025-09-18T09:00:00+02:00"), "09:00"],
    ["en", event('<time datetime="2025-09-18T07:00:00Z">09:00</time>'), "09:00"],
    [
      "fr",
      event('<time datetime="2025-09-18T19:30:00+02:00">18 septembre à 19 h 30</time>'),
      "19:30",
    ],
  ])("is the hour of the place (%s): %s", (lang, main, expected) => {
    expect(startOf(lang, main)).toBe(expected);
  });

  it.fails.each([
    [
      "en",
      event('<time datetime="2025-09-18T09:00:00+02:00">Thursday 18 September</time>'),
      "09:00",
    ],
    [
      "de",
      event('<time datetime="2025-09-18T09:00:00+02:00">18. September, 9:00 Uhr</time>'),
      "09:00",
    ],
  ])("is the hour of a date with a zone in a line, too (%s): %s", (lang, main, expected) => {
    expect(startOf(lang, main)).toBe(expected);
  });

  it.each(["18 September (UTC+02:00)", "18 September, GMT-05:00"])(
    "is missing when the page names the zone without an hour: %s",
    (shown) => {
      expect(startOf("en", event(shown))).toBeUndefined();
    },
  );

  it.each([
    ["en", event('<time datetime="2025-09-18T07:00:00Z">18 September, 09:00</time>'), "07:00"],
    ["de", event('<time datetime="2025-09-18T17:30:00Z">19:30 Uhr</time>'), "17:30"],
    ["en", event('<time datetime="2025-09-18T23:00:00.000Z">6 PM</time>'), "23:00"],
    ["en", event('<time datetime="2025-09-18T07:00:00+00:00">9:00 AM</time>'), "07:00"],
    ["en", event('<time datetime="2025-09-18">18 September</time>'), "00:00"],
    ["en", event('<time datetime="2025-09-18">18 September</time>'), "20:25"],
    ["en", event("9:00 (UTC+02:00)"), "02:00"],
  ])("is not another hour than the page shows (%s): %s", (lang, main, wrong) => {
    expect(startOf(lang, main)).not.toBe(wrong);
  });

  const program = (shown: (hour: string) => string): string => {
    const talk = (title: string, hour: string): string =>
      `<li class="talk"><time datetime="2025-09-18T${hour}:00+02:00">${shown(hour)}</time><h3>${title}</h3></li>`;
    return `<h1>Program</h1><ul>${talk("Knots for Beginners", "09:00")}${talk("Sails and Oars", "10:30")}${talk("Tides of the North", "13:15")}</ul>`;
  };
  const startsOf = (main: string): unknown[] =>
    readRows(pageOf("en", main), "talks", { title: STRING, start_time: CLOCK }).map(
      (row) => row.start_time,
    );

  it("is the hour of the place in each record", () => {
    expect(startsOf(program((hour) => hour))).toEqual(["09:00", "10:30", "13:15"]);
  });

  it.fails.each([
    ["the day only", (): string => "Thu"],
    ["the day and the hour", (hour: string): string => `Thu, ${hour}`],
  ])("is the hour of the place in each record that shows %s", (_, shown) => {
    expect(startsOf(program(shown))).toEqual(["09:00", "10:30", "13:15"]);
  });

  it("is no hour of UTC in a record that shows another hour", () => {
    const talk = (title: string, utc: string, shown: string): string =>
      `<li class="talk"><time datetime="2025-09-18T${utc}:00Z">${shown}</time><h3>${title}</h3></li>`;
    const main = `<h1>Program</h1><ul>${talk("Knots for Beginners", "07:00", "09:00")}${talk("Sails and Oars", "08:30", "10:30")}${talk("Tides of the North", "11:15", "13:15")}</ul>`;
    const times = readRows(pageOf("en", main), "talks", { title: STRING, start_time: CLOCK }).map(
      (row) => row.start_time,
    );
    for (const utc of ["07:00", "08:30", "11:15"]) expect(times).not.toContain(utc);
  });
});
