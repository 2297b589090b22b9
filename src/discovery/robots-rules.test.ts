// Decisions that follow from RFC 9309 and from the documented behaviour of search engines.
import { describe, expect, it } from "vitest";
import { decideRobots, parseRobots, selectRules } from "./robots-rules.ts";

const SITE = "https://example.com";
const isAllowed = (body: Uint8Array | string, path: string, agent = "ServiceAgent/1.0") =>
  decideRobots(selectRules(parseRobots(body), agent), new URL(SITE + path)).allowed;
const lineOf = (body: string, path: string) =>
  decideRobots(selectRules(parseRobots(body), "ServiceAgent"), new URL(SITE + path)).rule?.line;
const all = (...rules: string[]) => ["User-agent: *", ...rules].join("\n");

type Case = [rules: string[], path: string, allowed: boolean];

describe("robots.txt paths (RFC 9309 section 2.2.2)", () => {
  const cases: Case[] = [
    [[], "/", true],
    [["Disallow:"], "/a", true],
    [["Disallow: "], "/", true],
    [["Allow:"], "/a", true],
    [["Disallow: /"], "/", false],
    [["Disallow: /"], "/a?b=c", false],
    [["Disallow: /"], "/robots.txt", true],
    [["Disallow: /robots.txt"], "/robots.txt", true],
    // Rules match from the first octet with any ending.
    [["Disallow: /fish"], "/fish", false],
    [["Disallow: /fish"], "/fish.html", false],
    [["Disallow: /fish"], "/fish/salmon.html", false],
    [["Disallow: /fish"], "/fishheads", false],
    [["Disallow: /fish"], "/fish.php?id=anything", false],
    [["Disallow: /fish"], "/Fish.asp", true],
    [["Disallow: /fish"], "/catfish", true],
    [["Disallow: /fish"], "/?id=fish", true],
    [["Disallow: /fish"], "/desert/fish", true],
    [["Disallow: /fish/"], "/fish/", false],
    [["Disallow: /fish/"], "/fish/salmon.htm", false],
    [["Disallow: /fish/"], "/fish/?id=anything", false],
    [["Disallow: /fish/"], "/fish", true],
    [["Disallow: /fish/"], "/fish.html", true],
    [["Disallow: /fish/"], "/animals/fish/", true],
    [["Disallow: /a?b"], "/a?b=1", false],
    [["Disallow: /a?b"], "/a", true],
    [["Disallow: /?"], "/?q", false],
    [["Disallow: /?"], "/", true],
    [["Disallow: //a"], "//a", false],
    [["Disallow: /a"], "//a", true],
    // A rule that starts with neither slash nor star matches no path.
    [["Disallow: fish"], "/fish", true],
    [["Disallow: https://example.com/fish"], "/fish", true],
    // The longest rule decides.
    [["Allow: /p", "Disallow: /"], "/page", true],
    [["Disallow: /", "Allow: /p"], "/page", true],
    [["Allow: /folder", "Disallow: /folder"], "/folder/page", true],
    [["Disallow: /folder", "Allow: /folder"], "/folder/page", true],
    [["Disallow: /folder/", "Allow: /folder"], "/folder/page", false],
    [["Allow: /folder/", "Disallow: /folder"], "/folder/page", true],
    [
      ["Allow: /example/page/", "Disallow: /example/page/disallowed.gif"],
      "/example/page/disallowed.gif",
      false,
    ],
    [
      ["Allow: /example/page/", "Disallow: /example/page/disallowed.gif"],
      "/example/page/other.gif",
      true,
    ],
    [["Allow: /x/page.html", "Disallow: /x/"], "/x/page.html", true],
    [["Allow: /x/page.html", "Disallow: /x/"], "/x/page2.html", false],
    [["Allow: /x/page.html", "Disallow: /x/"], "/X/", true],
    [["Allow: /page", "Disallow: /*.htm"], "/page.htm", false],
    [["Allow: /page", "Disallow: /*.ph"], "/page.php5", true],
    [["Allow: /$", "Disallow: /"], "/", true],
    [["Allow: /$", "Disallow: /"], "/page.htm", false],
    [["Allow: /$", "Disallow: /"], "/?x", false],
  ];
  it.each(cases)("matches path rules %j: %s is allowed: %s", (rules, path, allowed) => {
    expect(isAllowed(all(...rules), path)).toBe(allowed);
  });
});

