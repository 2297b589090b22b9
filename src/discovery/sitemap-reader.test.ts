import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../test/growth.ts";
import { SitemapReader } from "./sitemap-reader.ts";

const PIECE = " \n".repeat(500);

describe("SitemapReader", () => {
  it("reads any amount of white space before the first element in linear time", () => {
    expectNoSquare((size) => {
      const reader = new SitemapReader();
      for (let at = 0; at < size; at += 100) reader.write(PIECE);
      expect(reader.kind).toBe("other");
      const read = reader.write("<urlset><url><loc>https://example.com/a</loc></url></urlset>");
      const pages = [...read.pages, ...reader.end().pages];
      expect(pages.map(({ address }) => address)).toEqual(["https://example.com/a"]);
      expect(reader.kind).toBe("urlset");
    });
  });
});
