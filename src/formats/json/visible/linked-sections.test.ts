import { describe, expect, it } from "vitest";
import { NUMBER, pageOf, readRows, STRING } from "../../../../test/understanding/schema-pages.ts";

const card = (href: string, name: string, ...lines: readonly string[]): string =>
  `<li class="card"><a href="${href}"><h3>${name}</h3></a>${lines.map((line) => `<p>${line}</p>`).join("")}</li>`;
const namesOf = (list: string, cards: readonly string[]): unknown[] =>
  readRows(pageOf("en", `<h1>Overview</h1><ul class="grid">${cards.join("")}</ul>`), list, {
    name: STRING,
    price: NUMBER,
    date: STRING,
    location: STRING,
  }).map(({ name }) => name);
const five = ["Alder", "Birch", "Cedar", "Elder", "Hazel"];

describe("records whose link leads to another section of the site", () => {
  it("are kept when only the year in the path differs", () => {
    const posts = five.map((name, at) =>
      card(`/blog/${at === 4 ? 2025 : 2026}/${name}`, name, `${at + 3} March 2026`),
    );
    expect(namesOf("posts", posts)).toEqual(five);
  });

  it("are kept when they have a price like the others", () => {
    const products = five.map((name, at) =>
      card(`/${at === 4 ? "bags" : "shoes"}/${name}`, name, `€${at + 4}9.00`),
    );
    expect(namesOf("products", products)).toEqual(five);
  });

  it("are kept when the link leads to the form of another site", () => {
    const jobs = five.map((name, at) =>
      card(
        at === 4 ? `https://apply.example/forms/${name}` : `/jobs/${name}`,
        name,
        "Full time, Hull",
        "Permanent position",
      ),
    );
    expect(
      readRows(pageOf("en", `<h1>Jobs</h1><ul>${jobs.join("")}</ul>`), "jobs", { title: STRING }),
    ).toHaveLength(5);
  });

  it("are dropped when they lack the date that the others have", () => {
    const posts = five.map((name, at) => card(`/blog/${name}`, name, `${at + 3} March 2026`));
    const teaser = card("/newsletter/join", "Our newsletter", "Four times a year");
    expect(namesOf("posts", posts.toSpliced(2, 0, teaser))).toEqual(five);
  });
});
