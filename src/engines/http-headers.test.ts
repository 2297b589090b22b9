import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../test/cpu-time.ts";
import { checkHeaders, filterHeadersForRedirect, toAcceptLanguage } from "./http-headers.ts";
import { parseRefresh } from "./http-refresh.ts";

describe("toAcceptLanguage", () => {
  it.each([
    [[], "en-US,en;q=0.9"],
    [["de-DE"], "de-DE,de;q=0.9"],
    [["de-AT", "de", "en-GB"], "de-AT,de;q=0.9,en-GB;q=0.8,en;q=0.7"],
    [["fr", "bad tag", "x\r\ny: z"], "fr"],
    [["*"], "*"],
  ])("toAcceptLanguage(%j) returns %s", (languages, expected) => {
    expect(toAcceptLanguage(languages)).toBe(expected);
  });

  it("toAcceptLanguage never lowers q to zero", () => {
    const many = Array.from(
      { length: 30 },
      (_, index) => `x${String.fromCharCode(97 + (index % 26))}`,
    );
    expect(toAcceptLanguage(many)).not.toMatch(/q=0(,|$)|q=-|q=\d\.\d{3,}/);
  });
});

describe("checkHeaders", () => {
  it("checkHeaders lowercases names and trims values", () => {
    expect(checkHeaders({ "X-Name": " value\t" })).toEqual({
      headers: { "x-name": "value" },
      warnings: [],
    });
  });

  it.each(["Host", "CONNECTION", "Proxy-Anything", "keep-alive", "Trailer", "Expect"])(
    "checkHeaders drops %s",
    (name) => {
      const checked = checkHeaders({ [name]: "x" });
      expect(checked.headers).toEqual({});
      expect(checked.warnings).toEqual([
        `The header ${name} belongs to the connection and was not sent.`,
      ]);
    },
  );
});

describe("filterHeadersForRedirect", () => {
  const headers = {
    accept: "a",
    authorization: "b",
    cookie: "c",
    "x-api-key": "d",
    "x-session-id": "e",
    "x-country": "f",
    "user-agent": "g",
    referer: "h",
  };

  it("keeps all headers on redirects within the origin", () => {
    expect(filterHeadersForRedirect(headers, "sameOrigin")).toBe(headers);
  });

  it("drops credentials on redirects to another origin of the site", () => {
    expect(Object.keys(filterHeadersForRedirect(headers, "sameSite"))).toEqual([
      "accept",
      "x-country",
      "user-agent",
      "referer",
    ]);
  });

  it("keeps only impersonal headers on redirects to other sites", () => {
    expect(Object.keys(filterHeadersForRedirect(headers, "crossSite"))).toEqual([
      "accept",
      "user-agent",
    ]);
  });
});

describe("parseRefresh", () => {
  it.each([
    ["0;url=/a", 0, "/a"],
    ["3; URL='/a b'", 3, "/a b"],
    ['0,url="x"y', 0, "x"],
    ["0 /a", 0, "/a"],
    ["0.5; url = /a", 0, "/a"],
    ["; url=/a", 0, "/a"],
  ])("parseRefresh reads %s as %i s to %s", (value, delaySeconds, location) => {
    expect(parseRefresh(value)).toEqual({ delaySeconds, location });
  });

  it.each(["", "5", "5;", "url=/a", "5; url="])("parseRefresh finds no target in %j", (value) => {
    expect(parseRefresh(value)).toBeUndefined();
  });

  it("parseRefresh takes linear time", () => {
    const started = threadCpuMs();
    parseRefresh(`0${" ".repeat(100_000)}`);
    parseRefresh(`${"0;".repeat(50_000)}`);
    expect(threadCpuMs() - started).toBeLessThan(200);
  });
});
