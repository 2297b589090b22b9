import { describe, expect, it } from "vitest";
import {
  compileScope,
  judgeUrl,
  computeLinkDepth,
  findScopeRule,
  type Candidate,
  type ScopeRules,
} from "./scope.ts";

const START = "https://www.example.com/docs/";
const judge = (url: string, rules: Partial<ScopeRules> = {}, candidate: Partial<Candidate> = {}) =>
  judgeUrl(
    { url, depth: 1, source: "link", ...candidate },
    compileScope({ startUrl: START, ...rules }),
  );
const verdict = (...args: Parameters<typeof judge>) => {
  const judgement = judge(...args);
  return judgement.accepted ? judgement.reach : `${judgement.fate}: ${judgement.reason}`;
};

describe("crawl scope by host (wire contract 5.4)", () => {
  it.each([
    ["https://example.com/docs/a", {}, "site"],
    ["http://www.example.com/docs/a", {}, "site"],
    ["https://blog.example.com/a", {}, "allowSubdomains"],
    ["https://blog.example.com/a", { allowSubdomains: true }, "subdomain"],
    ["https://blog.example.com/", { allowSubdomains: true }, "subdomain"],
    ["https://blog.example.com/a", { allowExternalLinks: true }, "subdomain"],
    ["https://other.example/a", {}, "allowExternalLinks"],
    ["https://other.example/a", { allowSubdomains: true }, "allowExternalLinks"],
    ["https://other.example/a", { allowExternalLinks: true }, "external"],
    ["https://other.example/", { allowExternalLinks: true }, "homepage of another site"],
    ["https://other.example", { allowExternalLinks: true }, "homepage of another site"],
    ["https://other.example/?id=1", { allowExternalLinks: true }, "external"],
    ["https://www.facebook.com/a", { allowExternalLinks: true }, "facebook.com"],
    ["https://github.com/a/b", { allowExternalLinks: true }, "github.com"],
    ["https://a.github.io/b", { allowExternalLinks: true }, "external"],
    ["https://example.com:8443/docs/a", {}, "is another host of the domain"],
    ["mailto:ann@example.com", {}, "links of mailto:"],
    ["javascript:void(0)", {}, "links of javascript:"],
    ["ftp://example.com/docs/a", {}, "links of ftp:"],
    ["https://", {}, "not a URL"],
    ["http://[::1", {}, "not a URL"],
    ["", {}, "not a URL"],
  ])("judges %s by its host with %j: %s", (url, rules, expected) => {
    const isEntered = ["site", "subdomain", "external"].includes(expected);
    expect(verdict(url, rules)).toEqual(
      isEntered ? expected : expect.stringMatching(`^scope: .*${expected}`),
    );
  });

  it.each([
    ["https://example.com/blog/", {}, "path"],
    ["https://example.com/docs/a", { includePaths: ["/b"] }, "include"],
    ["https://example.com/docs/a", { excludePaths: ["/b", "/a"] }, "exclude"],
    ["https://blog.example.com/a", {}, "subdomain"],
    ["https://other.example/a", {}, "external"],
    ["https://other.example/", { allowExternalLinks: true }, "external"],
    ["https://github.com/a/b", {}, "never"],
    ["mailto:ann@example.com", {}, "never"],
    ["http://[::1", {}, "never"],
    ["https://example.com/docs/logout", { avoidLogout: true }, "never"],
  ])("refuses %s with %j by the rule %3$s", (url, rules, rule) => {
    const judgement = judge(url, rules);
    const reason = judgement.accepted ? "" : judgement.reason;
    expect(findScopeRule(reason)).toBe(rule);
    expect(findScopeRule(`redirects out of scope to ${url}: ${reason}`)).toBe(rule);
  });

  it("treats different names under a public suffix as different sites", () => {
    const rules = { startUrl: "https://ann.github.io/", allowSubdomains: true };
    expect(verdict("https://bob.github.io/x", rules)).toContain("another site");
    const british = { startUrl: "https://ann.co.uk/", allowSubdomains: true };
    expect(verdict("https://bob.co.uk/x", british)).toContain("another site");
    expect(verdict("https://shop.ann.co.uk/x", british)).toBe("subdomain");
  });

  it("follows a social site if the crawl starts there", () => {
    expect(verdict("https://github.com/a/b/issues", { startUrl: "https://github.com/a/b" })).toBe(
      "site",
    );
  });

  it("does not follow links found on other sites, not even back", () => {
    const rules = { allowExternalLinks: true };
    expect(verdict("https://example.com/docs/a", rules, { fromExternal: true })).toContain(
      "another site",
    );
  });

  it("compares IP addresses and ports exactly", () => {
    const rules = { startUrl: "http://127.0.0.1:8080/", allowSubdomains: true };
    expect(verdict("http://127.0.0.1:8080/a", rules)).toBe("site");
    expect(verdict("http://127.0.0.1:9090/a", rules)).toContain("another site");
    expect(verdict("http://127.0.0.2:8080/a", rules)).toContain("another site");
  });
});

