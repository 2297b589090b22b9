import { describe, expect, it } from "vitest";
import { hashIdentity, toCrawlUrl, toIdentity } from "./identity.ts";

const similar = { deduplicateSimilarURLs: true };
const identity = (url: string, rules = {}) => toIdentity(new URL(url), rules);

describe("toCrawlUrl (wire contract 5.4)", () => {
  it.each([
    ["https://a.example/x?y=1#z", "https://a.example/x?y=1"],
    ["https://a.example/#/x", "https://a.example/#/x"],
    ["https://a.example/#!/x", "https://a.example/#!/x"],
    ["https://A.example:443/x?", "https://a.example/x"],
    ["https://ann:secret@a.example/x", "https://a.example/x"],
  ])("converts %s to the crawl URL %s", (url, expected) => {
    expect(toCrawlUrl(new URL(url))).toBe(expected);
  });

  it("removes the query when query parameters are ignored", () => {
    const rules = { ignoreQueryParameters: true };
    expect(toCrawlUrl(new URL("https://a.example/x?y=1#/z"), rules)).toBe("https://a.example/x#/z");
  });
});

describe("toIdentity (wire contract 5.5)", () => {
  it.each([
    ["http://www.a.example/x/", "https://a.example/x"],
    ["https://a.example/x", "https://a.example/x/index.html"],
    ["https://a.example/x", "https://www.a.example/x/index.php"],
    ["https://a.example/", "https://a.example/index.html"],
    ["https://a.example/x?q=1", "http://www.a.example/x/?q=1"],
  ])("treats %s and %s as one page only with deduplicateSimilarURLs", (one, other) => {
    expect(identity(one, similar)).toBe(identity(other, similar));
    expect(identity(one)).not.toBe(identity(other));
  });

  it.each([
    ["https://a.example/x?q=1", "https://a.example/x"],
    ["https://a.example/x?q=1&p=2", "https://a.example/x?p=2&q=1"],
    ["https://a.example/X", "https://a.example/x"],
    ["https://a.example:8443/x", "https://a.example/x"],
    ["https://b.a.example/x", "https://a.example/x"],
    ["https://a.example/x/index.htm", "https://a.example/x"],
    ["https://a.example/#/x", "https://a.example/#/y"],
    ["https://a.example/a%2Fb", "https://a.example/a/b"],
  ])("treats %s and %s as two pages", (one, other) => {
    expect(identity(one, similar)).not.toBe(identity(other, similar));
  });

  it.each([
    ["https://a.example/%7euser/%41", "https://a.example/~user/A"],
    ["https://a.example/%c3%bc?%c3%bc", "https://a.example/ü?ü"],
    ["https://a.example/x#part", "https://a.example/x"],
  ])("treats %s and %s as one page under any rules", (one, other) => {
    expect(identity(one)).toBe(identity(other));
    expect(identity(one, similar)).toBe(identity(other, similar));
  });

  it("ignores queries when query parameters are ignored", () => {
    const rules = { ignoreQueryParameters: true };
    expect(identity("https://a.example/x?q=1", rules)).toBe(identity("https://a.example/x", rules));
  });
});

describe("hashIdentity", () => {
  it("returns a signed 64-bit number of either sign", () => {
    const hashes = Array.from({ length: 64 }, (_, index) =>
      hashIdentity(`https://a.example/${index}`),
    );
    for (const value of hashes) expect(BigInt.asIntN(64, value)).toBe(value);
    expect(hashes.some((value) => value < 0n) && hashes.some((value) => value > 0n)).toBe(true);
    expect(new Set(hashes).size).toBe(64);
  });
});
