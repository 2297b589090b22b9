import { describe, expect, it } from "vitest";
import { pageOf, readObject, STRINGS } from "../../../../test/understanding/schema-pages.ts";

const read = (lang: string, main: string, name: string): unknown =>
  readObject(pageOf(lang, main), { [name]: STRINGS })[name];
const facts = (...pairs: readonly (readonly [string, string])[]): string =>
  `<dl class="facts">${pairs.map(([label, value]) => `<div><dt>${label}</dt><dd>${value}</dd></div>`).join("")}</dl>`;
const list = (...items: readonly string[]): string =>
  `<ul>${items.map((text) => `<li>${text}</li>`).join("")}</ul>`;
const FRENCH = facts(["Superficie", "112 m²"], ["Chambres", "3"], ["Chauffage", "Gaz"]);

describe("features as strings", () => {
  it.each([
    ["fr", `<h1>Maison de ville</h1>${FRENCH}`],
    [
      "en",
      `<h1>Town house</h1>${facts(["Floor area", "112 m²"], ["Bedrooms", "3"], ["Heating", "Gas"])}`,
    ],
    [
      "de",
      `<h1>Reihenhaus</h1><h2>Merkmale</h2>${facts(["Wohnfläche", "112 m²"], ["Zimmer", "4"], ["Baujahr", "1978"])}`,
    ],
    [
      "en",
      `<h1>Camera</h1>${list("<b>Weight:</b> 410 g", "<b>Sensor:</b> 24 MP", "<b>Mount:</b> X")}`,
    ],
    [
      "es",
      `<h1>Piso</h1><table><tr><th>Superficie</th><td>84 m²</td></tr><tr><th>Planta</th><td>3</td></tr><tr><th>Año</th><td>1999</td></tr></table>`,
    ],
  ])("leave out labels with values (%s): %s", (lang, main) => {
    expect(read(lang, main, "features") ?? []).toEqual([]);
  });

  it.each([
    [
      "en",
      `<h1>Town house</h1><h2>Features</h2>${list("South-facing garden", "Underfloor heating", "Bicycle shed")}`,
      ["South-facing garden", "Underfloor heating", "Bicycle shed"],
    ],
    [
      "en",
      `<h1>Town house</h1>${facts(["Floor area", "112 m²"], ["Bedrooms", "3"])}<h2>Features</h2>${list("South-facing garden", "Bicycle shed", "Attic")}`,
      ["South-facing garden", "Bicycle shed", "Attic"],
    ],
    [
      "de",
      `<h1>Kamera</h1><h2>Merkmale</h2>${list("Wasserdicht", "Klappbares Display", "Zwei Kartenfächer")}`,
      ["Wasserdicht", "Klappbares Display", "Zwei Kartenfächer"],
    ],
  ])("are the items below their heading (%s): %s", (lang, main, expected) => {
    expect(read(lang, main, "features")).toEqual(expected);
  });

  it.fails.each([
    [
      "a table",
      "<table><tr><th>Weight</th><td>410 g</td></tr><tr><th>Sensor</th><td>24 MP</td></tr></table>",
    ],
    ["labels in bold", list("<b>Weight:</b> 410 g", "<b>Sensor:</b> 24 MP", "<b>Mount:</b> X")],
    ["labels with colons", list("Weight: 410 g", "Sensor: 24 MP", "Mount: X")],
  ])("leave out %s below a heading of features", (_, listed) => {
    expect(read("en", `<h1>Camera</h1><h2>Features</h2>${listed}`, "features") ?? []).toEqual([]);
  });

  it("may be specifications with their labels", () => {
    const value = read(
      "fr",
      `<h1>Maison de ville</h1><h2>Caractéristiques</h2>${FRENCH}`,
      "specifications",
    ) as string[] | undefined;
    for (const text of value ?? []) expect(text).toMatch(/Superficie|Chambres|Chauffage/u);
  });
});

describe("tags as strings", () => {
  const HEADED = "<ul><li>Kitchen</li><li>Storage</li><li>Winter</li></ul>";
  const three = ["Kitchen", "Storage", "Winter"];
  const taggedAs = (tags: string): string => `<h1>Storing onions</h1><p>Keep them dry.</p>${tags}`;

  it.each([
    ["en", "tags", `<h2>Tags</h2>${HEADED}`, three],
    ["en", "topics", `<h2>Topics</h2>${HEADED}`, three],
    ["en", "amenities", `<h2>Amenities</h2>${HEADED}`, three],
    [
      "en",
      "tags",
      '<p class="tags">Tags: <a href="/t/a">Kitchen</a>, <a href="/t/b">Storage</a></p>',
      ["Kitchen", "Storage"],
    ],
  ])("are taken from their list (%s, %s)", (lang, name, tags, expected) => {
    expect(read(lang, taggedAs(tags), name)).toEqual(expected);
  });

  it.fails.each([
    [
      "en",
      "tags",
      '<ul class="tags"><li><a href="/tag/a">Kitchen</a></li><li><a href="/tag/b">Storage</a></li><li><a href="/tag/c">Winter</a></li></ul>',
      three,
    ],
    [
      "de",
      "tags",
      '<div class="tag-list"><a rel="tag" href="/t/a">Küche</a><a rel="tag" href="/t/b">Lager</a></div>',
      ["Küche", "Lager"],
    ],
    [
      "en",
      "features",
      '<ul class="features"><li>Kitchen</li><li>Storage</li><li>Winter</li></ul>',
      three,
    ],
  ])("are taken from a list that only its class names (%s, %s)", (lang, name, tags, expected) => {
    expect(read(lang, taggedAs(tags), name)).toEqual(expected);
  });

  it("do not take the site's navigation", () => {
    const main = taggedAs(
      '<nav><ul><li><a href="/a">About</a></li><li><a href="/b">Blog</a></li></ul></nav>',
    );
    expect(read("en", main, "tags") ?? []).toEqual([]);
  });
});
