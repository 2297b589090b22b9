import { describe, expect, it } from "vitest";
import { renderHtml } from "./case.ts";

/** Measures CPU seconds, so that a busy machine does not make a test slow. */
function cpuSeconds(): () => number {
  const started = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1_000_000;
  };
}

const whole = { why: "", url: "https://example.org/page" };

describe("pages with extreme structure", () => {
  const nested =
    "blockquote|div|ul><li|ol><li><p|b|span|table><tr><td|a href=x|dl><dd|dl><dt|em|strong><em|del|sup|details><summary|" +
    "div class=admonition|div class=note|div class=line-numbers|div role=table><div role=row><div role=cell|pre><code|h2|" +
    "math><mrow|span class=math|figure><figcaption|ruby><rt|q|section id=fn1><a href=#fn1|object|button";
  it.each(nested.split("|"))(
    "converts 3,000 nested <%s> with their text, quickly",
    (tag) => {
      const depth = 3_000;
      const html = `${`<${tag}>`.repeat(depth)}innermost text</x><p>last words</p>`;
      const spent = cpuSeconds();
      const markdown = renderHtml(html, whole);
      expect(markdown).toContain("innermost text");
      expect(markdown).toContain("last words");
      expect(markdown.length).toBeLessThan(400_000);
      expect(spent()).toBeLessThan(3);
    },
  );

  it("converts 100,000 nested elements with text at each level in linear time", () => {
    const html = Array.from({ length: 100_000 }, (_, index) => `<blockquote>${index}`).join("");
    const spent = cpuSeconds();
    const markdown = renderHtml(html, whole);
    expect(markdown).toContain("99999");
    expect(spent()).toBeLessThan(10);
  });

  it("keeps every row of a 20 MB table", () => {
    const rows = 160_000;
    const row = (index: number): string =>
      `<tr><td>row ${index}</td><td><b>bold</b> text | with pipe</td><td rowspan="1">${"x".repeat(40)}</td><td>4</td></tr>\n`;
    const html = `<table><tr><th>a</th><th>b</th><th>c</th><th>d</th></tr>${Array.from({ length: rows }, (_, index) => row(index)).join("")}</table>`;
    expect(html.length).toBeGreaterThan(18_000_000);
    const spent = cpuSeconds();
    const markdown = renderHtml(html, whole);
    expect(markdown.split("\n")).toHaveLength(rows + 2);
    expect(markdown.endsWith(`| 4 |`)).toBe(true);
    expect(spent()).toBeLessThan(25);
  }, 120_000);

  it("limits the output of a cell that claims 65,534 rows and 1,000 columns", () => {
    const html = `<table><tr><th>a</th><th>b</th></tr>${'<tr><td rowspan="65534" colspan="1000">x</td></tr>'.repeat(2_000)}</table>`;
    const markdown = renderHtml(html, whole);
    expect(markdown.length).toBeLessThan(2_000_000);
  });

  it("converts deeply nested tables in linear time", () => {
    const html = `${"<table><tr><th>h</th><td>".repeat(400)}core${"</td></tr></table>".repeat(400)}`.repeat(20);
    const spent = cpuSeconds();
    expect(renderHtml(html, whole)).toContain("core");
    expect(spent()).toBeLessThan(5);
  });

  const shapes: Record<string, string> = {
    "bold words in one paragraph": `<p>${"<b>x</b> y ".repeat(60_000)}`,
    "openers of formulas that never close": `<p>${"\\( \\[ ".repeat(60_000)}`,
    "delimiters without partners": `<p>${"*a_b`c[d]( ".repeat(60_000)}`,
    "hidden in hidden": `${"<div hidden>".repeat(500)}${"<p>some text</p>".repeat(30_000)}`,
    "streamed parts": `${Array.from({ length: 10_000 }, (_, index) => `<template id="B:${index.toString(16)}"></template>`).join("")}${Array.from({ length: 10_000 }, (_, index) => `<div hidden id="S:${index.toString(16)}">x</div>`).join("")}`,
    "links around blocks in links": `${"<a href=x><div>".repeat(500)}${"<p>t</p>".repeat(30_000)}`,
    "the same picture in one cell": `<table><tr><td>${'<img src="tick.png">'.repeat(50_000)}</td><td>x</td></tr><tr><td>y</td></tr></table>`,
    "references to one note": `<p>${'<sup><a href="#fn1">1</a></sup>'.repeat(50_000)}</p><ol><li id="fn1">note</li></ol>`,
    "notes that refer to each other": Array.from({ length: 20_000 }, (_, index) => `<p id="fn${index}"><sup><a href="#fn${(index + 1) % 20_000}">${index % 9}</a></sup> note`).join(""),
    "items counted in a cell": `<table><tr><th>a</th><th>b</th></tr><tr><td><ol>${"<li>x".repeat(30_000)}</ol></td><td>y</td></tr></table>`,
    "environments that never end": `<p>${"\\begin{align} x ".repeat(30_000)}`,
    "tasks without text": `<ul class="task-list">${"<li><input type=checkbox>".repeat(30_000)}</ul>`,
    "backslashes and pipes in code of cells": `<table><tr><th>a</th><th>b</th></tr><tr><td><code>${"\\|".repeat(60_000)}</code></td><td><code>${"\\".repeat(120_000)}</code></td></tr></table>`,
    "a million backticks": `<pre>${"`".repeat(1_000_000)}</pre>`,
  };
  it.each(Object.keys(shapes))("converts %s in linear time", (name) => {
    const spent = cpuSeconds();
    expect(renderHtml(shapes[name] ?? "", whole)).not.toBe("");
    expect(spent()).toBeLessThan(5);
  });
});
