import { describe, expect, it } from "vitest";
import { pageOf, readRows, STRING } from "../../../../test/understanding/schema-pages.ts";

type Slot = (time: string, ...parts: readonly string[]) => string;
const talk = (title: string, speaker: string): string =>
  `<article class="talk rounded-lg p-3"><h3 class="talk__title">${title}</h3><p class="talk__speaker">${speaker}</p></article>`;
const item: Slot = (time, ...parts) =>
  `<li class="slot grid"><time class="slot__time">${time}</time>${parts.join("")}</li>`;
const headed: Slot = (time, ...parts) =>
  `<section class="slot"><h2>${time}</h2>${parts.join("")}</section>`;
const wrapped: Slot = (time, ...parts) =>
  `<section class="slot"><time>${time}</time><div class="slot__talks">${parts.join("")}</div></section>`;
const talksOf = (lang: string, slots: string): unknown[] =>
  readRows(pageOf(lang, `<h1>Program</h1><ol class="program">${slots}</ol>`), "talks", {
    title: STRING,
    speaker: STRING,
  }).map(({ title, speaker }) => [title, speaker]);
const KNOTS = talk("Knots for Beginners", "Ada Holm");
const SAILS = talk("Sails and Oars", "Jon Lind");
const TIDES = talk("Tides of the North", "Mara Voss");
const STARS = talk("Reading the Stars", "Ole Krag");
const MOON = talk("Moon and Water", "Una Berg");
const SUN = talk("Sun and Sextant", "Eva Lund");
const four = (slot: Slot): string =>
  slot("09:00", KNOTS) + slot("10:00", SAILS, TIDES) + slot("11:00", STARS);
const FOUR = [
  ["Knots for Beginners", "Ada Holm"],
  ["Sails and Oars", "Jon Lind"],
  ["Tides of the North", "Mara Voss"],
  ["Reading the Stars", "Ole Krag"],
];
const SIX = [...FOUR, ["Moon and Water", "Una Berg"], ["Sun and Sextant", "Eva Lund"]];
const six = (slot: Slot, more = "", hidden = ""): string =>
  slot("09:00", KNOTS) +
  slot("10:00", SAILS, TIDES, hidden) +
  more +
  slot("11:00", STARS, MOON) +
  slot("12:00", SUN);

describe("slots of a program", () => {
  it.each(["en", "de", "nl"])(
    "read as one list when two of four slots hold several talks (%s)",
    (lang) => {
      expect(talksOf(lang, six(item))).toEqual(SIX);
    },
  );

  it("leave out breaks, which have no talk", () => {
    expect(talksOf("en", six(item, item("10:45", '<p class="slot__break">Tea</p>')))).toEqual(SIX);
  });

  it("leave out talks that are hidden", () => {
    const hidden = `<div hidden>${talk("Cancelled Talk", "Nils Ek")}</div>`;
    expect(talksOf("en", six(item, "", hidden)).flat()).not.toContain("Cancelled Talk");
  });

  it.each([
    ["list items", item],
    ["sections with a heading", headed],
    ["sections with a wrapper around their talks", wrapped],
  ] as const)("read as one list when only one of three %s holds several talks", (_, slot) => {
    expect(talksOf("en", four(slot))).toEqual(FOUR);
  });

  it("read as one list when a wrapper holds the talks", () => {
    expect(talksOf("en", six(wrapped))).toEqual(SIX);
  });
});