describe("robots.txt wildcards (RFC 9309 section 2.2.3)", () => {
  const cases: Case[] = [
    [["Disallow: /fish*"], "/fish", false],
    [["Disallow: /fish*"], "/fishheads/catfish.php?parameters", false],
    [["Disallow: /fish*"], "/Fish.asp", true],
    [["Disallow: /*.php"], "/filename.php", false],
    [["Disallow: /*.php"], "/index.php?filename=x", false],
    [["Disallow: /*.php"], "/folder/any.php.file.html", false],
    [["Disallow: /*.php"], "/filename.php/", false],
    [["Disallow: /*.php"], "/windows.PHP", true],
    [["Disallow: /*.php"], "/", true],
    [["Disallow: /*.php$"], "/filename.php", false],
    [["Disallow: /*.php$"], "/filename.php?parameters", true],
    [["Disallow: /*.php$"], "/filename.php/", true],
    [["Disallow: /*.php$"], "/filename.php5", true],
    [["Disallow: /*.php$"], "/a.php.php", false],
    [["Disallow: /fish*.php"], "/fish.php", false],
    [["Disallow: /fish*.php"], "/fishheads/catfish.php?x", false],
    [["Disallow: /fish*.php"], "/Fish.PHP", true],
    [["Disallow: *"], "/", false],
    [["Disallow: *.gif"], "/a/b.gif", false],
    [["Disallow: *.gif$"], "/a/b.gif?x", true],
    [["Disallow: /a**b"], "/a/x/b", false],
    [["Disallow: /*/b"], "/a/b", false],
    [["Disallow: /*/b"], "/b", true],
    [["Disallow: /*a*b*c"], "/xaxbxc", false],
    [["Disallow: /*a*b*c"], "/xcxbxa", true],
    [["Disallow: /a*a$"], "/aa", false],
    [["Disallow: /a*a$"], "/a", true],
    [["Disallow: /*aab$"], "/aaab", false],
    [["Disallow: /*?*x="], "/p?a=1&x=2", false],
    [["Disallow: /a$"], "/a", false],
    [["Disallow: /a$"], "/ab", true],
    [["Disallow: /a$"], "/a?b", true],
    [["Disallow: /*$"], "/anything", false],
    [["Disallow: /a*$"], "/ab/c", false],
    // A dollar sign before the end is literal.
    [["Disallow: /a$b"], "/a$b", false],
    [["Disallow: /a$b"], "/a", true],
    [["Disallow: /a$*"], "/a$b", false],
    // Escaped wildcards are literal, in either spelling of the address.
    [["Disallow: /a-%2A.html"], "/a-*.html", false],
    [["Disallow: /a-%2A.html"], "/a-b.html", true],
    [["Disallow: /a-%2a.html"], "/a-%2A.html", false],
    [["Disallow: /a-%24"], "/a-$", false],
    [["Disallow: /a-%24"], "/a-%24b", false],
    [["Disallow: /a-%24"], "/a-", true],
  ];
  it.each(cases)("matches wildcard rules %j: %s is allowed: %s", (rules, path, allowed) => {
    expect(isAllowed(all(...rules), path)).toBe(allowed);
  });
});

describe("robots.txt percent-encoding (RFC 9309 section 2.2.2)", () => {
  const cases: Case[] = [
    [["Disallow: /foo/bar?baz=quz"], "/foo/bar?baz=quz", false],
    [["Disallow: /foo/bar?baz=https://foo.bar"], "/foo/bar?baz=https://foo.bar", false],
    [["Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar"], "/foo/bar?baz=https%3A%2F%2Ffoo.bar", false],
    [["Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar"], "/foo/bar?baz=https://foo.bar", true],
    [["Disallow: /foo/bar/ツ"], "/foo/bar/%E3%83%84", false],
    [["Disallow: /foo/bar/%E3%83%84"], "/foo/bar/%E3%83%84", false],
    [["Disallow: /foo/bar/%e3%83%84"], "/foo/bar/ツ", false],
    [["Disallow: /foo/bar/%62%61%7A"], "/foo/bar/baz", false],
    [["Disallow: /foo/bar/baz"], "/foo/bar/%62%61%7a", false],
    [["Disallow: /%7Euser"], "/~user", false],
    [["Disallow: /~user"], "/%7euser/x", false],
    [["Disallow: /a%2Fb"], "/a/b", true],
    [["Disallow: /a/b"], "/a%2Fb", true],
    [["Disallow: /a%2fb"], "/a%2Fb", false],
    [["Disallow: /a b"], "/a%20b", false],
    [["Disallow: /a%20b"], "/a b", false],
    [["Disallow: /a|b"], "/a%7Cb", false],
    [["Disallow: /a%"], "/a%", false],
    [["Disallow: /ü*ß"], "/%C3%BCx%C3%9F", false],
  ];
  it.each(cases)("normalizes percent-encoding in %j: %s is allowed: %s", (rules, path, allowed) => {
    expect(isAllowed(all(...rules), path)).toBe(allowed);
  });

  it("compares octets in files of any encoding", () => {
    const latin = Buffer.from(all("Disallow: /caf\xE9"), "latin1");
    expect(isAllowed(latin, "/caf%E9")).toBe(false);
    expect(isAllowed(latin, "/caf%C3%A9")).toBe(true);
  });
});

