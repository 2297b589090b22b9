import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCrawlUrl, toIdentity } from "./identity.ts";

const part = fc.constantFrom(
  "a",
  "A",
  "index.html",
  "index.php",
  "",
  "x.y",
  "%2F",
  "%7e",
  "%C3%bc",
);
const url = fc
  .tuple(
    fc.constantFrom("http:", "https:"),
    fc.constantFrom("example.com", "www.example.com", "127.0.0.1:8080", "www.com"),
    fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join("/")}`),
    fc.constantFrom("", "?", "?a=1", "?b=2&a=1"),
    fc.constantFrom("", "#x", "#/x"),
  )
  .map(([scheme, ...rest]) => new URL(`${scheme}//${rest.join("")}`));
const rules = fc.record({
  ignoreQueryParameters: fc.boolean(),
  deduplicateSimilarURLs: fc.boolean(),
});

describe("URL identity properties", () => {
  it("gives a crawl URL the identity of its source URL, and is idempotent", () => {
    fc.assert(
      fc.property(url, rules, (value, rule) => {
        const page = toCrawlUrl(value, rule);
        expect(toCrawlUrl(new URL(page), rule)).toBe(page);
        expect(toIdentity(new URL(page), rule)).toBe(toIdentity(value, rule));
      }),
    );
  });

  it("computes the identity idempotently", () => {
    fc.assert(
      fc.property(url, rules, (value, rule) => {
        const once = toIdentity(value, rule);
        expect(toIdentity(new URL(once, "https://base.example"), rule)).toBe(once);
      }),
    );
  });

  it("never separates URLs by coarser rules that finer rules treat as equal", () => {
    fc.assert(
      fc.property(url, rules, (value, rule) => {
        const twin = new URL(toIdentity(value));
        expect(toIdentity(twin, rule)).toBe(toIdentity(value, rule));
      }),
    );
  });

  it("ignores www, scheme, trailing slash and index file for similar URLs", () => {
    fc.assert(
      fc.property(url, (value) => {
        fc.pre(value.port === "" && !value.pathname.endsWith("/") && value.host === "example.com");
        const rule = { deduplicateSimilarURLs: true };
        const tail = `${value.search}${value.hash}`;
        for (const scheme of ["http", "https"])
          for (const host of ["example.com", "www.example.com"])
            for (const end of ["", "/", "/index.html", "/index.php", "/index.html/"]) {
              const spelling = new URL(`${scheme}://${host}${value.pathname}${end}${tail}`);
              expect(toIdentity(spelling, rule)).toBe(toIdentity(value, rule));
            }
      }),
    );
  });
});
