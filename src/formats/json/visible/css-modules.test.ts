import { describe, expect, it } from "vitest";
import { pageOf, readRows, STRING } from "../../../../test/understanding/schema-pages.ts";

type Person = readonly [name: string, role: string, org: string];
const PEOPLE: readonly Person[] = [
  ["Ada Holm", "Principal Engineer", "Norrlift"],
  ["Jon Lind", "Head of Data", "Kvarnby Energi"],
  ["Mara Voss", "Researcher", "Institut für Tiefsee"],
];
const PERSON = { name: STRING, role: STRING, organization: STRING };
const cards = (html: (person: Person) => string): string =>
  `<h1>Speakers</h1><div class="Speakers_grid__x2Lq9">${PEOPLE.map(html).join("")}</div>`;
const read = (
  lang: string,
  main: string,
  properties: Record<string, unknown> = PERSON,
): unknown[] =>
  readRows(pageOf(lang, main), "speakers", properties).map((row) =>
    Object.keys(properties).map((name) => row[name]),
  );

describe("classes of CSS modules", () => {
  it.each([
    ["en", "SpeakerCard_name__Qw3rT", "SpeakerCard_role__h7LyK", "SpeakerCard_org__b2Xzz"],
    ["de", "Card_name__qwert", "Card_role__hjlyk", "Card_org__abcde"],
    ["fr", "styles_name__2fGtu", "styles_role__Ab1x0", "styles_organization__9kLmq"],
    ["nl", "Card_name__qwert", "Card_role__hjlyk", "Card_organization__-9kLm"],
  ])("name the parts of a record (%s, %s)", (lang, name, role, org) => {
    const main = cards(
      (person) =>
        `<article class="SpeakerCard_card__k3Jd0"><h3 class="${name}">${person[0]}</h3><p class="${role}">${person[1]}</p><p class="${org}">${person[2]}</p></article>`,
    );
    expect(read(lang, main)).toEqual(PEOPLE);
  });

  it.fails.each([
    [
      "the component is in camel case",
      "speakerCard_name__2fGtu",
      "speakerCard_role__Ab1x0",
      "speakerCard_organization__9kLmq",
    ],
    [
      "three underscores precede the hash",
      "Tile-module__name___3kd9a",
      "Tile-module__role___x81Qz",
      "Tile-module__organization___1aBcD",
    ],
  ])("name the parts of a record when %s", (_, name, role, org) => {
    const main = cards(
      (person) =>
        `<article class="SpeakerCard_card__k3Jd0"><h3 class="${name}">${person[0]}</h3><p class="${role}">${person[1]}</p><p class="${org}">${person[2]}</p></article>`,
    );
    expect(read("en", main)).toEqual(PEOPLE);
  });

  it("name parts whatever their order is", () => {
    const main = cards(
      (person) =>
        `<article class="Card_root__zxcvb"><h3 class="Card_name__qwert">${person[0]}</h3><p class="Card_org__abcde">${person[2]}</p><p class="Card_role__hjlyk">${person[1]}</p></article>`,
    );
    expect(read("en", main)).toEqual(PEOPLE);
  });

  it.each([
    ["layout names", "Card_row__abcde", "Card_col__fghij"],
    ["sizes and weights", "Text_small__k2Jd8", "Text_bold__m4Nb1"],
    ["names of components only", "Stack__abcde", "Flex__h7LyK"],
  ])("do not name an organization by %s", (_, first, second) => {
    const main = cards(
      (person) =>
        `<article class="Card_card__k3Jd0"><h3 class="Card_title__aaaaa">${person[0]}</h3><p class="${first}">Talks on Tuesday afternoon</p><p class="${second}">Bring your own laptop</p></article>`,
    );
    const values = read("en", main, { name: STRING, organization: STRING });
    expect(values.map((row) => (row as unknown[])[1] ?? null)).not.toContain(
      "Talks on Tuesday afternoon",
    );
    expect(values.map((row) => (row as unknown[])[1] ?? null)).not.toContain(
      "Bring your own laptop",
    );
  });

  it("do not take the name of the component for that of a part", () => {
    const main = cards(
      (person) =>
        `<article class="RoleCard_card__k3Jd0"><h3 class="RoleCard_name__aaaaa">${person[0]}</h3><p class="RoleCard_note__bbbbb">Speaks in English</p></article>`,
    );
    expect(
      read("en", main, { name: STRING, role: STRING }).map((row) => (row as unknown[])[1]),
    ).toEqual([undefined, undefined, undefined]);
  });

  it("do not take a hash that looks like a word for a name", () => {
    const main = cards(
      (person) =>
        `<article class="Card_card__k3Jd0"><h3 class="Card_name__aaaaa">${person[0]}</h3><p class="Card_note__email">Speaks in English</p></article>`,
    );
    expect(
      read("en", main, { name: STRING, email: STRING }).map((row) => (row as unknown[])[1]),
    ).toEqual([undefined, undefined, undefined]);
  });
});
