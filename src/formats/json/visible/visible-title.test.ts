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

it("takes a bold text in a block of its own, and the link below a bold badge", () => {
  const row = (day: number, title: string, more: string, hall: string): string =>
    `<div>2027-05-0${day}</div><div><b>${title}</b><p>${more}</p><a href="/${hall}">${hall}</a></div>`;
  const names = ["Blue Trio: Live", "Ana Sol: Songs", "Night Owls"];
  expect(
    titlesOf(
      names.map((name, at) => row(at + 1, name, "Jazz and more.", at === 1 ? "Dock" : "Mill")),
    ),
  ).toEqual(names);
  expect(titlesOf(names.map((name, at) => row(at + 1, "New", "Jazz and more.", name)))).toEqual(
    names,
  );
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

it("gives no date as a time of day, and the time beside it", () => {
  const schema = {
    type: "object",
    properties: {
      events: {
        type: "array",
        items: {
          type: "object",
          properties: { title: { type: "string" }, start_time: { type: "string" } },
        },
      },
    },
  };
  const pageOf = (time: string): string =>
    `<html><head><title>Events</title></head><body><main><h1>Events</h1>${[1, 2, 3]
      .map(
        (day) =>
          `<div class="row"><h3>Talk ${"ABC"[day - 1]}</h3><p>2027-05-0${day}</p>${time}</div>`,
      )
      .join("")}</main></body></html>`;
  const timesOf = (time: string): unknown => {
    const { events = [] } = (draftPage(pageOf(time), schema).value ?? {}) as {
      events?: { start_time?: string }[];
    };
    return events.map((event) => event.start_time);
  };
  expect(new Set(timesOf("") as unknown[])).toEqual(new Set([undefined]));
  expect(timesOf("<p>20:00</p>")).toEqual(["20:00", "20:00", "20:00"]);
});
