import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../test/growth.ts";
import { rankLinks } from "./map-ranking.ts";

const paths = (links: readonly { url: string }[]): string[] =>
  links.map(({ url }) => new URL(url).pathname);
const link = (path: string, title?: string, description?: string) => ({
  url: `https://site.test${path}`,
  title,
  description,
});

describe("ranking", () => {
  const links = [
    link("/about"),
    link("/blog/pricing-of-fish"),
    link("/pricing", "Pricing"),
    link("/contact", "Contact", "Ask us about pricing"),
    link("/team", "Team"),
  ];

  it("keeps only what matches, the best first", () => {
    expect(paths(rankLinks(links, "pricing"))).toEqual([
      "/pricing",
      "/blog/pricing-of-fish",
      "/contact",
    ]);
  });

  it("prefers the rarer word", () => {
    const many = [...links, ...Array.from({ length: 20 }, (_, at) => link(`/blog/entry-${at}`))];
    expect(paths(rankLinks(many, "blog fish"))[0]).toBe("/blog/pricing-of-fish");
  });

  it("finds the beginning of a word, after the word itself", () => {
    const found = rankLinks([link("/documentation"), link("/doc")], "doc");
    expect(paths(found)).toEqual(["/doc", "/documentation"]);
  });

  it("keeps everything for a search without words, and nothing for one nobody answers", () => {
    expect(rankLinks(links, " ?! ")).toHaveLength(links.length);
    expect(rankLinks(links, "zeppelin")).toEqual([]);
  });

  it("ignores accents and case", () => {
    expect(paths(rankLinks([link("/x", "Café Müller")], "CAFE muller"))).toEqual(["/x"]);
  });

  it("finds what stands inside a word of path, query or title, after words and their beginnings", () => {
    const found = rankLinks(
      [
        link("/api/parsejson"),
        link("/x", "The new OpenJSON"),
        link("/list?kind=geojson"),
        link("/y", "Else", "all of parsejson"),
        link("/json5"),
        link("/a-page-of-many-other-words-that-is-about-json"),
        link("/about"),
      ],
      "JSON",
    );
    expect(paths(found).slice(0, 2).toSorted()).toEqual([
      "/a-page-of-many-other-words-that-is-about-json",
      "/json5",
    ]);
    expect(paths(found).slice(2).toSorted()).toEqual(["/api/parsejson", "/list", "/x"]);
  });

  it("finds a word that a URL writes as several", () => {
    expect(paths(rankLinks([link("/api/parseJson"), link("/api")], "parsejson"))).toEqual([
      "/api/parseJson",
    ]);
  });

  it("is the same for links that have the words, whatever stands inside others", () => {
    const found = rankLinks(
      [link("/parse-it-well/so"), link("/unparsed-json-json"), link("/parse")],
      "parse",
    );
    expect(paths(found)).toEqual(["/parse", "/parse-it-well/so", "/unparsed-json-json"]);
  });

  it("puts first what has more of the search inside its words, of those that have as many words", () => {
    const found = rankLinks([link("/parse/a"), link("/parse/bigjson")], "parse json");
    expect(paths(found)).toEqual(["/parse/bigjson", "/parse/a"]);
  });

  it("looks inside no words of the host, and for no less than three letters", () => {
    expect(rankLinks([link("/a")], "ite")).toEqual([]);
    expect(rankLinks([link("/nodejs")], "js")).toEqual([]);
  });

  it("takes time in the number of the links", () => {
    expectNoSquare((size) => {
      const many = Array.from({ length: size / 4 }, (_, at) =>
        link(`/docs/parsejson-${at}?at=${at}`),
      );
      rankLinks(many, "json docs zeppelin");
    });
  });
});
