import { describe, expect, it } from "vitest";
import { hashIdentity, toIdentity } from "../../url/identity.ts";
import { toDuplicateKeys } from "./duplicate-keys.ts";

const rules = { startUrl: "https://a.test/", deduplicateSimilarURLs: true };
const page = { statusCode: 200, body: new TextEncoder().encode("text") };
const identityOf = (url: string): bigint => hashIdentity(toIdentity(new URL(url), rules));
const targetOf = (final: string, canonical?: string) =>
  toDuplicateKeys(new URL(final), canonical, rules, page).target;

describe("page identity", () => {
  it("identifies a page by its final URL", () => {
    expect(targetOf("https://www.a.test/b/")).toEqual({
      identity: identityOf("https://a.test/b"),
      by: "redirect",
    });
  });

  it("accepts a canonical URL that only drops or changes parameters", () => {
    const canonical = { identity: identityOf("https://a.test/b"), by: "canonical" };
    expect(targetOf("https://a.test/b?utm_source=x", "https://a.test/b")).toEqual(canonical);
    expect(targetOf("https://a.test/b?sid=1&x=2", "https://a.test/b?x=2")).toMatchObject({
      by: "canonical",
    });
  });

  it.each([
    ["another page", "https://a.test/b?x=1", "https://a.test/"],
    ["another site", "https://a.test/b?x=1", "https://b.test/b"],
    ["the first page of a list", "https://a.test/b?page=2", "https://a.test/b"],
    ["itself", "https://a.test/b?x=1", "https://a.test/b?x=1"],
  ])("rejects a canonical URL that names %s", (_what, final, canonical) => {
    expect(targetOf(final, canonical)).toEqual({ identity: identityOf(final), by: "redirect" });
  });

  it("compares page bytes only when enabled, and only of successful pages with a body", () => {
    const final = new URL("https://a.test/b");
    const same = (given: object, with_ = rules) =>
      toDuplicateKeys(final, undefined, with_, { ...page, ...given }).content;
    expect(same({})).toBe(same({ body: new TextEncoder().encode("text") }));
    expect(same({})).not.toBe(same({ body: new TextEncoder().encode("other") }));
    expect(same({ statusCode: 404 })).toBeUndefined();
    expect(same({ body: new Uint8Array() })).toBeUndefined();
    expect(same({}, { ...rules, deduplicateSimilarURLs: false })).toBeUndefined();
  });
});
