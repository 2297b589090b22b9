import path from "node:path";
import { array, assert, constantFrom, oneof, property, string, webUrl } from "fast-check";
import { describe, expect, it } from "vitest";
import { toPagePath, toPathKey } from "./page-path.ts";

const nasty = constantFrom(
  "..",
  ".",
  "%2e%2e",
  "..%2f..%2f",
  "%00",
  "%5c..%5c",
  "CON",
  "nul.txt",
  "a".repeat(400),
  "~",
  "-rf",
  " ",
  "ä".repeat(200),
  "index.html",
  "x.md",
  "%ff%fe",
  ":",
  "a:b",
  "*?<>|",
  "\u202egnp.exe",
  ".git",
  "com¹",
  "%",
);
const segment = oneof(nasty, string({ unit: "binary", maxLength: 60 }), string({ maxLength: 20 }));
const url = oneof(
  webUrl({ withQueryParameters: true, withFragments: true }),
  array(segment, { maxLength: 12 }).map((segments) => `http://site.test/${segments.join("/")}`),
  array(segment, { maxLength: 3 }).map(
    (parts) => `https://[::1]:8080/a?${parts.join("&")}#/${parts.join("/")}`,
  ),
  string({ unit: "binary" }),
);

describe("file path of a page", () => {
  it("page paths never lead outside of the folder", () => {
    assert(
      property(url, (address) => {
        const place = toPagePath(address);
        const inside = path.posix.resolve("/out", `${place}.md`).startsWith("/out/");
        const insideWindows = path.win32.resolve("C:\\out", `${place}.md`).startsWith("C:\\out\\");
        return inside && insideWindows && !path.posix.isAbsolute(place);
      }),
      { numRuns: 2_000 },
    );
  });

  it("page paths consist of names that every file system accepts", () => {
    const isTaken = (name: string): boolean =>
      /^[\p{L}\p{M}\p{N}._~@=+,()-]+$/u.test(name) &&
      !/^\.|\.$/.test(name) &&
      !/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i.test(name) &&
      Buffer.byteLength(name) <= 160;
    assert(
      property(url, (address) => toPagePath(address).split("/").every(isTaken)),
      { numRuns: 2_000 },
    );
  });

  it("page paths are deterministic and short enough for a deep folder", () => {
    assert(
      property(url, (address) => {
        const place = toPagePath(address);
        return Buffer.byteLength(place) <= 345 && toPagePath(address) === place;
      }),
    );
  });

  it("page paths never use the name of a possible file as a folder", () => {
    assert(
      property(url, (address) =>
        toPagePath(address)
          .split("/")
          .slice(0, -1)
          .every((name) => !/\.(md|html|json|ndjson)$/i.test(name)),
      ),
    );
  });

  it.each([
    ["https://example.com/", "example.com/index"],
    ["https://example.com", "example.com/index"],
    ["https://example.com/docs/", "example.com/docs/index"],
    ["https://example.com/docs/Guide.html", "example.com/docs/Guide"],
    ["https://example.com/docs/guide.html/more", "example.com/docs/guide.html_/more"],
    ["http://127.0.0.1:8080/a/b.htm?page=2&sort=up", "127.0.0.1_8080/a/b_page=2_sort=up"],
    ["https://example.com/caf%C3%A9/%E6%97%A5%E6%9C%AC", "example.com/café/日本"],
    ["https://example.com/app#/settings/users", "example.com/app__settings_users"],
    ["https://example.com/page#part", "example.com/page"],
    ["https://example.com/.env", "example.com/_env"],
    ["https://example.com/a/..%2f..%2fetc%2fpasswd", "example.com/a/_._.._etc_passwd"],
    ["https://example.com/aux.html", "example.com/_aux"],
    ["https://example.com/v1.2", "example.com/v1.2"],
  ])("converts %s to the path %s", (address, expected) =>
    expect(toPagePath(address)).toBe(expected),
  );

  it("compares paths regardless of case and normal form", () => {
    expect(toPathKey("a/Straße")).toBe(toPathKey("A/STRASSE"));
    expect(toPathKey("caf\u00e9")).toBe(toPathKey("cafe\u0301"));
    expect(toPathKey("a")).not.toBe(toPathKey("b"));
  });
});
