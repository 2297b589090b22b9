import { describe, expect, it } from "vitest";
import { resolveUrl } from "../contract/request/url.ts";
import { removeUserinfoFromText } from "./userinfo.ts";

describe("removeUserinfoFromText", () => {
  it.each([
    ["http://desk:secret@Example.com/A?b#c", "http://Example.com/A?b#c"],
    ["  HTTPS://desk:se%40cret@example.com ", "  HTTPS://example.com "],
    ["//desk:secret@example.com/a", "//example.com/a"],
    ["desk@example.com/a", "example.com/a"],
    ["http://a@b:secret@example.com/@x", "http://example.com/@x"],
    ["http:desk:secret@example.com", "http:example.com"],
    ["http:\\\\desk:secret@example.com/a@b", "http:\\\\example.com/a@b"],
    ["http://example.com/a?mail=x@y.example", "http://example.com/a?mail=x@y.example"],
    ["http://desk@:8080@example.com:81/", "http://example.com:81/"],
  ])("removes the userinfo from %s", (text, shown) => {
    expect(removeUserinfoFromText(text, new URL(resolveUrl(text)))).toBe(shown);
  });

  it("falls back to the serialized URL for a spelling that it cannot cut", () => {
    const text = "http:/\t/desk:secret@Example.com/a";
    expect(removeUserinfoFromText(text, new URL(resolveUrl(text)))).toBe("http://example.com/a");
  });
});
