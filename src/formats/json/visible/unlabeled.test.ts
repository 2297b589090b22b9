import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const S = { type: "string" };
const N = { type: "number" };
const listOf = (properties: Record<string, unknown>): Record<string, unknown> => ({
  type: "object",
  properties: { items: { type: "array", items: { type: "object", properties } } },
});
const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>List</title></head><body><main><h1>List</h1>${body}</main></body></html>`;
const listItems = (html: string, schema: Record<string, unknown>): unknown =>
  (draftPage(html, schema).value as { items?: unknown } | undefined)?.items;

describe("values without a label", () => {
  it("reads licenses, languages and versions by their notation", () => {
    const card = (name: string, language: string, license: string, version: string): string =>
      `<li><h3><a href="/${name}">${name}</a></h3><p>${version}</p><div><span>${language}</span><span>${license}</span></div></li>`;
    const html = page(
      `<ul>${card("moth", "Go", "MIT", "v1.2.0")}${card("quill", "Rust", "Apache-2.0", "v0.4.1")}</ul>`,
    );
    expect(listItems(html, listOf({ name: S, language: S, license: S, version: S }))).toEqual([
      { name: "moth", language: "Go", license: "MIT", version: "v1.2.0" },
      { name: "quill", language: "Rust", license: "Apache-2.0", version: "v0.4.1" },
    ]);
  });

  it("reads both ends of a span whose half of the day is written once, and no times for places", () => {
    const slot = (name: string, time: string): string =>
      `<li><h3>${name}</h3><p>${time}</p><p>Hall ${name.length}</p></li>`;
    const html = page(
      `<ul>${slot("Knots", "1:30 – 2:15 p.m.")}${slot("Sails and oars", "11:45 – 12:30 p.m.")}</ul>`,
    );
    const properties = { name: S, start_time: S, end_time: S, departure_platform: S };
    expect(listItems(html, listOf(properties))).toEqual([
      { name: "Knots", start_time: "1:30 p.m.", end_time: "2:15 p.m." },
      { name: "Sails and oars", start_time: "11:45 a.m.", end_time: "12:30 p.m." },
    ]);
  });

  it("writes times in 24 hours where the schema asks for that, and leaves records without a title out", () => {
    const slot = (time: string, rest: string): string =>
      `<div class="s"><p class="t">${time}</p>${rest}</div>`;
    const html = page(
      `<div>${slot("9:00 – 9:40 a.m.", '<h3>Knots</h3><p class="r">Loft</p>')}${slot("9:40 – 10:00 a.m.", "<p>Tea</p>")}${slot("12:30 – 1:10 p.m.", '<h3>Sails</h3><p class="r">Quay</p>')}</div>`,
    );
    const clock = { type: "string", description: "HH:MM" };
    expect(listItems(html, listOf({ title: S, start_time: clock, end_time: clock }))).toEqual([
      { title: "Knots", start_time: "09:00", end_time: "09:40" },
      { title: "Sails", start_time: "12:30", end_time: "13:10" },
    ]);
  });

  it("gives no value when a record has two texts of the kind", () => {
    const card = (name: string): string =>
      `<li><h3><a href="/${name}">${name}</a></h3><p>English</p><p>German</p><b>€9.00</b></li>`;
    const html = page(`<ul>${card("Latin for all")}${card("Law in a week")}</ul>`);
    expect(listItems(html, listOf({ name: S, language: S, price: N }))).toEqual([
      { name: "Latin for all", price: 9 },
      { name: "Law in a week", price: 9 },
    ]);
  });

  it("reads a position behind the name in one line", () => {
    const line = (name: string, role: string): string =>
      `<li><strong>${name}</strong>, ${role}<br><a href="mailto:x@orn.example">x@orn.example</a></li>`;
    const html = page(
      `<ul>${line("Ada Whit", "Head of Department")}${line("Bao Tran", "Senior Lecturer")}</ul>`,
    );
    expect(
      (listItems(html, listOf({ name: S, role: S })) as { role?: string }[]).map(
        ({ role }) => role,
      ),
    ).toEqual(["Head of Department", "Senior Lecturer"]);
  });

  it("reads a position and the value behind the name of the property", () => {
    const card = (name: string, role: string, room: string): string =>
      `<div class="c"><p class="font-semibold">${name}</p><p>${role}</p><p>Tides</p><p>Room ${room}</p></div>`;
    const html = page(
      `<div>${card("Ada Whit", "Head of Department", "P 2.14")}${card("Bao Tran", "Senior Lecturer", "P 2.20")}</div>`,
    );
    expect(listItems(html, listOf({ name: S, role: S, room: S, hobby: S }))).toEqual([
      { name: "Ada Whit", role: "Head of Department", room: "P 2.14" },
      { name: "Bao Tran", role: "Senior Lecturer", room: "P 2.20" },
    ]);
  });

  it("reads the first of two times as the departure, and none from a single time", () => {
    const row = (line: string, from: string, to: string): string =>
      `<div class="c"><b>${line}</b><span>${from}</span><span>${to}</span></div>`;
    const html = page(
      `<div>${row("IC 5", "06:35", "09:20")}${row("RE 4", "07:10", "11:00")}</div>`,
    );
    expect(listItems(html, listOf({ name: S, departs: S, arrives: S, time: S }))).toEqual([
      { name: "IC 5", departs: "06:35", arrives: "09:20" },
      { name: "RE 4", departs: "07:10", arrives: "11:00" },
    ]);
  });

  it("reads a badge as true, and returns no value without one", () => {
    const card = (name: string, badge: string): string =>
      `<li><h3><a href="/${name}">${name}</a></h3><b>€9.00</b>${badge}</li>`;
    const html = page(
      `<ul>${card("Fox", "<span>Sold out</span>")}${card("Otter", "<span>New</span>")}</ul>`,
    );
    const schema = listOf({ name: S, price: N, sold_out: { type: "boolean" } });
    expect(listItems(html, schema)).toEqual([
      { name: "Fox", price: 9, sold_out: true },
      { name: "Otter", price: 9 },
    ]);
  });

  it("does not read a button label as a value", () => {
    const html = page("<p>A short story.</p><button>Sold out</button>");
    const schema = { type: "object", properties: { sold_out: { type: "boolean" } } };
    expect(draftPage(html, schema).value).toBeUndefined();
  });

  it("reads free admission as a price of zero", () => {
    const row = (name: string, price: string): string =>
      `<div class="c"><h3>${name}</h3><div>${price}</div></div>`;
    const html = page(`<div>${row("Talk", "Gratis")}${row("Walk", "5 €")}</div>`);
    expect(listItems(html, listOf({ name: S, price: N }))).toEqual([
      { name: "Talk", price: 0 },
      { name: "Walk", price: 5 },
    ]);
  });
});

describe("postal addresses", () => {
  const schema = {
    type: "object",
    properties: { street: S, postal_code: S, city: S, fax: S, phone: S },
  };

  it("splits a street, a postal code and a town in separate lines", () => {
    const html = page(
      "<div>Lilienthalstraße 8</div><div>34123 Kassel</div><div>T 0561 / 40 12-0</div><div>F 0561 / 40 12-99</div>",
    );
    expect(draftPage(html, schema).value).toEqual({
      street: "Lilienthalstraße 8",
      postal_code: "34123",
      city: "Kassel",
      phone: "0561 / 40 12-0",
      fax: "0561 / 40 12-99",
    });
  });

  it("reads the postal code behind the town", () => {
    const html = page("<p>14 Quay Road, Bristol BS1 4QA</p>");
    expect(draftPage(html, schema).value).toEqual({
      street: "14 Quay Road",
      postal_code: "BS1 4QA",
      city: "Bristol",
    });
  });

  it("returns no value for two addresses or a year before a name", () => {
    const two = page("<p>Am Markt 1, 34123 Kassel</p><p>Am Hafen 2, 20457 Hamburg</p>");
    expect(draftPage(two, schema).value).toBeUndefined();
    const year = page("<p>Race day 12</p><p>2027 Valdehierro</p>");
    expect(draftPage(year, schema).value).toBeUndefined();
  });
});

describe("ends of a range", () => {
  const salary = {
    type: "object",
    properties: { salary_min: N, salary_max: N },
  };

  it("reads both ends of a range, with K for thousands", () => {
    const html = page("<dl><dt>Salary</dt><dd>$95k–$120k</dd></dl>");
    expect(draftPage(html, salary).value).toEqual({ salary_min: 95_000, salary_max: 120_000 });
  });

  it("does not read a single amount as the upper end of a range", () => {
    const html = page("<dl><dt>Salary</dt><dd>€2,900 gross</dd></dl>");
    expect(draftPage(html, salary).value).toBeUndefined();
  });
});

describe("labels with more words", () => {
  it("accepts a narrower label whose value has the unit of the property", () => {
    const html = page(
      "<dl><dt>Rated power</dt><dd>2.2 kW</dd><dt>Peak voltage</dt><dd>400 V</dd></dl>",
    );
    const schema = { type: "object", properties: { power_kw: N, voltage_v: N } };
    expect(draftPage(html, schema).value).toEqual({ power_kw: 2.2 });
  });

  it("reads the long form of an abbreviated column", () => {
    const html = page(
      '<table><thead><tr><th>Team</th><th><abbr title="Played">P</abbr></th><th abbr="Won">W</th></tr></thead><tbody><tr><td>Halden</td><td>14</td><td>10</td></tr><tr><td>Skara</td><td>14</td><td>4</td></tr></tbody></table>',
    );
    expect(listItems(html, listOf({ team: S, played: N, won: N }))).toEqual([
      { team: "Halden", played: 14, won: 10 },
      { team: "Skara", played: 14, won: 4 },
    ]);
  });

  it("prefers a column to the heading of a part of the list", () => {
    const html = page(
      '<table><tr><th>Player</th><th>Team</th><th>Goals</th></tr><tr><th colspan="3">Group A</th></tr><tr><td>Eide</td><td>Brann</td><td>3</td></tr><tr><td>Holm</td><td>Fana</td><td>1</td></tr></table>',
    );
    expect(listItems(html, listOf({ player: S, team: S, goals: N, group: S }))).toEqual([
      { player: "Eide", team: "Brann", goals: 3, group: "Group A" },
      { player: "Holm", team: "Fana", goals: 1, group: "Group A" },
    ]);
  });
});

describe("names of packages and repositories", () => {
  it("removes the owner before a slash and the version behind a name", () => {
    const schema = { type: "object", properties: { name: S, version: S } };
    const repository = `<!doctype html><html><head><title>okapi/lantern</title></head><body><main><h1><a href="/okapi">okapi</a> / <strong>lantern</strong></h1></main></body></html>`;
    expect(draftPage(repository, schema).value).toEqual({ name: "lantern" });
    const library = `<!doctype html><html><head><title>driftnet 2.11.0</title></head><body><main><h1>driftnet 2.11.0</h1></main></body></html>`;
    expect(draftPage(library, schema).value).toEqual({ name: "driftnet" });
  });
});

describe("values of other things", () => {
  it("does not return the stock of one variant as that of the item", () => {
    const html = page(
      '<p class="p">3.45 €</p><div><div><h3>25 seeds</h3><span>3.45 €</span></div><div><h3>Bag of 10 g</h3><span>Sold out</span></div></div>',
    );
    const schema = {
      type: "object",
      properties: { availability: { type: "string", enum: ["InStock", "OutOfStock"] } },
    };
    expect(draftPage(html, schema).value).toBeUndefined();
  });

  it("does not return the language of a page as that of a film", () => {
    const schema = { type: "object", properties: { title: S, director: S, language: S } };
    expect(draftPage(page("<p>Director: Ada Holm</p>"), schema).value).toEqual({
      title: "List",
      director: "Ada Holm",
    });
  });

  it("does not return the crossed-out price of another item", () => {
    const html = page(
      "<p>$329</p></main><div><h2>Also by us</h2><div><b>Soundbar</b><span>$899</span><del>$1,049</del></div></div>",
    );
    const schema = { type: "object", properties: { price: N, old_price: N } };
    expect(draftPage(html, schema).value).toEqual({ price: 329 });
  });

  it("leaves the phonetic reading out of a name", () => {
    const html = page(
      "<table><tr><th>氏名</th><th>電話</th></tr><tr><td><ruby>安藤 理恵<rt>あんどう りえ</rt></ruby></td><td>03-0000-1201</td></tr><tr><td>Kim Minseo</td><td>03-0000-1202</td></tr></table>",
    );
    expect(listItems(html, listOf({ name: S, phone: S }))).toEqual([
      { name: "安藤 理恵", phone: "03-0000-1201" },
      { name: "Kim Minseo", phone: "03-0000-1202" },
    ]);
  });
});

describe("choices and icons", () => {
  it("returns the price of the selected option", () => {
    const option = (size: string, price: string, isChosen: boolean): string =>
      `<div role="radio" aria-checked="${isChosen}"><span>${size}</span><span>${price}</span></div>`;
    const html = page(
      `<div role="radiogroup" aria-label="Storage">${option("128 GB", "€599", false)}${option("256 GB", "€679", true)}</div>`,
    );
    const schema = { type: "object", properties: { price: N } };
    expect(draftPage(html, schema).value).toEqual({ price: 679 });
  });

  it("uses an icon's name as the label of the text behind it", () => {
    const html = page(
      '<p><span aria-label="Phone"><svg></svg></span> 07121 555 130<br><span aria-label="Fax"><svg></svg></span> 07121 555 131</p>',
    );
    const schema = { type: "object", properties: { phone: S, fax: S } };
    expect(draftPage(html, schema).value).toEqual({ phone: "07121 555 130", fax: "07121 555 131" });
  });

  it("does not return the price of one variant in script data as that of the item", () => {
    const data = '{"device":{"name":"Nexa","variants":[{"price":599},{"price":679}]}}';
    const html = page(`<p>€679</p><script type="application/json">${data}</script>`);
    const schema = { type: "object", properties: { price: N } };
    expect(draftPage(html, schema).value).toEqual({ price: 679 });
  });
});
