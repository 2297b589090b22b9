import { describe, expect, it } from "vitest";
import { isLocalhostName, parseHost } from "./host.ts";
import { classifyRedirect, resolveLocation } from "./redirect.ts";
import { buildBasicAuthorization, stripUserinfo } from "./userinfo.ts";

const reach = (from: string, to: string) => classifyRedirect(new URL(from), new URL(to));

describe("resolveLocation", () => {
  it.each([
    ["/b", "https://a.example/b#top"],
    ["?q", "https://a.example/x/y?q#top"],
    ["z#other", "https://a.example/x/z#other"],
    ["//b.example/", "https://b.example/#top"],
    [" https://b.example/ ", "https://b.example/#top"],
    ["z#", "https://a.example/x/z#"],
  ])("resolves the location %s to %s", (location, expected) => {
    expect(resolveLocation(location, new URL("https://a.example/x/y#top"))?.href).toBe(expected);
  });

  it("returns undefined for an invalid URL", () => {
    expect(resolveLocation("http://[", new URL("https://a.example/"))).toBeUndefined();
  });
});

describe("classifyRedirect", () => {
  it.each([
    ["https://a.example/x", "https://a.example/y", "sameOrigin"],
    ["http://a.example/", "https://a.example/", "sameOrigin"],
    ["https://a.example/", "http://a.example/", "crossSite"],
    ["https://a.example/", "https://a.example:8443/", "sameSite"],
    ["http://a.example:8080/", "https://a.example/", "sameSite"],
    ["https://example.com/", "https://www.example.com/", "sameSite"],
    ["https://a.co.uk/", "https://b.co.uk/", "crossSite"],
    ["https://a.github.io/", "https://b.github.io/", "crossSite"],
    ["https://example.com/", "https://example.org/", "crossSite"],
    ["http://127.0.0.1:1/", "http://127.0.0.2:1/", "crossSite"],
  ])("classifies the redirect from %s to %s as %s", (from, to, expected) => {
    expect(reach(from, to)).toBe(expected);
  });
});

describe("userinfo", () => {
  it("turns userinfo into Basic authorization and removes it from the URL", () => {
    const url = new URL("https://ann:s%C3%A9cret%@a.example/x?y");
    expect(buildBasicAuthorization(url)).toBe(
      `Basic ${Buffer.from("ann:s%C3%A9cret%", "utf8").toString("base64")}`,
    );
    expect(stripUserinfo(url).href).toBe("https://a.example/x?y");
    expect(buildBasicAuthorization(new URL("https://ann:p%40ss@a.example/"))).toBe(
      `Basic ${Buffer.from("ann:p@ss").toString("base64")}`,
    );
    expect(buildBasicAuthorization(new URL("https://a.example/"))).toBeUndefined();
  });
});

describe("host names", () => {
  it("normalizes case, trailing dots, full-width letters and IDN dots of host names", () => {
    for (const text of [
      "LOCALHOST",
      "localhost.",
      "localhost..",
      "ｌｏｃａｌｈｏｓｔ",
      "localhost。",
    ]) {
      expect(parseHost(text)).toEqual({ kind: "name", name: "localhost" });
    }
    expect(parseHost("")).toBeUndefined();
    expect(parseHost("...")).toBeUndefined();
    expect(parseHost("a b")).toBeUndefined();
  });

  it("treats localhost and its subdomains as this machine", () => {
    expect(isLocalhostName("localhost")).toBe(true);
    expect(isLocalhostName("a.b.localhost")).toBe(true);
    expect(isLocalhostName("notlocalhost")).toBe(false);
    expect(isLocalhostName("localhost.example")).toBe(false);
  });
});