describe("robots.txt groups (RFC 9309 section 2.2.1)", () => {
  const file = [
    "User-agent: news-bot", //
    "Disallow: /news",
    "",
    "User-agent: *",
    "Disallow: /all",
    "",
    "User-agent: Bot",
    "User-agent: other_bot",
    "Disallow: /bot",
    "",
    "user-agent: BOT",
    "Disallow: /more",
  ].join("\n");
  const cases: [agent: string, path: string, allowed: boolean][] = [
    ["nobody", "/all", false],
    ["nobody", "/bot", true],
    ["bot", "/bot", false],
    ["bot", "/more", false],
    ["bot", "/all", true],
    ["Bot/2.1 (+https://bot.example)", "/more", false],
    ["Other_Bot", "/bot", false],
    ["Other_Bot", "/more", true],
    ["bots", "/bot", true],
    ["bots", "/all", false],
    ["news-bot", "/news", false],
    ["news-bot", "/bot", true],
    ["news-bot-images", "/news", false],
    ["news", "/news", true],
    ["bot-images", "/bot", false],
    ["", "/all", false],
    ["*", "/all", false],
  ];
  it.each(cases)("selects the group of %s: %s is allowed: %s", (agent, path, allowed) => {
    expect(isAllowed(file, path, agent)).toBe(allowed);
  });

  const forms: [text: string, path: string, allowed: boolean][] = [
    // A group without rules allows everything and still applies to its agent.
    ["User-agent: *\nDisallow: /\n\nUser-agent: ServiceAgent\nDisallow:", "/a", true],
    ["User-agent: *\nDisallow: /\n\nUser-agent: serviceagent", "/a", true],
    // Rules before the first agent have no effect.
    ["Disallow: /a", "/a", true],
    ["Disallow: /a\nUser-agent: *\nDisallow: /b", "/a", true],
    // Empty lines, comments, sitemaps and unknown lines do not separate agents from their rules.
    ["User-agent: *\n\n# x\n\nDisallow: /a", "/a", false],
    ["User-agent: *\nSitemap: https://example.com/s.xml\nDisallow: /a", "/a", false],
    ["User-agent: *\nDisallow: /a\nSitemap: /s.xml\nDisallow: /b", "/b", false],
    ["User-agent: x\nCrawl-delay: 3\nUser-agent: *\nDisallow: /a", "/a", false],
    ["User-agent: x\nNoindex: /q\nUser-agent: ServiceAgent\nDisallow: /a", "/a", false],
    ["User-agent: * # everyone\nDisallow: /a # this", "/a", false],
    ["User-agent: *\nDisallow: /a#b", "/a", false],
    ["User-agent: *\n#Disallow: /a", "/a", true],
    ["User-agent: * bot\nDisallow: /a", "/a", false],
    ["User-agent: ServiceAgent*\nDisallow: /a", "/a", false],
    ["User-agent: Service*\nDisallow: /a", "/a", true],
    ["User-agent:\nDisallow: /a", "/a", true],
  ];
  it.each(forms)("assigns rules to groups in %j: %s is allowed: %s", (text, path, allowed) => {
    expect(isAllowed(text, path)).toBe(allowed);
  });
});

