import { describe, expect, it } from "vitest";
import { readLinkHeaders } from "./link-header.ts";
import { getPageLink, readPageLinks } from "./page-links.ts";
import { parseHtml } from "../parse/parse.ts";

const PAGE = "https://example.com/docs/page.html";
const read = (html: string, header = "") => readPageLinks(parseHtml(html), PAGE, header);
const linksOf = (html: string, header = "") => {
  const links = read(html, header);
  return links.urls.map((_, index) => getPageLink(links, index));
};
const findLinks = (html: string, header = "") =>
  linksOf(html, header).map(({ url, kind }) => `${kind} ${url.replace("https://example.com", "")}`);

describe("readPageLinks", () => {
  it.each([
    ["<a href=a.html>", ["anchor /docs/a.html"]],
    ["<map><area href=/a></map>", ["area /a"]],
    ["<svg><a xlink:href='/a'>x</a></svg>", ["anchor /a"]],
    ["<iframe src=/f></iframe><frameset><frame src=g></frameset>", ["frame /f", "frame /docs/g"]],
    ["<link rel=next href=2><a rel='prev nofollow' href=0>", ["next /docs/2", "prev /docs/0"]],
    ["<a rel=next href=2>", ["next /docs/2"]],
    ["<a href=2></a><a rel=next href=2>", ["next /docs/2"]],
    ["<link rel=canonical href=/c>", ["canonical /c"]],
    [
      "<link rel=alternate hreflang=de href=/de><link rel=alternate type=application/rss+xml href=/rss>",
      ["alternate /de"],
    ],
    ["<link rel=stylesheet href=/s.css><link rel=icon href=/i>", []],
    ["<meta http-equiv=Refresh content='5; URL=/r'>", ["refresh /r"]],
    ["<meta http-equiv=refresh content=\"0;url='/r'\">", ["refresh /r"]],
    ["<meta http-equiv=refresh content=30>", []],
    ["<a href=/a#b><a href=/a#c><a href=' /a '>", ["anchor /a"]],
    ["<a href='#x'>", []],
    ["<a href=page.html#x>", []],
    ["<a href='#/x'>", ["anchor /docs/page.html#/x"]],
    ["<a href='guide.html#guide:tutorial/x'>", ["anchor /docs/guide.html"]],
    ["<div id=root><a href='#guide/x'>x</a></div>", ["anchor /docs/page.html#guide/x"]],
    ["<a href='javascript:x'><a href='mailto:a@b.example'><a href=''><a>", []],
    ["<template><a href=/t></a></template><noscript><a href=/n></a></noscript>", ["anchor /n"]],
    ["<!-- <a href=/c> -->", []],
    ["<base href=/base/><a href=a>", ["anchor /base/a"]],
    [
      "<a href=a><base href=https://other.example/x/><base href=/y/>",
      ["anchor https://other.example/x/a"],
    ],
    ["<base href='javascript:x'><a href=a>", ["anchor /docs/a"]],
    ["<a href='http://[bad'>", []],
  ])("finds links in %s: %j", (html, expected) => {
    expect(findLinks(html)).toEqual(expected);
  });

  it("reads links from the Link header, resolved against the page address", () => {
    const header =
      '<2.html>; rel="next", </de>; rel=alternate; hreflang=de, </s.css>; rel=preload, <c>; rel=canonical';
    expect(findLinks("<base href=/b/><a href=a>", header)).toEqual([
      "anchor /b/a",
      "next /docs/2.html",
      "alternate /de",
      "canonical /docs/c",
    ]);
    expect(read("", header).canonical).toBe("https://example.com/docs/c");
  });

  it("takes the first non-empty text of the links to an address", () => {
    const words = (html: string) => linksOf(html).map(({ text }) => text);
    expect(words("<a href=a> Two\n words </a>")).toEqual(["Two words"]);
    expect(words("<a href=a><img></a><a href=a>late</a>")).toEqual(["late"]);
    expect(words("<a href=a><b>bold</b> <img alt=picture></a>")).toEqual(["bold picture"]);
    expect(words("<a href=a aria-label=Close><i></i></a>")).toEqual(["Close"]);
    expect(words("<a href=a title=Hint></a>")).toEqual(["Hint"]);
    expect(words(`<a href=a>${"long ".repeat(100)}</a>`)[0]).toHaveLength(120);
  });

  it("marks a link nofollow only if every occurrence is nofollow", () => {
    const html =
      "<a rel='nofollow' href=a></a><a rel=nofollow href=b></a><a href=b></a><a href=c></a>";
    expect(linksOf(html).map(({ nofollow }) => nofollow)).toEqual([true, false, false]);
  });

  it("returns title, description, canonical address and robots rules with the links", () => {
    const html = `<head><title> My
      page </title><meta name=description content=" About it "><meta property=og:description content=other>
      <meta name=ROBOTS content="NOINDEX, follow"><link rel=canonical href=/c></head><svg><title>drawing</title></svg>`;
    expect(read(html)).toMatchObject({
      title: "My page",
      description: "About it",
      noindex: true,
      nofollow: false,
      canonical: "https://example.com/c",
      omitted: 0,
    });
    expect(read("<svg><title>drawing</title></svg>").title).toBe("");
    expect(read("<link rel=canonical href='http://['>").canonical).toBeUndefined();
    expect(read("<meta name=robots content=none>")).toMatchObject({
      noindex: true,
      nofollow: true,
    });
  });

  it("lists at most 100,000 links and counts the rest", () => {
    const html = Array.from({ length: 100_050 }, (_, index) => `<a href=${index}>x</a>`).join("");
    const links = read(html);
    expect([links.urls.length, links.omitted]).toEqual([100_000, 50]);
  });

  it("reads links in linear time, even if no anchor is closed", () => {
    const started = process.cpuUsage();
    const open = Array.from({ length: 20_000 }, (_, index) => `<a href=${index}>`).join("");
    expect(read(open).urls).toHaveLength(20_000);
    expect(read(`<a href=x>${"<b></b>".repeat(20_000)}`).urls).toHaveLength(1);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(3_000);
  });
});

describe("readLinkHeaders", () => {
  it.each([
    ["", []],
    ["</a>", [{ target: "/a", rel: "", hreflang: undefined }]],
    [
      '</a,b>; rel="next last"; title="x, <y>"',
      [{ target: "/a,b", rel: "next last", hreflang: undefined }],
    ],
    ["</a>;rel=x;rel=y", [{ target: "/a", rel: "x", hreflang: undefined }]],
    [
      "nonsense, </a> ; REL = alternate ; hreflang=de-AT",
      [{ target: "/a", rel: "alternate", hreflang: "de-AT" }],
    ],
    ['</a>; rel="open', [{ target: "/a", rel: "", hreflang: undefined }]],
  ])("parses the Link header %j", (value, expected) => {
    expect(readLinkHeaders(value)).toEqual(expected);
  });
});
