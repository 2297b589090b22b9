import { describe, expect, it } from "vitest";
import { UPLOAD_HOST } from "../contract/page/upload-host.ts";
import {
  allowsHost,
  assertHostAllowed,
  assertPageReadable,
  coversHosts,
  parseHostPattern,
} from "./allow-hosts.ts";

describe("host patterns of keys", () => {
  it.each([
    ["example.com", "http://example.com/a", true],
    ["example.com", "https://EXAMPLE.com.:8443/", true],
    ["example.com", "http://www.example.com/", false],
    ["example.com", "http://example.com.evil.test/", false],
    ["*.example.com", "http://a.b.example.com/", true],
    ["*.example.com", "http://example.com/", false],
    ["*.example.com", "http://notexample.com/", false],
    ["BÜCHER.example", "http://xn--bcher-kva.example/", true],
    ["127.0.0.1", "http://2130706433/", true],
    ["[::1]", "http://[0:0:0:0:0:0:0:1]/", true],
  ])("matches the pattern %s with %s: %s", (pattern, url, allowed) => {
    expect(allowsHost([pattern], new URL(url))).toBe(allowed);
  });

  it("accepts only host names as patterns", () => {
    for (const wrong of ["", "*", "*.", "http://a.example", "a.example:80", "a/b", "a b", "u@a"])
      expect(parseHostPattern(wrong), wrong).toBeUndefined();
  });

  it("allows any host without a list and none with an empty list", () => {
    expect(allowsHost(undefined, new URL("http://a.example/"))).toBe(true);
    expect(allowsHost([], new URL("http://a.example/"))).toBe(false);
  });

  it("names the rejected host and the key's patterns in the error", () => {
    const key = { keyName: "desk", allowHosts: ["a.example", "*.b.example"] };
    expect(() => assertHostAllowed(key, new URL("http://c.example/"))).toThrow(
      'The key "desk" is not allowed to fetch from c.example. Allowed hosts: a.example, *.b.example.',
    );
    expect(() =>
      assertHostAllowed({ keyName: "", allowHosts: [] }, new URL("http://c.example/")),
    ).toThrow("The key is not allowed to fetch from c.example. Allowed hosts: none.");
  });

  it("lets a key with hosts read stored pages of its hosts and uploaded files", () => {
    const key = { keyName: "desk", allowHosts: ["a.example"] };
    for (const url of [
      "https://a.example/x",
      `http://${UPLOAD_HOST}/report.pdf`,
      "report.pdf",
      null,
    ])
      expect(() => assertPageReadable(key, url), String(url)).not.toThrow();
    for (const url of ["https://b.example/", `http://x.${UPLOAD_HOST}/a.pdf`])
      expect(() => assertPageReadable(key, url), url).toThrow("is not allowed to read pages of");
  });
});

describe("coversHosts", () => {
  it.each([
    [undefined, undefined, true],
    [undefined, ["a.test"], true],
    [["a.test"], undefined, false],
    [["a.test", "b.test"], ["B.test."], true],
    [["a.test"], ["a.test", "b.test"], false],
    [["*.a.test"], ["x.a.test", "*.y.a.test", "*.a.test"], true],
    [["*.a.test"], ["a.test"], false],
    [["x.a.test"], ["*.a.test"], false],
  ])("coversHosts of %j over %j is %s", (outer, inner, covers) => {
    expect(coversHosts(outer, inner)).toBe(covers);
  });
});