describe("robots.txt lines", () => {
  const cases: [text: string, allowed: boolean][] = [
    ["User-agent: *\r\nDisallow: /a\r\n", false],
    ["User-agent: *\rDisallow: /a\r", false],
    ["\uFEFFUser-agent: *\nDisallow: /a", false],
    ["\uFEFF\nUser-agent: *\nDisallow: /a", false],
    ["  user-AGENT  :  *  \n\tDISALLOW\t:\t/a\t", false],
    ["User-agent:*\nDisallow:/a", false],
    ["User-agent *\nDisallow /a", false],
    ["User-agent: *\nDisallow /a", false],
    ["User-agent: *\nDisallow /a b", true],
    ["Useragent: *\nDisalow: /a", false],
    ["User agent: *\nDissallow: /a", false],
    ["User-agent: *\nDisallows: /a", true],
    ["User-agent: *\n: /a", true],
    ["User-agent: *\nDisallow: /b\u0000\nDisallow: /a", false],
    ["\u0000\u0001\u0002", true],
    ["<html>Disallow: /a</html>", true],
    ["", true],
  ];
  it.each(cases)("parses %j: /a is allowed: %s", (text, allowed) => {
    expect(isAllowed(text, "/a")).toBe(allowed);
  });

  it("returns the line of the deciding rule", () => {
    expect(lineOf("# one\r\nUser-agent: *\r\n\r\nDisallow: /b\r\nDisallow: /a\r\n", "/a")).toBe(5);
    expect(lineOf(all("Disallow: /a", "Allow: /a"), "/a")).toBe(3);
    expect(lineOf(all("Disallow: /a", "Disallow: /a"), "/a")).toBe(2);
    expect(lineOf(all("Disallow: /a"), "/b")).toBeUndefined();
  });
});

describe("robots.txt limits", () => {
  it("reads 500 KiB and drops the truncated line", () => {
    const filler = "#".repeat(500 * 1024 - 30);
    expect(isAllowed(all("Disallow: /a", filler, "Disallow: /b"), "/b")).toBe(true);
    expect(isAllowed(all("Disallow: /a", filler, "Disallow: /b"), "/a")).toBe(false);
    const cut = `${all("#".repeat(500 * 1024 - 27), "Disallow: /private")}`;
    expect(isAllowed(cut, "/public")).toBe(true);
  });

  it("decides in linear time for thousands of agents and rules and for many wildcards", () => {
    const many = `${"User-agent: a\n".repeat(10_000)}${"Disallow: /x\n".repeat(10_000)}`;
    const names = Array.from({ length: 15_000 }, (_, index) => `User-agent: a${index}\n`).join("");
    const stars = all(`Disallow: /${"*a".repeat(8_000)}`);
    const started = process.cpuUsage();
    expect(isAllowed(many, "/x", "a")).toBe(false);
    expect(isAllowed(`${names}${"Disallow: /x\n".repeat(15_000)}`, "/x", "a7")).toBe(false);
    expect(isAllowed(stars, `/${"a".repeat(4_000)}`)).toBe(true);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
  });
});

describe("robots.txt sitemaps and delays", () => {
  it("lists each sitemap once, anywhere in the file and in any case", () => {
    const text =
      "Sitemap: https://example.com/ü.xml\nUser-agent: *\nsitemap:/b.xml\nSITEMAP: /b.xml\nSitemap:";
    expect(parseRobots(text).sitemaps).toEqual(["https://example.com/ü.xml", "/b.xml"]);
  });

  it.each([
    ["User-agent: *\nCrawl-delay: 2.5\nDisallow: /a", 2.5],
    ["User-agent: *\nDisallow: /a\ncrawl-delay:10", 10],
    ["User-agent: x\nCrawl-delay: 5\nUser-agent: *\nDisallow: /a", undefined],
    ["User-agent: x\nUser-agent: *\nCrawl-delay: 5", 5],
    ["User-agent: *\nCrawl-delay: soon", undefined],
    ["User-agent: *\nCrawl-delay: -1", undefined],
    ["Crawl-delay: 5", undefined],
    ["User-agent: *\nCrawl-delay: 5\nUser-agent: ServiceAgent\nDisallow: /a", undefined],
    ["User-agent: *\nDisallow:\nUser-agent: ServiceAgent\nCrawl-delay: 1\nCrawl-delay: 2", 1],
  ])("reads from %j a crawl delay of %s", (text, seconds) => {
    expect(selectRules(parseRobots(text), "ServiceAgent").crawlDelaySeconds).toBe(seconds);
  });
});
