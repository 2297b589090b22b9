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
  ])("%s is fetched as %s", (url, expected) => {
    expect(toCrawlUrl(new URL(url))).toBe(expected);
  });

  it("leaves the query out when it is ignored", () => {
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
  ])("%s and %s are one page only when similar ones are", (one, other) => {
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
  ])("%s and %s are two pages", (one, other) => {
    expect(identity(one, similar)).not.toBe(identity(other, similar));
  });

  it.each([
    ["https://a.example/%7euser/%41", "https://a.example/~user/A"],
    ["https://a.example/%c3%bc?%c3%bc", "https://a.example/ü?ü"],
    ["https://a.example/x#part", "https://a.example/x"],
  ])("%s and %s are one page under any rules", (one, other) => {
    expect(identity(one)).toBe(identity(other));
    expect(identity(one, similar)).toBe(identity(other, similar));
  });

  it("drops queries when they are ignored", () => {
    const rules = { ignoreQueryParameters: true };
    expect(identity("https://a.example/x?q=1", rules)).toBe(identity("https://a.example/x", rules));
  });
});

describe("hashIdentity", () => {
  it("is a signed 64-bit number that uses both signs", () => {
    const hashes = Array.from({ length: 64 }, (_, index) =>
      hashIdentity(`https://a.example/${index}`),
    );
    for (const value of hashes) expect(BigInt.asIntN(64, value)).toBe(value);
    expect(hashes.some((value) => value < 0n) && hashes.some((value) => value > 0n)).toBe(true);
    expect(new Set(hashes).size).toBe(64);
  });
});
