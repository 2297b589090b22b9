import { describe, expect, it } from "vitest";
import { parseHtml } from "../../html/parse/parse.ts";
import { ExtractorPage } from "../extractor-page.ts";
import { runProgram } from "../run-program.ts";
import { learnProgram } from "./learn-program.ts";
import { listWantedFields } from "./wanted-fields.ts";

const open = (body: string, url = "https://shop.example/p"): ExtractorPage =>
  new ExtractorPage({
    document: parseHtml(`<!doctype html><html lang="en-GB"><body>${body}</body></html>`),
    url,
  });

type Example = { readonly body: string; readonly data: unknown };

const learn = (examples: readonly Example[], schema?: Record<string, unknown>) =>
  learnProgram(
    examples.map(({ body, data }) => ({ page: open(body), data })),
    schema === undefined ? {} : listWantedFields(schema),
  );

function replay(
  examples: readonly Example[],
  body: string,
  schema?: Record<string, unknown>,
): unknown {
  const { program, problems } = learn(examples, schema);
  if (program === undefined) throw new Error(JSON.stringify(problems));
  return runProgram(program, open(body)).value;
}

const product = (
  name: string,
  rows: readonly (readonly [string, string])[],
  price: string,
): string =>
  `<header><nav><a href="/">Home</a></nav></header><main class="item"><h1>${name}</h1>
   <div class="buy"><span class="amount">${price}</span></div>
   <table class="facts">${rows.map(([label, value]) => `<tr><td>${label}</td><td>${value}</td></tr>`).join("")}</table></main>`;

