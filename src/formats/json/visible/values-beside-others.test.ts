import { describe, expect, it } from "vitest";
import {
  NUMBER,
  readObject,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const page = (title: string, main: string, { head = "", nav = "" } = {}): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body class="antialiased"><header class="sticky top-0"><a href="/">Home</a><nav aria-label="Main"><ul>${nav}</ul></nav></header><main id="content" class="mx-auto max-w-5xl px-4"><h1>${title}</h1>${main}</main><footer><p>© 2025 All rights reserved</p></footer></body></html>`;
const jsonLd = (data: object): string =>
  `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", ...data })}</script>`;
const objectOf = (properties: object): object => ({ type: "object", properties });

describe("an address divided from one whole", () => {
  const ADDRESS = { address: objectOf({ street: STRING, city: STRING, postcode: STRING }) };
  const HARBOR = { street: "14 Quay Lane", city: "Bristol", postcode: "BS1 4RN" };
  const addressOf = (html: string): Record<string, unknown> =>
    (readObject(html, ADDRESS).address ?? {}) as Record<string, unknown>;

  it("divides the lines of a labeled address", () => {
    const main =
      '<p class="lead">Boat hire and repairs.</p><dl class="grid grid-cols-2"><dt>Address</dt><dd>14 Quay Lane<br>Bristol<br>BS1 4RN</dd><dt>Phone</dt><dd>0117 496 0123</dd></dl>';
    expect(addressOf(page("Tidewell Boats", main))).toEqual(HARBOR);
  });

  it("divides an address string with newlines in JSON-LD", () => {
    const head = jsonLd({
      "@type": "LocalBusiness",
      name: "Tidewell Boats",
      address: "14 Quay Lane\nBristol\nBS1 4RN",
    });
    expect(addressOf(page("Tidewell Boats", "<p>Boat hire and repairs.</p>", { head }))).toEqual(
      HARBOR,
    );
  });

  it("divides a last line with postcode and city", () => {
    const main =
      "<section><h2>Visit us</h2><dl><dt>Address</dt><dd>Lindenstraße 12<br>50674 Köln</dd></dl></section>";
    expect(addressOf(page("Atelier Brandt", main))).toEqual({
      street: "Lindenstraße 12",
      city: "Köln",
      postcode: "50674",
    });
  });

  it("never gives the whole of an address without certain parts", () => {
    const whole = "Behind the old mill, past the ferry, follow the signs";
    const main = `<dl><dt>Address</dt><dd>${whole}</dd></dl>`;
    expect(Object.values(addressOf(page("Ferry Barn", main)))).toEqual([]);
  });

  it("never gives a property the whole of an address with unclear lines", () => {
    const head = jsonLd({
      "@type": "Organization",
      name: "Norrby Works",
      address: "Norrby Works\nHall C\nNorth Gate",
    });
    const given = addressOf(page("Norrby Works", "<p>Sheet metal to order.</p>", { head }));
    for (const value of Object.values(given)) expect(value).not.toMatch(/Hall C.*North Gate/su);
    expect(given).not.toHaveProperty("postcode");
  });
});

describe("the original price of a card", () => {
  const ROW = { name: STRING, price: NUMBER, original_price: NUMBER };
  const cardsOf = (price: (amount: number) => string): string =>
    page(
      "Kettles",
      `<ul role="list" class="grid grid-cols-3">${["Arlo Kettle", "Brook Kettle", "Cove Kettle"]
        .map(
          (name, at) =>
            `<li><article class="card"><a href="/products/k-${at}"><img src="/k${at}.webp" alt=""><h3 class="card__heading">${name}</h3></a><div class="price">${price(40 + at)}</div></article></li>`,
        )
        .join("")}</ul>`,
    );
  const PLAIN = ["Arlo Kettle", "Brook Kettle", "Cove Kettle"].map((name, at) => ({
    name,
    price: 40 + at,
  }));
  const SALE = PLAIN.map((row) => ({ ...row, original_price: row.price + 15 }));
  const hidden = (text: string): string => `<span class="visually-hidden">${text}</span>`;

  it.each([
    ["a label before the price", (n: number) => `${hidden("Regular price")}<span>$${n}.00</span>`],
    [
      "a hidden repetition of the price",
      (n: number) => `<span>$${n}.00</span>${hidden(`Regular price $${n}.00`)}`,
    ],
    [
      "a hidden sale block that repeats the price",
      (n: number) =>
        `<div class="price__regular">${hidden("Regular price")}<span>$${n}.00</span></div><div class="price__sale" hidden>${hidden("Regular price")}<s>$${n}.00</s>${hidden("Sale price")}<span>$${n}.00</span></div>`,
    ],
  ])("is left out of cards with %s", (_, price) => {
    expect(readRows(cardsOf(price), "products", ROW)).toEqual(PLAIN);
  });

  it.each([
    ["struck through", (n: number) => `<s>$${n + 15}.00</s> <span>$${n}.00</span>`],
    [
      "labeled for screen readers",
      (n: number) =>
        `${hidden("Regular price")}<s>$${n + 15}.00</s>${hidden("Sale price")}<span>$${n}.00</span>`,
    ],
  ])("is kept beside the price in a sale if it is %s", (_, price) => {
    expect(readRows(cardsOf(price), "products", ROW)).toEqual(SALE);
  });
});

describe("a name with a code in parentheses", () => {
  const STATION = { station_id: STRING, station_name: STRING };
  const stationOf = (value: string): object =>
    readObject(page("Latest", `<dl><dt>Station</dt><dd>${value}</dd></dl>`), STATION);

  it("is divided if the name has four words", () => {
    const given = stationOf("Port Ansel Tide Gauge (PA-204)");
    expect(given).toEqual({ station_id: "PA-204", station_name: "Port Ansel Tide Gauge" });
  });

  it("is divided in the rows of a table", () => {
    const rows = ["Skerrow Buoy (46K12)", "Holm Buoy (46K13)"].map(
      (name) => `<tr><td>${name}</td><td>84 m</td></tr>`,
    );
    const main = `<table><thead><tr><th>Station</th><th>Depth</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
    expect(readRows(page("Stations", main), "stations", STATION)).toEqual([
      { station_id: "46K12", station_name: "Skerrow Buoy" },
      { station_id: "46K13", station_name: "Holm Buoy" },
    ]);
  });

  it.each(["Lake (north)", "Holm Pier (closed)"])("gives no code for %s", (value) => {
    expect(stationOf(value)).not.toHaveProperty("station_id");
  });
});

describe("figures of periods", () => {
  const FIGURES = objectOf({ revenue: NUMBER });
  const PERIODS = { quarter: FIGURES, six_months: FIGURES };
  const table = (heads: string[], rows: string[][]): string =>
    `<div class="overflow-x-auto"><table><thead><tr>${["", ...heads].map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead><tbody>${rows.map(([head, ...cells]) => `<tr><th scope="row">${head}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</tbody></table></div>`;
  const Q2 = "Norrby Marine second-quarter results 2025";
  const revenueOf = (given: unknown): unknown =>
    (given as { revenue?: unknown } | undefined)?.revenue;

  it("leaves six months empty if a list has only the quarter's", () => {
    const main =
      "<dl><dt>Revenue</dt><dd>$412 million</dd><dt>Net income</dt><dd>$38 million</dd></dl>";
    const { six_months } = readObject(page(Q2, main), PERIODS);
    expect(revenueOf(six_months)).toBeUndefined();
  });

  it.fails("keeps the sections of two periods apart", () => {
    const list = (amount: string): string => `<dl><dt>Revenue</dt><dd>${amount}</dd></dl>`;
    const main = `<section><h2>Quarter</h2>${list("412")}</section><section><h2>Six months</h2>${list("803")}</section>`;
    expect(readObject(page(Q2, main), PERIODS)).toEqual({
      quarter: { revenue: 412 },
      six_months: { revenue: 803 },
    });
  });

  it("gives neither period the figure of the other in columns", () => {
    const main = table(
      ["Three months ended June 30", "Six months ended June 30"],
      [["Revenue", "412", "803"]],
    );
    const given = readObject(page(Q2, main), PERIODS);
    expect([undefined, 803]).toContain(revenueOf(given.six_months));
    expect([undefined, 412]).toContain(revenueOf(given.quarter));
  });
});

describe("the names of products in columns", () => {
  const compare = (heads: string[]): string =>
    page(
      "Compare",
      `<div class="overflow-x-auto"><table class="compare"><thead><tr><th></th>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead><tbody><tr><th scope="row">Price</th><td>$89</td><td>$119</td><td>$149</td></tr><tr><th scope="row">Weight</th><td>410 g</td><td>380 g</td><td>350 g</td></tr></tbody></table></div>`,
    );
  const namesIn = (heads: string[]): unknown[] =>
    readRows(compare(heads), "products", { name: STRING, price: NUMBER }).map(({ name }) => name);
  const link = (name: string): string =>
    `<a href="/p/${name.toLowerCase().replaceAll(" ", "-")}">${name}</a>`;
  const NAMES = ["Alder 10", "Birch 20", "Cedar 30"] as const;
  const [alder, birch, cedar] = NAMES;

  it.each([
    ["a badge", '<span class="badge">Our choice</span>'],
    [
      "a badge and a picture",
      '<span class="pill bg-green-100">Best value</span><img src="/b.webp" alt="">',
    ],
  ])("are those of the links after %s", (_, badge) => {
    expect(namesIn([link(alder), `${badge}${link(birch)}`, link(cedar)])).toEqual(NAMES);
  });

  it("are those of the links if each has its own badge", () => {
    const badges = ["Budget pick", "Our choice", "Lightest"];
    const heads = NAMES.map((name, at) => `<span class="badge">${badges[at]}</span> ${link(name)}`);
    expect(namesIn(heads)).toEqual(NAMES);
  });

  it("keep a word beside the name of a plan", () => {
    const plans = ["Free plan", "Pro plan", "Team plan"];
    expect(namesIn(plans)).toEqual(plans);
  });
});

describe("the address of a row among several links", () => {
  const GAMES = [
    ["Harbor FC", "Mill Rovers"],
    ["Dale United", "Fen Athletic"],
    ["Ridge Town", "Cove City"],
  ] as const;
  const team = (name: string): string =>
    `<a href="/team/${name.toLowerCase().replace(" ", "-")}">${name}</a>`;
  const MATCH = { home_team: STRING, away_team: STRING, match_url: STRING };
  const games = (more: (at: number) => string): unknown[] =>
    readRows(
      page(
        "Fixtures",
        `<table><thead><tr><th>Home</th><th>Away</th><th>Kick-off</th><th></th></tr></thead><tbody>${GAMES.map(([home, away], at) => `<tr><td>${team(home)}</td><td>${team(away)}</td><td>15:00</td><td>${more(at)}</td></tr>`).join("")}</tbody></table>`,
      ),
      "matches",
      MATCH,
    ).map(({ match_url }) => match_url);
  const matchUrls = GAMES.map((_, at) => expect.stringMatching(new RegExp(`/match/90${at}$`, "u")));

  it.each(["Tickets", "Form"])("is the link to the match beside one to %s", (text) => {
    const links = (at: number): string =>
      `<a href="/${text.toLowerCase()}/${at}">${text}</a> <a href="/match/90${at}">Details</a>`;
    expect(games(links)).toEqual(matchUrls);
  });

  it("is left out if all links are to teams", () => {
    for (const url of games(() => "TBC")) expect(url).toBeUndefined();
  });

  const PRODUCT = { name: STRING, price: NUMBER, product_url: STRING };
  const lamps = (title: (name: string, at: number) => string, similar: string): unknown[] =>
    readRows(
      page(
        "Lamps",
        `<div class="grid">${["Arc Lamp", "Bell Lamp", "Cone Lamp"].map((name, at) => `<article class="product-card">${title(name, at)}<p>$${60 + at}.00</p><a class="text-sm" href="${similar}${at}">Similar products</a></article>`).join("")}</div>`,
      ),
      "products",
      PRODUCT,
    ).map(({ product_url }) => product_url);

  it.each([
    [
      "in its heading",
      "/products?similar=",
      (name: string, at: number) => `<h3><a href="/lamps/l-${at}">${name}</a></h3>`,
    ],
    [
      "around its heading",
      "/products/similar/",
      (name: string, at: number) => `<a href="/lamps/l-${at}"><h3>${name}</h3></a>`,
    ],
  ])("is the product's link %s, not the one to similar products", (_, similar, title) => {
    expect(lamps(title, similar)).toEqual(
      [0, 1, 2].map((at) => expect.stringMatching(new RegExp(`/lamps/l-${at}$`, "u"))),
    );
  });
});

describe("a list with names only", () => {
  const ROW = { name: STRING, url: STRING };
  const nav = [
    ["Contact us", "/contact"],
    ["Our team", "/team"],
    ["Events", "/events"],
  ]
    .map(([text, href]) => `<li><a href="${href}">${text}</a></li>`)
    .join("");
  const cards = (names: string[], path: string): string =>
    `<ul class="grid">${names.map((name, at) => `<li><a href="${path}${at}"><h3>${name}</h3></a></li>`).join("")}</ul>`;
  const PEOPLE = ["Ada Holm", "Jon Lind", "Mia Roth", "Ola Berg"];

  it.each(["employees", "team", "events", "speakers"])(
    "is not given as %s for a shop's jackets",
    (list) => {
      const main = cards(["Fjell Jacket", "Storm Shell", "Ridge Parka", "Dune Vest"], "/p/");
      const html = page("Jackets", main, { nav });
      expect(readRows(html, list, ROW)).toEqual([]);
      expect(readRows(html, list, { name: STRING })).toEqual([]);
    },
  );

  it("is given as posts for the index of a blog", () => {
    const titles = [
      "Why we moved to Postgres",
      "A week without meetings",
      "Shipping smaller changes",
    ];
    const main = titles
      .map((title, at) => `<article><h2><a href="/blog/${at}-post">${title}</a></h2></article>`)
      .join("");
    const rows = readRows(page("Blog", main, { nav }), "posts", { title: STRING, url: STRING });
    expect(rows.map(({ title }) => title)).toEqual(titles);
    expect(rows.map(({ url }) => url)).toEqual(
      titles.map((_, at) => expect.stringMatching(new RegExp(`/blog/${at}-post$`, "u"))),
    );
  });

  it("is given as employees for people below “Meet us”", () => {
    const main = `<p>A small studio in Leeds.</p><section><h2>Meet us</h2>${cards(PEOPLE, "/about/")}</section>`;
    expect(readRows(page("Studio Brand", main), "employees", ROW).map(({ name }) => name)).toEqual(
      PEOPLE,
    );
  });
});

describe("the contact of another kind", () => {
  const CONTACT = objectOf({ phone: STRING, email: STRING });
  const contactOf = (main: string): Record<string, unknown> =>
    (readObject(
      page(
        "Backend Engineer",
        `<p>Leeds · Full-time</p><h2>Your tasks</h2><p>Build our booking API.</p>${main}`,
      ),
      { technical_contact: CONTACT },
    ).technical_contact ?? {}) as Record<string, unknown>;
  const phone = '<a href="tel:+441134960188">0113 496 0188</a>';
  const mail = '<a href="mailto:mia@norrby.example">mia@norrby.example</a>';

  it.each([
    ["phone in a sentence", `<p>Questions? Call our recruiter Mia Roth on ${phone}.</p>`],
    [
      "phone and email",
      `<aside><h3>Your recruiter</h3><p>Mia Roth</p><p>${phone}</p><p>${mail}</p></aside>`,
    ],
  ])("is not given for a recruiter's %s", (_, main) => {
    expect(contactOf(main)).toEqual({});
  });

  it("is not given for a recruiter's labeled phone", () => {
    expect(
      contactOf(`<dl><dt>Recruiter</dt><dd>Mia Roth</dd><dt>Phone</dt><dd>${phone}</dd></dl>`),
    ).toEqual({});
  });

  it("is given for its own heading", () => {
    const main = `<section><h2>Recruiter</h2><p>Phone: 0113 496 0101</p></section><section><h2>Technical contact</h2><dl><dt>Phone</dt><dd>${phone}</dd><dt>Email</dt><dd>${mail}</dd></dl></section>`;
    const given = contactOf(main);
    expect(given["email"]).toBe("mia@norrby.example");
    expect(String(given["phone"]).replaceAll(/\D/gu, "")).toMatch(/1134960188$/u);
  });
});
