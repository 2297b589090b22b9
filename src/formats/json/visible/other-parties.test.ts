import { describe, expect, it } from "vitest";
import { pageOf, readObject, STRING } from "../../../../test/understanding/schema-pages.ts";

const object = (properties: Record<string, unknown>) => ({ type: "object", properties });
const PARTY = object({ name: STRING, email: STRING, phone: STRING });
const facts = (rows: Readonly<Record<string, string>>): string =>
  `<dl class="facts">${Object.entries(rows)
    .map(([label, value]) => `<div><dt>${label}</dt><dd>${value}</dd></div>`)
    .join("")}</dl>`;

describe("contacts of another party than the page's", () => {
  it.each([
    ["maker", "Maker", "en", "Questions: help@shop.example"],
    ["manufacturer", "Hersteller", "de", "Fragen? help@shop.example"],
    ["brand", "Marque", "fr", "Une question : help@shop.example"],
  ])("are not those of the shop (%s)", (property, label, lang, line) => {
    const html = pageOf(
      lang,
      `<h1>Oak stool</h1>${facts({ [label]: "Holm &amp; Vik", Material: "Oak" })}<p>${line}</p><p>020 7946 0018</p>`,
    );
    const given = readObject(html, { title: STRING, [property]: PARTY });
    expect(JSON.stringify(given)).not.toMatch(/help@|7946/);
  });

  it("are not those of a newspaper for the author of a story", () => {
    const html = pageOf(
      "en",
      `<article><h1>Storm hits pier</h1><p class="byline">By <a rel="author" href="/a">Ilse Brandt</a></p><p>The pier was closed on Monday after waves of six meters.</p><p>Tips: news@ledger.example or 020 7946 0018</p></article>`,
    );
    const given = readObject(html, { headline: STRING, author: PARTY });
    expect(JSON.stringify(given)).not.toMatch(/news@|7946/);
  });

  it("are read from labels of e-mail and telephone", () => {
    const html = pageOf(
      "en",
      `<h1>Oak table</h1>${facts({ Seller: "Alder Woodworks", Email: "desk@alder.example", Phone: "020 7946 0018" })}`,
    );
    expect(readObject(html, { title: STRING, seller: PARTY }).seller).toEqual({
      name: "Alder Woodworks",
      email: "desk@alder.example",
      phone: "020 7946 0018",
    });
  });

  it.each([
    ["en", "Seller", "Write: desk@alder.example"],
    ["en", "About the seller", "desk@alder.example"],
    ["de", "Verkäufer", "Schreiben Sie an desk@alder.example"],
    ["fr", "Vendeur", "Écrire à desk@alder.example"],
  ])("are read from the part of the page for it (%s: %s)", (lang, heading, line) => {
    const html = pageOf(
      lang,
      `<h1>Oak table</h1><p>Solid wood.</p><section class="card"><h2>${heading}</h2><p class="n">Alder Woodworks</p><p>${line}</p><p>020 7946 0018</p></section><section><h2>Help</h2><p>Questions: help@shop.example</p><p>020 7946 0099</p></section>`,
    );
    expect(readObject(html, { title: STRING, seller: PARTY }).seller).toMatchObject({
      email: "desk@alder.example",
      phone: "020 7946 0018",
    });
  });

  it("are those of the page for its contact", () => {
    const html = pageOf(
      "en",
      `<h1>Tree officer</h1><p>Write to jobs@hull.example or call 020 7946 0018.</p>`,
    );
    expect(readObject(html, { title: STRING, contact: PARTY }).contact).toEqual({
      email: "jobs@hull.example",
      phone: "020 7946 0018",
    });
  });
});

describe("postal addresses", () => {
  const PLACE = object({ name: STRING, address: STRING });
  it.each([
    ["company", "Company", "Orvane"],
    ["venue", "Venue", "Harbor Hall"],
    ["organizer", "Organizer", "Friends of the Pier"],
  ])("are not the name of the %s", (property, label, name) => {
    const html = pageOf(
      "en",
      `<h1>Backend engineer</h1>${facts({ [label]: name, Salary: "£50k" })}`,
    );
    expect(readObject(html, { title: STRING, [property]: PLACE })[property]).toEqual({ name });
    expect(readObject(html, { title: STRING, [`${property}_address`]: STRING })).toEqual({
      title: "Backend engineer",
    });
  });

  it("may stand behind the name of the place", () => {
    const venue = "Harbor Hall, 14 Quay Road, Bristol BS1 4QA";
    const html = pageOf("en", `<h1>Concert</h1>${facts({ Venue: venue, Doors: "19:30" })}`);
    expect(readObject(html, { venue_address: STRING }).venue_address).toMatch(/14 Quay Road/);
  });
});
