import { describe, expect, it } from "vitest";
import { parseQuery, toSite } from "./query.ts";

const words = (text: string) =>
  parseQuery(text).groups.map((group) => group.map(({ text: word }) => word).join("|"));

describe("query parser", () => {
  it("parses words, phrases and exclusions", () => {
    const query = parseQuery('red "old pier" -blue -"new pier"');
    expect(query.groups).toEqual([
      [{ text: "red", isPhrase: false, field: "any" }],
      [{ text: "old pier", isPhrase: true, field: "any" }],
    ]);
    expect(query.without).toEqual([
      { text: "blue", isPhrase: false, field: "any" },
      { text: "new pier", isPhrase: true, field: "any" },
    ]);
  });

  it("joins words with OR and | except at the ends", () => {
    expect(words("a OR b c | d")).toEqual(["a|b", "c|d"]);
    expect(words("OR a OR")).toEqual(["a"]);
    expect(words("a AND b or c")).toEqual(["a", "b", "or", "c"]);
  });

  it("parses operators with and without a space after them", () => {
    const query = parseQuery('intitle:cat inurl:"a b" site: example.com -site:x.test filetype:pdf');
    expect(query.groups.map(([term]) => term)).toMatchObject([
      { text: "cat", field: "title" },
      { text: "a b", field: "url", isPhrase: true },
    ]);
    expect(query.sites).toEqual([{ host: "example.com", path: undefined }]);
    expect(query.withoutSites).toEqual([{ host: "x.test", path: undefined }]);
    expect(query.fileTypes).toEqual(["pdf"]);
  });

  it("applies allintitle: to all following words", () => {
    expect(
      parseQuery("allintitle: a b")
        .groups.flat()
        .map(({ field }) => field),
    ).toEqual(["title", "title"]);
  });

  it("reports unsupported operators and reads unknown prefixes as words", () => {
    expect(parseQuery("related:a.com x").unknown).toEqual(["related:"]);
    expect(words("note:this http://a.b/c")).toEqual(["note:this", "http://a.b/c"]);
  });

  it("accepts malformed queries without throwing", () => {
    for (const text of [
      '"',
      '""',
      "-",
      "site:",
      "-site:",
      "|",
      '"a',
      "site:%%%",
      "a".repeat(500),
      "-- --",
    ])
      expect(() => parseQuery(text), text).not.toThrow();
    expect(words('"open ended')).toEqual(["open ended"]);
  });

  it.each([
    ["example.com", { host: "example.com", path: undefined }],
    ["www.example.com/docs/", { host: "example.com", path: "/docs/" }],
    ["https://a.example.com", { host: "a.example.com", path: undefined }],
    ["*.example.com", { host: "example.com", path: undefined }],
    [".gov", { host: "gov", path: undefined }],
    ["münchen.de", { host: "xn--mnchen-3ya.de", path: undefined }],
  ])("parses site:%s", (text, site) => expect(toSite(text)).toEqual(site));
});
