import { type AnyNode, isTag } from "domhandler";
import { describe, expect, it } from "vitest";
import { parseHtml } from "./parse.ts";
import { toHtml } from "./serialize.ts";
import { readText } from "./tree.ts";
import { MAX_DEPTH } from "./tree-writer.ts";

function measureDepthAndText(root: AnyNode): { depth: number; text: string } {
  let depth = 0;
  const text: string[] = [];
  const stack: [AnyNode, number][] = [[root, 0]];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const [node, level] = entry;
    if (isTag(node)) depth = Math.max(depth, level);
    if ("data" in node) text.push(node.data);
    if ("children" in node)
      for (let index = node.children.length - 1; index >= 0; index--)
        stack.push([node.children[index] as AnyNode, level + 1]);
  }
  return { depth, text: text.join("") };
}

const buildNumbered = (count: number, name: string, end: string): string =>
  Array.from({ length: count }, (_, index) => `${name}${index}${end}`).join("");

describe("parseHtml", () => {
  it("keeps the tree shallow and all text in order when elements are nested thousands deep", () => {
    const html = Array.from({ length: 100_000 }, (_, index) => `<div>${index} `).join("");
    const { depth, text } = measureDepthAndText(parseHtml(html));
    expect(depth).toBeLessThanOrEqual(MAX_DEPTH);
    expect(text.replaceAll("\n", "")).toBe(
      Array.from({ length: 100_000 }, (_, index) => `${index} `).join(""),
    );
  });

  it.each([
    ["divs that are closed again", "<div>".repeat(3_000), "</div>".repeat(3_000), "bottom\nfoot"],
    ["divs between texts", "<div>".repeat(600), "<div>", "bottom\nfoot"],
    ["letters in bold", "<div>".repeat(600), "<b>", "bottomfoot"],
  ])(
    "keeps words apart in elements beyond the maximum depth: %s",
    (_what, before, between, expected) => {
      const { text } = measureDepthAndText(parseHtml(`${before}bottom${between}foot`));
      expect(text.trim()).toBe(expected);
    },
  );

  it("parses unclosed tags in linear time", () => {
    const started = process.cpuUsage();
    parseHtml("<b>x".repeat(500_000));
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000_000).toBeLessThan(8);
  });

  it.each([
    ["attributes of one element", (count: number) => `<a ${buildNumbered(count, "a", " ")}>x</a>`],
    [
      "names of drawings in text inside a drawing",
      (count: number) => `<svg><title>${"<clippath>".repeat(count)}`,
    ],
  ])("parses in linear time in the number of %s", (_, build) => {
    const cost = (count: number): number => {
      const html = build(count);
      const before = process.cpuUsage();
      parseHtml(html);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    cost(2_000);
    const small = Math.max(cost(4_000), 5);
    // Sixteen times the input: linear is 16, quadratic is 256.
    expect(cost(64_000) / small).toBeLessThan(64);
  });

  it("keeps the first of two attributes with the same name among any number of attributes", () => {
    const [link] = parseHtml(`<a ${buildNumbered(50, "a", "=1 ")} a3=2 a48=2>x</a>`).children;
    const attributes = link !== undefined && isTag(link) ? link.attribs : {};
    expect([attributes["a3"], attributes["a48"]]).toEqual(["1", "1"]);
    expect(Object.keys(attributes)).toHaveLength(50);
  });

  it("closes elements that were nested too deeply before it continues", () => {
    const tree = parseHtml(
      `<main>${"<div>".repeat(700)}x${"</div>".repeat(700)}</main><p>after</p>`,
    );
    expect(tree.children.map((node) => (isTag(node) ? node.name : node.type))).toEqual([
      "main",
      "p",
    ]);
  });
});

describe("parseHtml noscript", () => {
  it("ends noscript at its end tag even if elements inside are unclosed", () => {
    for (const open of ["<iframe src=x>", "<style>a{", "<b><iframe src=x>", "<title>x"]) {
      const document = parseHtml(`<div><noscript>${open}</noscript><p>text</p></div><p>more</p>`);
      expect(readText(document, 100).endsWith("textmore"), open).toBe(true);
      expect(document.children, open).toHaveLength(2);
    }
  });

  it("ignores a noscript end tag inside raw text that was opened outside", () => {
    const document = parseHtml("<style>a{content:'</noscript>'}</style><p>text</p>");
    expect(document.children.map((node) => (isTag(node) ? node.name : ""))).toEqual(["style", "p"]);
  });
});

describe("parseHtml CDATA", () => {
  it("ends a CDATA mark in HTML at the next >, as browsers do", () => {
    const document = parseHtml("<p>before</p><![CDATA[ x ]> <p>after</p><p>more</p>");
    expect(document.children.filter((node) => "name" in node && node.name === "p")).toHaveLength(3);
  });
});

describe("parseHtml on pages with markup errors", () => {
  it.each([
    ["a head that never ends", "<html><head><title>T</title><p>Text</p>"],
    ["two heads", "<html><head><title>T</title></head><head></head><body><p>Text</p>"],
    ["a div in the head", "<html><head><div>x</div><title>T</title></head><body><p>Text</p>"],
    ["a table in the head", "<html><head><table><tr><td>x</table><meta></head><p>Text</p>"],
  ])("keeps the text of a page with %s outside the head", (_what, html) => {
    const [page] = parseHtml(html).children;
    const children =
      page !== undefined && isTag(page) ? page.children.filter((node) => isTag(node)) : [];
    expect(children.map(({ name }) => name)).toEqual(["head", "body"]);
    expect(readText(children[1] as AnyNode).endsWith("Text")).toBe(true);
  });

  it("makes list items with unclosed paragraphs siblings", () => {
    expect(toHtml(parseHtml("<ul><li><p>a<li><p>b</ul>"))).toBe(
      "<ul><li><p>a</p></li><li><p>b</p></li></ul>",
    );
  });

  it("moves text between table cells before the table", () => {
    expect(toHtml(parseHtml("<table>x<tr><td>y</table>"))).toBe(
      "x<table><tr><td>y</td></tr></table>",
    );
  });

  it("closes a bold element that a block overlaps, and reopens it in the block", () => {
    expect(toHtml(parseHtml("<p><b>a<div>b</b>c</div>"))).toBe(
      "<p><b>a</b></p><div><b>b</b>c</div>",
    );
  });

  it.each([
    ["formatting elements in unclosed paragraphs", "<b><i><p>x"],
    ["blocks in a formatting element", "<b><div></b>x</div>"],
    ["texts between table cells", "<table>x<tr>"],
    ["unclosed titles", "<title>x"],
    ["misnested links", "<a><p>x</a>"],
  ])("parses malformed markup in linear time: %s", (_what, piece) => {
    const cost = (count: number): number => {
      const html = piece.repeat(count);
      const before = process.cpuUsage();
      parseHtml(html);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    cost(1_000);
    const small = Math.max(cost(2_000), 5);
    // Sixteen times the input: linear is 16, quadratic is 256.
    expect(cost(32_000) / small).toBeLessThan(64);
  });
});
