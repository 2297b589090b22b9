import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLinkResolver, stripFragment } from "./link-address.ts";

const resolve = createLinkResolver("https://example.com/docs/page.html?q#f");

describe("createLinkResolver", () => {
  it.each([
    ["a.html", "https://example.com/docs/a.html"],
    ["./a.html", "https://example.com/docs/a.html"],
    ["../a", "https://example.com/a"],
    ["/a/b?c=d", "https://example.com/a/b?c=d"],
    ["/a?", "https://example.com/a"],
    ["?x=1", "https://example.com/docs/page.html?x=1"],
    ["//other.example/a", "https://other.example/a"],
    ["https://other.example/a", "https://other.example/a"],
    ["HTTPS://Other.Example/A", "https://other.example/A"],
    ["https://other.example", "https://other.example/"],
    ["https://other.example:443/a", "https://other.example/a"],
    ["https://0x7f.1/a", "https://127.0.0.1/a"],
    ["https://ann:secret@other.example/a", "https://other.example/a"],
    ["/ü b", "https://example.com/%C3%BC%20b"],
    ["/a/%2e%2e/b", "https://example.com/b"],
    ["a\\b", "https://example.com/docs/a/b"],
    ["/a\nb", "https://example.com/ab"],
    ["#/route", "https://example.com/docs/page.html?q#/route"],
  ])("resolves %j to %s", (written, url) => {
    expect(resolve(written)).toBe(url);
  });

  it.each([
    "mailto:a@b.example",
    "javascript:x",
    "data:text/html,x",
    "tel:1",
    "http://",
    "https://a b/",
    "http://[/",
  ])("resolves %j to nothing", (written) => {
    expect(resolve(written)).toBeUndefined();
  });

  it.each([
    [" /a#b ", "/a"],
    ["#b", ""],
    ["#/b", "#/b"],
    ["a#!/b", "a#!/b"],
    ["a#!b/c", "a#!b/c"],
    ["a#guide:tutorial/x", "a"],
    ["\t\n", ""],
    ["", ""],
  ])("removes the fragment of %j, which gives %j", (written, kept) => {
    expect(stripFragment(written)).toBe(kept);
  });

  it("keeps every fragment with a slash on a page of an application", () => {
    expect(stripFragment("#guide/x", true)).toBe("#guide/x");
    expect(stripFragment("a#part", true)).toBe("a");
  });

  it("resolves an address to the same result as the URL parser, on the fast and the slow path", () => {
    const piece = fc.constantFrom(
      "a", "B", "/", "//", ".", "..", "?", "%2e", "%zz", ":", "@", "&", "=", "-", "~", "'", "ü", " ", "\\", "\t", "*", "|", "xn--", "1",
    ); // prettier-ignore
    const start = fc.constantFrom(
      "",
      "/",
      "https://",
      "http://e.example/",
      "https://a.b.example",
      "//h.example/",
      "https:/",
    );
    const written = fc
      .tuple(start, fc.array(piece, { maxLength: 8 }))
      .map(([one, rest]) => one + rest.join(""));
    const base = fc.constantFrom(
      "https://example.com/",
      "http://example.com:8080/a/b?c",
      "https://example.com/x/.y/z",
    );
    fc.assert(
      fc.property(written, base, (text, from) => {
        const url = URL.parse(text, from);
        const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
        const expected =
          url === null || !isWeb ? undefined : url.origin + url.pathname + url.search;
        expect(createLinkResolver(from)(text)).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });
});
