import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCacheUrl, stripWww } from "./cache-url.ts";

describe("toCacheUrl (wire contract 4.8)", () => {
  it.each([
    ["http://www.Example.com:80/a/index.html#top", "https://example.com/a"],
    ["https://example.com:443/", "https://example.com"],
    ["https://example.com/a/", "https://example.com/a"],
    ["https://example.com/a/index.php?x=1", "https://example.com/a?x=1"],
    ["https://example.com/index.shtml", "https://example.com"],
    ["https://example.com/feed/index.xml", "https://example.com/feed"],
    ["https://example.com/my-index.html", "https://example.com/my-index.html"],
    ["https://example.com:8443/a?", "https://example.com:8443/a"],
    ["https://example.com/#/settings", "https://example.com#/settings"],
    ["https://www.com/", "https://www.com"],
  ])("caches %s under %s", (url, key) => {
    expect(toCacheUrl(new URL(url))).toBe(key);
  });

  it("returns no cache key for a URL with a user name", () => {
    expect(toCacheUrl(new URL("https://ann:secret@example.com/"))).toBeUndefined();
    expect(toCacheUrl(new URL("https://ann@example.com/"))).toBeUndefined();
  });
});

describe("withoutWww", () => {
  it("removes www. only if a domain name is left", () => {
    expect(stripWww("www.example.com")).toBe("example.com");
    expect(stripWww("www.com")).toBe("www.com");
    expect(stripWww("wwwx.com")).toBe("wwwx.com");
  });
});

describe("toCacheUrl properties", () => {
  const path = fc
    .array(fc.constantFrom("a", "index.html", "index.php", "", "x.y", "%2F"), { maxLength: 5 })
    .map((parts) => `/${parts.join("/")}`);
  const url = fc
    .tuple(
      fc.constantFrom("http:", "https:"),
      fc.constantFrom("example.com", "www.example.com", "127.0.0.1:8080"),
      path,
      fc.constantFrom("", "?a=1", "?b=2&a=1"),
      fc.constantFrom("", "#x", "#/x"),
    )
    .map((parts) => new URL(parts[0] + "//" + parts.slice(1).join("")));

  it("normalizes a cache URL idempotently", () => {
    fc.assert(
      fc.property(url, (value) => {
        const once = toCacheUrl(value) ?? "";
        expect(toCacheUrl(new URL(once))).toBe(once);
      }),
    );
  });
});