describe("learnProgram", () => {
  it("finds values by their labels although rows move or are missing", () => {
    const value = replay(
      [
        {
          body: product(
            "Fjell Jacket",
            [
              ["Brand", "Fjell"],
              ["Weight", "412 g"],
              ["Colour", "Moss"],
            ],
            "£184.00",
          ),
          data: { name: "Fjell Jacket", weight: "412 g", colour: "Moss", price: "£184.00" },
        },
        {
          body: product(
            "Skarv Anorak",
            [
              ["Brand", "Skarv"],
              ["Weight", "290 g"],
              ["Colour", "Ink"],
            ],
            "£129.00",
          ),
          data: { name: "Skarv Anorak", weight: "290 g", colour: "Ink", price: "£129.00" },
        },
      ],
      product(
        "Tind Trousers",
        [
          ["Colour", "Slate"],
          ["Origin", "Norway"],
        ],
        "£102.00",
      ),
    );
    expect(value).toEqual({ name: "Tind Trousers", colour: "Slate", price: "£102.00" });
  });

  it("learns numbers, dates and absolute addresses where the schema declares them", () => {
    const page = (price: string, day: string, slug: string): string =>
      `<main class="deal"><p class="price">Now ${price} only</p><p class="until">Offer ends on ${day}</p><a class="more" href="/deals/${slug}">Read more</a></main>`;
    const schema = {
      type: "object",
      properties: {
        price: { type: "number" },
        ends: { type: "string", format: "date" },
        url: { type: "string", format: "uri" },
      },
    };
    const value = replay(
      [
        {
          body: page("£1,184.00", "3 March 2027", "a"),
          data: { price: "£1,184.00", ends: "3 March 2027", url: "https://shop.example/deals/a" },
        },
        {
          body: page("£99.50", "14 April 2027", "bb"),
          data: { price: 99.5, ends: "2027-04-14", url: "/deals/bb" },
        },
      ],
      page("£2,400.00", "21 May 2027", "c"),
      schema,
    );
    expect(value).toEqual({ price: 2400, ends: "2027-05-21", url: "https://shop.example/deals/c" });
  });

  it("leaves out a number in a unit that cannot be converted, and converts one that can", () => {
    const page = (weight: string): string =>
      `<main class="m"><dl><dt>Weight</dt><dd>${weight}</dd></dl></main>`;
    const schema = { type: "object", properties: { weight: { type: "number" } } };
    const examples = ["412 g", "290 g"].map((weight) => ({ body: page(weight), data: { weight } }));
    expect(replay(examples, page("1.2 kg"), schema)).toEqual({ weight: 1200 });
    expect(replay(examples, page("12 pieces"), schema)).toBeUndefined();
  });

  it("learns records from two examples and leaves out cards that are no records", () => {
    const card = (name: string, price: string): string =>
      `<li class="card"><a href="/p/${name}"><h3>${name}</h3></a><span class="price">${price}</span></li>`;
    const page = (cards: readonly string[]): string =>
      `<main><h1>All</h1><ul class="grid">${cards.join("")}<li class="ad"><h3>Join the club</h3></li></ul></main><aside><ul class="side"><li class="card"><h3>Other</h3><span class="price">£1</span></li></ul></aside>`;
    const value = replay(
      [
        {
          body: page([card("Jacket", "£184"), card("Anorak", "£129"), card("Cap", "£20")]),
          data: [
            { name: "Jacket", price: "£184" },
            { name: "Anorak", price: "£129" },
          ],
        },
      ],
      page([card("Vest", "£60"), card("Sock", "£9")]),
    );
    expect(value).toEqual([
      { name: "Vest", price: "£60" },
      { name: "Sock", price: "£9" },
    ]);
  });

  it("learns rows of a table by their column headers although columns move", () => {
    const page = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
      `<main><table class="t"><thead><tr>${heads.map((head) => `<th>${head}</th>`).join("")}</tr></thead><tbody>${rows
        .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
        .join("")}</tbody></table></main>`;
    const value = replay(
      [
        {
          body: page(
            ["Name", "Depth", "Area"],
            [
              ["Loch A", "12 m", "3 km²"],
              ["Loch B", "40 m", "7 km²"],
              ["Loch C", "8 m", "1 km²"],
            ],
          ),
          data: {
            lakes: [
              { name: "Loch A", area: "3 km²" },
              { name: "Loch C", area: "1 km²" },
            ],
          },
        },
      ],
      page(
        ["Name", "Area", "Depth"],
        [
          ["Loch D", "9 km²", "70 m"],
          ["Loch E", "2 km²", "5 m"],
        ],
      ),
    );
    expect(value).toEqual({
      lakes: [
        { name: "Loch D", area: "9 km²" },
        { name: "Loch E", area: "2 km²" },
      ],
    });
  });

  it("learns records that are spread over rows of one table", () => {
    const story = (title: string, points: number, user: string): string =>
      `<tr class="athing"><td class="title"><a href="/${title}">${title}</a></td></tr><tr><td class="sub"><span class="score">${points} points</span> by <a class="user">${user}</a></td></tr><tr class="spacer"></tr>`;
    const page = (stories: readonly string[]): string =>
      `<main><table class="list">${stories.join("")}</table></main>`;
    const value = replay(
      [
        {
          body: page([
            story("Alpha", 12, "ann"),
            story("Beta", 340, "bob"),
            story("Gamma", 7, "cy"),
          ]),
          data: [
            { title: "Alpha", points: "12", user: "ann" },
            { title: "Gamma", points: "7", user: "cy" },
          ],
        },
      ],
      page([story("Delta", 99, "dee"), story("Eps", 5, "eve")]),
      { type: "array", items: { type: "object", properties: { points: { type: "integer" } } } },
    );
    expect(value).toEqual([
      { title: "Delta", points: 99, user: "dee" },
      { title: "Eps", points: 5, user: "eve" },
    ]);
  });

  it("learns nested replies as records of their own", () => {
    const post = (user: string, text: string, inner = ""): string =>
      `<div class="post"><div class="head"><b class="who">${user}</b></div><p class="text">${text}</p>${inner === "" ? "" : `<div class="replies">${inner}</div>`}</div>`;
    const page = (posts: string): string =>
      `<main><h1>Thread</h1><section class="thread">${posts}</section></main>`;
    const value = replay(
      [
        {
          body: page(
            post("ann", "First words", post("bob", "An answer to the first words")) +
              post("cy", "Other topic"),
          ),
          data: [
            { user: "ann", text: "First words" },
            { user: "bob", text: "An answer to the first words" },
          ],
        },
      ],
      page(
        post("dee", "Hello all", post("eve", "Hi dee", post("fay", "Hi both"))) +
          post("gus", "Bye"),
      ),
    );
    expect(value).toEqual([
      { user: "dee", text: "Hello all" },
      { user: "eve", text: "Hi dee" },
      { user: "fay", text: "Hi both" },
      { user: "gus", text: "Bye" },
    ]);
  });

  it("learns records from one example whose siblings have the same shape", () => {
    const row = (name: string, role: string): string =>
      `<div class="person"><h3>${name}</h3><p>${role}</p></div>`;
    const page = (rows: string): string =>
      `<main><h1>Team</h1><div class="team">${rows}</div></main>`;
    const value = replay(
      [
        {
          body: page(
            row("Ann Lee", "Director") + row("Bob Ray", "Engineer") + row("Cy Poe", "Designer"),
          ),
          data: [{ name: "Ann Lee", role: "Director" }],
        },
      ],
      page(row("Dee Fox", "Lawyer") + row("Eve Orr", "Chemist")),
    );
    expect(value).toEqual([
      { name: "Dee Fox", role: "Lawyer" },
      { name: "Eve Orr", role: "Chemist" },
    ]);
  });

  it("does not learn a short value that stands at several places of the only example", () => {
    const { program, problems } = learn([
      {
        body: `<main class="m"><p class="a">4</p><p class="b">4</p><h1>Cabin</h1></main>`,
        data: { name: "Cabin", beds: "4" },
      },
    ]);
    expect(Object.keys(program?.fields ?? {})).toEqual(["name"]);
    expect(problems).toEqual([
      { field: "beds", reason: "ambiguous", detail: expect.stringContaining("2 places") },
    ]);
  });

  it("names example values that do not occur on their page", () => {
    const { program, problems } = learn([
      { body: "<main class='m'><h1>Cabin</h1></main>", data: { name: "Chalet" } },
    ]);
    expect(program).toBeUndefined();
    expect(problems).toEqual([
      { field: "name", reason: "not_found", detail: '"Chalet" was not found on the page' },
    ]);
  });

  it("keeps a place only if it is empty on examples without the value", () => {
    const page = (tags: string): string => `<main class="m"><h1>Cabin</h1>${tags}</main>`;
    const examples = [
      { body: page(`<p class="tag">Sale</p><p class="old">£30</p>`), data: { old: "£30" } },
      { body: page(`<p class="tag">New</p><p class="note">£5 delivery</p>`), data: { old: null } },
    ];
    expect(replay(examples, page(`<p class="old">£44</p>`))).toEqual({ old: "£44" });
    expect(replay(examples, page(`<p class="note">£5 delivery</p>`))).toBeUndefined();
  });

  it("extracts no values from a page of another template", () => {
    const page = `<main class="item"><div class="buy"><h1>Jacket</h1><span class="amount">£184</span></div></main>`;
    const { program } = learn([{ body: page, data: { name: "Jacket", price: "£184" } }]);
    if (program === undefined) throw new Error("not learned");
    const result = runProgram(
      program,
      open(
        `<main class="article"><div class="story"><h1>Our history</h1><span class="year">1908</span></div></main>`,
      ),
    );
    expect(result).toMatchObject({ value: undefined, confidence: 0 });
    expect(result.missing[""]).toBe("the page is of another template");
  });

  it("extracts no value where two places of equal strength disagree", () => {
    const page = (label: string, linked: string): string =>
      `<script type="application/ld+json">{"@type":"Product","sku":"${linked}"}</script><main class="item"><h1>Thing</h1><dl><dt>Item no.</dt><dd>${label}</dd></dl></main>`;
    const examples = ["FJ-100", "FJ-200"].map((sku) => ({ body: page(sku, sku), data: { sku } }));
    expect(replay(examples, page("FJ-300", "FJ-300"))).toEqual({ sku: "FJ-300" });
    expect(replay(examples, page("FJ-300", "FJ-999"))).toBeUndefined();
  });
});
