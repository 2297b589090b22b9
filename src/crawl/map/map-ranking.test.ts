import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../../test/growth.ts";
import { rankLinks } from "./map-ranking.ts";

const paths = (links: readonly { url: string }[]): string[] =>
  links.map(({ url }) => new URL(url).pathname);
const link = (path: string, title?: string, description?: string) => ({
  url: `https://site.test${path}`,
  title,
  description,
});

describe("rankLinks", () => {
  const links = [
    link("/about"),
    link("/blog/pricing-of-fish"),
    link("/pricing", "Pricing"),
    link("/contact", "Contact", "Ask us about pricing"),
    link("/team", "Team"),
  ];

  it("keeps only matching links, the best first", () => {
    expect(paths(rankLinks(links, "pricing"))).toEqual([
      "/pricing",
      "/blog/pricing-of-fish",
      "/contact",
    ]);
  });

  it("ranks a rarer word higher", () => {
    const many = [...links, ...Array.from({ length: 20 }, (_, at) => link(`/blog/entry-${at}`))];
    expect(paths(rankLinks(many, "blog fish"))[0]).toBe("/blog/pricing-of-fish");
  });

  it("matches the beginning of a word, ranked after the whole word", () => {
    const found = rankLinks([link("/documentation"), link("/doc")], "doc");
    expect(paths(found)).toEqual(["/doc", "/documentation"]);
  });

  it("keeps all links without search words and none when nothing matches", () => {
    expect(rankLinks(links, " ?! ")).toHaveLength(links.length);
    expect(rankLinks(links, "zeppelin")).toEqual([]);
  });

  it("matches regardless of accents and case", () => {
    expect(paths(rankLinks([link("/x", "Café Müller")], "CAFE muller"))).toEqual(["/x"]);
  });

  it("ranks matches inside a word of path, query or title after whole words and prefixes", () => {
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

  it("matches a search word that a URL splits into several", () => {
    expect(paths(rankLinks([link("/api/parseJson"), link("/api")], "parsejson"))).toEqual([
      "/api/parseJson",
    ]);
  });

  it("keeps the order of links that match the same whole words", () => {
    const found = rankLinks(
      [link("/parse-it-well/so"), link("/unparsed-json-json"), link("/parse")],
      "parse",
    );
    expect(paths(found)).toEqual(["/parse", "/parse-it-well/so", "/unparsed-json-json"]);
  });

  it("ranks links with equal whole words by matches inside words", () => {
    const found = rankLinks([link("/parse/a"), link("/parse/bigjson")], "parse json");
    expect(paths(found)).toEqual(["/parse/bigjson", "/parse/a"]);
  });

  it("matches inside words only outside the host and from three letters on", () => {
    expect(rankLinks([link("/a")], "ite")).toEqual([]);
    expect(rankLinks([link("/nodejs")], "js")).toEqual([]);
  });

  it("ranks links in linear time", () => {
    expectNoSquare((size) => {
      const many = Array.from({ length: size / 4 }, (_, at) =>
        link(`/docs/parsejson-${at}?at=${at}`),
      );
      rankLinks(many, "json docs zeppelin");
    });
  });
});
