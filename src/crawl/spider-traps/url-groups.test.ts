import { describe, expect, it } from "vitest";
import { UrlGroups } from "./url-groups.ts";

const at = (path: string): URL => new URL(path, "http://site.test");
const find = (path: string, groups = new UrlGroups()) => groups.find(at(path));

describe("URL groups", () => {
  it.each([
    ["/page/12.html", "/page/#.html", true],
    ["/product?id=7", "/product?id", true],
    ["/product?colour=red", "/product?colour", false],
    ["/shop?b=1&a=2", "/shop?a&b", true],
    ["/s/a1b2c3/about", "/s/*", false],
    ["/a/b/a", "/… (parts that occur at several levels)", false],
    ["/a?x=3f2a91c0b7d4", "/… (made-up parameters)?x", false],
  ])("groups %s by its numbers, ids and parameter names", (path, name, isNumeric) => {
    expect(find(path)).toMatchObject({ name: `site.test${name}`, isNumeric });
  });

  it.each([
    ["/2031/05", true],
    ["/calendar/2031-05-17/", true],
    ["/2024/05/17/a-slug", false],
    ["/cal?month=5", true],
    ["/cal?month=5&colour=red", false],
    ["/list?page=5", false],
  ])("detects whether %s names a date: %s", (path, isDate) => {
    expect(find(path).isDate).toBe(isDate);
  });

  it("merges the names of a directory with very many entries", () => {
    const groups = new UrlGroups();
    const name = (number: number) =>
      `/d/${String.fromCharCode(97 + (number % 26))}${"x".repeat(number)}`;
    expect(find(name(0), groups).name).toBe("site.test/d/a");
    for (let number = 1; number < 100; number++) find(name(number), groups);
    expect(find(name(0), groups).name).toBe("site.test/d/*");
    expect(find(`${name(500)}/below`, groups).name).toBe("site.test/d/*");
    expect(find("/e/a", groups).name).toBe("site.test/e/a");
  });

  it("groups months with their days, and lists with two or more filters, into one family", () => {
    expect(find("/cal/2031/5").family).toBe(find("/cal/2031/5/17").family);
    expect(find("/shop?a=x&b=y").family).toBe(find("/shop?a=x&b=y&c=z").family);
    expect(find("/shop?a=x").family).not.toBe(find("/shop?a=x&b=y").family);
  });
});
