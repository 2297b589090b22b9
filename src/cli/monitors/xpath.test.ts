import { describe, expect, it } from "vitest";
import { isSelector } from "../../html/select/selector.ts";
import { parseXPath } from "./xpath.ts";

describe("parseXPath", () => {
  it.each([
    ["//div[@id='a']//p", 'div[id="a"] p'],
    ["/html/body/main", "html > body > main"],
    ['//*[@class="x"]', '*[class="x"]'],
    ["/html/body/div[3]/div/main/div", "html > body > div:nth-of-type(3) > div > main > div"],
    ['//*[@id="main"]/h2[3]', '*[id="main"] > h2:nth-of-type(3)'],
    ["//ul/*[2]", "ul > *:nth-child(2)"],
    ["//li[last()]", "li:nth-last-of-type(1)"],
    ['//div[contains(@class,"a b")]//h1', 'div[class*="a b"] h1'],
    ["//a[starts-with(@href, '/tag/')]", 'a[href^="/tag/"]'],
    ['//p[contains(., "Cases")]', 'p:contains("Cases")'],
    ["//td[@class='a' and @id]", 'td[class="a"][id]'],
    ["//h1 | //h2[@id='x|y']", 'h1, h2[id="x|y"]'],
    ["//table[@id='t']/tr[2]/td", 'table[id="t"] > tbody > tr:nth-of-type(2) > td'],
    ["//child::p", "p"],
  ])("converts %s to the same elements", (path, css) => {
    expect(parseXPath(path)).toEqual({ css, isWider: false });
    expect(isSelector(css)).toBe(true);
  });

  it.each([
    ['(//div[contains(@class,"timeline")]//h4)[1]/a', 'div[class*="timeline"] h4 > a'],
    ['((//div[contains(@class,"release-header")])//a)[1]', 'div[class*="release-header"] a'],
    ["(//div[@id='a'])[position() >= 1 and position() <= 3]", 'div[id="a"]'],
    ["//a[@rel='x'][2]", 'a[rel="x"]'],
    ["//section/ul/li[1]/a/@href", "section > ul > li:nth-of-type(1) > a"],
    ["//p/text()", "p"],
  ])("converts %s to all the elements around it", (path, css) => {
    expect(parseXPath(path)).toEqual({ css, isWider: true });
  });

  it.each([
    "//a[text()='x']",
    "//p[not(@id)]",
    "//a/..",
    "//p/following-sibling::p",
    "count(//a)",
    "string(//a)",
    "/body/p",
    "//media:keywords",
    "(//a",
    "//a]",
    "//",
    "",
    "//a[@id='\"']",
    "//a".repeat(1_000),
  ])("has no CSS for %s", (path) => {
    expect(parseXPath(path)).toBeUndefined();
  });
});
