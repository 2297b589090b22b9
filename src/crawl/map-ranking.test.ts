import { describe, expect, it } from "vitest";
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
});