describe("crawl scope by path", () => {
  it.each([
    ["https://example.com/docs/a", {}, "site"],
    ["https://example.com/docs", {}, "site"],
    ["https://example.com/blog/", {}, "not below /docs/"],
    ["https://example.com/", {}, "not below /docs/"],
    ["https://example.com/blog/", { crawlEntireDomain: true }, "site"],
    ["https://blog.example.com/b", { allowSubdomains: true }, "subdomain"],
    ["https://example.com/a", { startUrl: "https://example.com/index.html" }, "site"],
    ["https://example.com/docs/b", { startUrl: "https://example.com/docs/index.php" }, "site"],
    ["https://example.com/b", { startUrl: "https://example.com/pages.xml.gz" }, "site"],
    ["https://example.com/docs/b", { startUrl: "https://example.com/docs/rss" }, "site"],
    [
      "https://example.com/b",
      { startUrl: "https://example.com/docs/feed.xml" },
      "not below /docs/ (",
    ],
    ["https://example.com/docs-2", { startUrl: "https://example.com/docs" }, "site"],
    ["https://example.com/docs/x.PNG", {}, "fileType: .png"],
    ["https://example.com/docs/x.tar.gz", {}, "fileType: .gz"],
    ["https://example.com/docs/x.pdf", {}, "site"],
    ["https://example.com/docs/x?f=y.png", {}, "site"],
    ["https://example.com/docs/v1.zip/", {}, "site"],
  ])("decides by path about %s with %j: %s", (url, rules, expected) => {
    expect(verdict(url, rules)).toContain(expected);
  });

  it.each([
    ["https://example.com/docs/a", { includePaths: ["^/docs/a"] }, "site"],
    ["https://example.com/docs/b", { includePaths: ["^/docs/a"] }, "matches none of includePaths"],
    ["https://example.com/docs/b", { excludePaths: ["x", "/b$"] }, 'excludePaths[1] "/b$"'],
    ["https://example.com/docs/b?p=1", { excludePaths: ["p=1"] }, "site"],
    [
      "https://example.com/docs/b?p=1",
      { excludePaths: ["p=1"], regexOnFullURL: true },
      "excludePaths[0]",
    ],
    ["https://example.com/docs/b#p=1", { excludePaths: ["p=1"], regexOnFullURL: true }, "site"],
    [
      "https://example.com/docs/b?p=1",
      { excludePaths: ["p=1"], regexOnFullURL: true, ignoreQueryParameters: true },
      "site",
    ],
    [
      "https://example.com/docs/ab",
      { excludePaths: ["a"], includePaths: ["b"] },
      "excludePaths[0]",
    ],
    ["https://example.com/docs/%C3%BCber", { includePaths: ["/über"] }, "site"],
    ["https://example.com/docs/%C3%BCber", { includePaths: ["/%C3%BCber"] }, "site"],
    ["https://example.com/docs/%FF", { includePaths: ["/über"] }, "matches none"],
  ])("decides by pattern about %s with %j: %s", (url, rules, expected) => {
    expect(verdict(url, rules)).toContain(expected);
  });
});

