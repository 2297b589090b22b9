import { describe, expect, it } from "vitest";
import {
  INTEGER,
  pageOf,
  readObject,
  readRows,
  STRING,
  STRINGS,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const NAMES = ["Heron", "Gull"] as const;
type Part = readonly [first: string, second: string];
/** A list of two records that differ in their names and in `parts`. */
const records = (block: string, parts: Part): string =>
  `<ul class="grid gap-4">${parts
    .map(
      (part, at) =>
        `<li class="${block} rounded p-4"><h3>${NAMES[at] ?? ""}</h3><p>€${at + 3}.00</p>${part}</li>`,
    )
    .join("")}</ul>`;
const valuesOf = (
  block: string,
  parts: Part,
  property: string,
  type: Record<string, unknown> = STRING,
): readonly unknown[] => {
  const html = pageOf("en", `<h1>List</h1>${records(block, parts)}`);
  const rows = readRows(html, "items", { name: STRING, [property]: type });
  expect(rows.map(({ name }) => name)).toEqual(NAMES);
  return rows.map((row) => row[property]);
};
const both = (part: (value: string) => string, values: Part): Part => [
  part(values[0]),
  part(values[1]),
];
const NONE = [undefined, undefined];

describe("parts of a record by class", () => {
  it.each([
    ["room", "talk", "talk__room", ["Loft", "Quay"]],
    ["job_location", "job", "jobLocation", ["Leeds", "York"]],
    ["brand", "product-card", "product-card__brand", ["Orn", "Voss"]],
    ["venue", "card_card__k2Pz", "card_venue__x4Zq", ["Old Mill", "Corn Exchange"]],
    ["trains", "_row_8zz4t_12", "_trains_8zz4t_50", ["IC 5, RE 4", "S 3"]],
    ["saal", "vorstellung", "vorstellung__saal", ["Studio A", "Orn"]],
    ["auteur", "fiche", "fiche__auteur text-gray-500", ["Ada Holm", "Jon Lind"]],
    ["localidad", "ficha", "flex items-center localidad", ["Burgos", "Soria"]],
  ] as const)(
    "gives %s the text of the only part of its class",
    (property, block, name, values) => {
      const part = (value: string): string => `<p class="${name}">${value}</p>`;
      expect(valuesOf(block, both(part, values), property)).toEqual(values);
    },
  );

  it("gives a list all texts of its class, or the parts of one text between commas", () => {
    const several =
      "<span class='dish__allergens'>Nuts</span><span class='dish__allergens'>Milk</span>";
    const one = "<span class='dish__allergens'>Celery, mustard</span>";
    expect(valuesOf("dish", [several, one], "allergens", STRINGS)).toEqual([
      ["Nuts", "Milk"],
      ["Celery", "mustard"],
    ]);
  });

  it.each([
    ["a class of layout (label)", "label", '<span class="badge label">$</span>', ["New", "Old"]],
    ["a class of layout (content)", "content", '<div class="content">$</div>', ["Oak", "Pine"]],
    ["a class of layout (text)", "text", '<span class="card__text">$</span>', ["Oak", "Pine"]],
    ["a button", "shop", '<button class="shop">$</button>', ["Quay 4", "Quay 5"]],
    [
      "a part with several texts",
      "venue",
      '<div class="venue"><span>$</span><span>Bristol</span></div>',
      ["Old Mill", "Quay"],
    ],
    ["a struck part", "seat", '<s class="seat">$</s>', ["Loft", "Stalls"]],
    [
      "a part inside a struck part",
      "seat",
      '<del><span class="seat">$</span></del>',
      ["Loft", "Stalls"],
    ],
    ["a hidden part", "host", '<span class="host" hidden>$</span>', ["Ada Holm", "Jon Lind"]],
    [
      "a part with display: none",
      "host",
      '<span class="host" style="display:none">$</span>',
      ["Ada Holm", "Jon Lind"],
    ],
    ["a synonym's class", "venue", '<p class="local">$</p>', ["Old Mill", "Quay"]],
    ["a longer word", "room", '<p class="showroom">$</p>', ["Leeds", "York"]],
    [
      "a name with a further word",
      "room",
      '<p class="room-service">$</p>',
      ["Daily", "On request"],
    ],
    ["another block", "brand", '<p class="shop-info__brand">$</p>', ["Gull Ltd", "Tern Ltd"]],
    [
      "two parts of the class",
      "host",
      '<p class="host">$</p><p class="host">Una Berg</p>',
      ["Ada Holm", "Jon Lind"],
    ],
    ["an empty part", "host", '<p class="host"></p><p class="note">$</p>', ["Oak", "Pine"]],
  ] as const)("gives no value for %s", (_, property, part, values) => {
    const parts = both((value) => part.replace("$", value), values);
    expect(valuesOf("item", parts, property)).toEqual(NONE);
  });

  it.each([
    ["en", "shop", "To the shop"],
    ["de", "shop", "Zum Shop"],
    ["fr", "programme", "Voir le programme"],
    ["en", "details", "Details"],
    ["nl", "winkel", "Naar de winkel"],
  ])("gives no value for a text that names the property (%s, %s)", (_, property, text) => {
    const part = `<a class="item__${property}" href="/x">${text}</a>`;
    expect(valuesOf("item", [part, part], property)).toEqual(NONE);
  });

  it("gives numbers and dates nothing from a class whose text is neither", () => {
    const parts = both((value) => `<p class="berths">${value}</p>`, ["Block C", "Block D"]);
    expect(valuesOf("boat", parts, "berths", INTEGER)).toEqual(NONE);
  });

  it("gives no value from a list of one record", () => {
    const html = pageOf(
      "en",
      '<h1>Talks</h1><ul><li class="talk"><h3>Knots</h3><p class="talk__room">Loft</p></li></ul>',
    );
    for (const { room } of readRows(html, "talks", { title: STRING, room: STRING }))
      expect(room).toBeUndefined();
  });

  it("gives no value for the page as a whole", () => {
    const html = pageOf(
      "en",
      '<article class="event"><h1>Tides</h1><p class="event__sponsor">Gull Ltd</p><p class="sponsor">Tern Ltd</p><p>A day by the sea.</p></article>',
    );
    expect(readObject(html, { sponsor: STRING })).not.toHaveProperty("sponsor");
  });

  it("gives no value for a link styled as a button", () => {
    const part = (value: string): string =>
      `<a class="btn btn-primary shop" role="button" href="/a">${value}</a>`;
    expect(valuesOf("item", both(part, ["Buy now", "Visit"]), "shop")).toEqual(NONE);
  });

  it("prefers a label to a class", () => {
    const part = (value: string): string =>
      `<dl><dt>Room</dt><dd>${value}</dd></dl><p class="room">Main building</p>`;
    expect(valuesOf("talk", both(part, ["Loft", "Quay"]), "room")).toEqual(["Loft", "Quay"]);
  });

  it("prefers a column to a class", () => {
    const note = '<span class="room">Main building</span>';
    const table = tableOf(
      ["Talk", "Room", "Note"],
      ["Knots", "Loft", note],
      ["Sails", "Quay", note],
    );
    const rows = readRows(pageOf("en", `<h1>Talks</h1>${table}`), "talks", {
      title: STRING,
      room: STRING,
    });
    expect(rows).toEqual([
      { title: "Knots", room: "Loft" },
      { title: "Sails", room: "Quay" },
    ]);
  });

  it("reads the column of the only property", () => {
    const table = tableOf(["Talk", "Room"], ["Knots", "Loft"], ["Sails", "Quay"]);
    const rows = readRows(pageOf("en", `<h1>Talks</h1>${table}`), "talks", { room: STRING });
    expect(rows).toEqual([{ room: "Loft" }, { room: "Quay" }]);
  });
});

describe("titles by class", () => {
  const lots = (artist: string, title: string): string =>
    pageOf(
      "en",
      `<h1>Auction</h1><div class="grid">${[
        ["Ada Holm", "Harbor at Dusk"],
        ["Jon Lind", "Two Boats"],
      ]
        .map(
          ([by, name]) =>
            `<article class="lot"><h3 class="${artist}">${by ?? ""}</h3><p class="${title}">${name ?? ""}</p><p>Oil on canvas</p></article>`,
        )
        .join("")}</div>`,
    );

  it("takes the part of the title's class when the heading has another property's class", () => {
    expect(
      readRows(lots("lot__artist", "lot__title"), "lots", { title: STRING, artist: STRING }),
    ).toEqual([
      { title: "Harbor at Dusk", artist: "Ada Holm" },
      { title: "Two Boats", artist: "Jon Lind" },
    ]);
  });

  it("takes the heading when only its layout has a class", () => {
    const rows = readRows(lots("text-lg font-bold", "lot__medium"), "lots", { title: STRING });
    expect(rows).toEqual([{ title: "Ada Holm" }, { title: "Jon Lind" }]);
  });
});
