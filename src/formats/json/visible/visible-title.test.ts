import { expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const titlesOf = (rows: readonly string[]): unknown => {
  const schema = {
    type: "object",
    properties: {
      concerts: {
        type: "array",
        items: {
          type: "object",
          properties: { title: { type: "string" }, date: { type: "string", format: "date" } },
        },
      },
    },
  };
  const list = rows.map((row) => `<div class="row">${row}</div>`).join("");
  const html = `<html><head><title>Concerts</title></head><body><main><h1>Concerts</h1><div>${list}</div></main></body></html>`;
  const { concerts = [] } = (draftPage(html, schema).value ?? {}) as {
    concerts?: { title?: string }[];
  };
  return concerts.map(({ title }) => title);
};

it("takes a bold first line above other lines as the title, not a link to something else", () => {
  const row = (day: number, title: string, hall: string): string =>
    `<div>2027-05-0${day}</div><div><b>${title}</b><br>Jazz</div><div><a href="/${hall}">${hall}</a></div>`;
  expect(
    titlesOf([
      row(1, "Blue Trio", "Mill"),
      row(2, "Ana Sol", "Dock"),
      row(3, "Night Owls", "Mill"),
    ]),
  ).toEqual(["Blue Trio", "Ana Sol", "Night Owls"]);
});

it("takes the link beside a bold badge", () => {
  const row = (day: number, title: string): string =>
    `<div>2027-05-0${day}</div><div><b>New</b> <a href="/${day}">${title}</a></div>`;
  expect(titlesOf([row(1, "Blue Trio"), row(2, "Ana Sol"), row(3, "Night Owls")])).toEqual([
    "Blue Trio",
    "Ana Sol",
    "Night Owls",
  ]);
});