describe("crawl scope rule order", () => {
  const everything = {
    maxDiscoveryDepth: 0,
    excludePaths: ["private"],
    includePaths: ["^/docs/good"],
  };
  const robots = () => "line 3: Disallow: /";
  const order: [string, Partial<ScopeRules>, string, string][] = [
    ["https://other.example/private.png", everything, "scope", "another site"],
    ["https://example.com/private.png", everything, "depth", "depth 1, maxDiscoveryDepth 0"],
    [
      "https://example.com/private.png",
      { ...everything, maxDiscoveryDepth: 1 },
      "scope",
      "excludePaths",
    ],
    ["https://example.com/x.png", { ...everything, maxDiscoveryDepth: 1 }, "scope", "includePaths"],
    ["https://example.com/x.png", {}, "scope", "not below"],
    ["https://example.com/docs/x.png", {}, "robots", "line 3: Disallow: /"],
  ];
  it.each(order)("reports the first refusal for %s with %j: %s, %s", (url, rules, fate, reason) => {
    const scope = compileScope({ startUrl: START, ...rules });
    const judgement = judgeUrl({ url, depth: 1, source: "link" }, scope, robots);
    if (judgement.accepted) throw new Error("was accepted");
    expect(judgement.fate).toBe(fate);
    expect(judgement.reason).toContain(reason);
  });
});

describe("crawl scope of the start URL", () => {
  const start = { source: "start", depth: 0 } as const;

  it("fetches a start URL that patterns exclude, but leaves it out of the results", () => {
    expect(judge(START, { includePaths: ["/a"] }, start)).toMatchObject({
      accepted: true,
      inResults: false,
    });
    expect(judge(START, { excludePaths: ["/docs/"] }, start)).toMatchObject({
      accepted: true,
      inResults: false,
    });
    expect(judge(START, { includePaths: ["/docs"] }, start)).toMatchObject({
      accepted: true,
      inResults: true,
    });
    expect(judge(START, {}, start)).toMatchObject({ accepted: true, inResults: true });
  });

  it("refuses a start URL only by robots.txt", () => {
    const scope = compileScope({ startUrl: START });
    const judgement = judgeUrl({ url: START, ...start }, scope, () => "line 1: Disallow: /");
    expect(judgement).toMatchObject({ accepted: false, fate: "robots" });
  });

  it.each([
    ["https://example.com/", "https://new.example/home", "https://new.example/about", "site"],
    [
      "https://example.com/",
      "https://new.example/home",
      "https://example.com/about",
      "another site",
    ],
    [
      "https://example.com/docs",
      "https://example.com/docs/intro",
      "https://example.com/docs/b",
      "site",
    ],
    [
      "https://example.com/docs",
      "https://example.com/en/docs/",
      "https://example.com/en/docs/b",
      "site",
    ],
    ["https://example.com/docs", "https://docs.example.com/", "https://docs.example.com/b", "site"],
  ])("moves the scope of %s that redirects to %s: %s: %s", (startUrl, movedTo, url, expected) => {
    expect(verdict(url, { startUrl, movedTo })).toContain(expected);
  });
});

describe("judgeUrl results", () => {
  it("returns the address to fetch and its identity for an accepted URL", () => {
    const rules = { deduplicateSimilarURLs: true, ignoreQueryParameters: true };
    expect(judge("http://WWW.example.com/docs/a/?b#c", rules)).toEqual({
      accepted: true,
      url: "http://www.example.com/docs/a/",
      identity: "//example.com/docs/a",
      reach: "site",
      inResults: true,
    });
  });

  it("counts every link as a hop, including rel=next, but not a refresh", () => {
    expect(["anchor", "next", "refresh", "frame"].map((kind) => computeLinkDepth(kind, 3))).toEqual(
      [4, 4, 3, 4],
    );
  });
});

describe("logout links", () => {
  const rules = { avoidLogout: true };
  it.each([
    ["https://example.com/docs/logout"],
    ["https://example.com/docs/users/sign_out"],
    ["https://example.com/docs/Log-Off.aspx"],
    ["https://example.com/docs/wp-login.php?action=logout&_wpnonce=1"],
    ["https://example.com/docs/Special:UserLogout"],
    ["https://example.com/docs/abmelden"],
    ["https://example.com/docs/d%C3%A9connexion"],
  ])("does not follow the logout link %s", (url) => {
    expect(verdict(url, rules)).toContain("logout");
    expect(verdict(url)).toBe("site");
  });

  it("recognizes a logout link by its text", () => {
    expect(verdict("https://example.com/docs/x?1", rules, { text: " Log out » " })).toContain(
      "logout",
    );
  });

  it.each([
    ["https://example.com/docs/logout-best-practices", ""],
    ["https://example.com/docs/blog/outline", "How to log out users"],
    ["https://example.com/docs/catalog/outdoor", "Outdoor"],
  ])("does not mistake %s for a logout link", (url, text) => {
    expect(verdict(url, rules, { text })).toBe("site");
  });
});
