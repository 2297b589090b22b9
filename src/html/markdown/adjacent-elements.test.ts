import { describe, expect, test } from "vitest";
import { derivePage } from "../../../test/understanding/derive-page.ts";

const markdownOf = (body: string): string =>
  derivePage(`<!doctype html><html lang="en"><body><main>${body}</main></body></html>`, [
    { type: "markdown" },
  ]).reading?.markdown.trim() ?? "";

describe("Markdown of adjacent elements", () => {
  test.each([
    ['<div class="flex justify-between"><span>Price</span><span>€20</span></div>', "Price €20"],
    [
      '<div class="d-flex"><span>in stock</span><span>ships today</span></div>',
      "in stock ships today",
    ],
    [
      '<div style="display:grid"><a href="/n">North</a><a href="/s">South</a></div>',
      "[North](/n) [South](/s)",
    ],
    ['<div class="sm:inline-flex"><b>Label</b><span>Value</span></div>', "**Label** Value"],
    ['<div class="flex"><span>Mara K.</span><span>Member</span></div>', "Mara K. Member"],
    ['<p><span class="a">Mara K.</span><span class="b">Member</span></p>', "Mara K. Member"],
  ])("keeps the children of a row or grid apart: %s", (html, expected) => {
    expect(markdownOf(html).replaceAll("https://site.example", "")).toBe(expected);
  });

  test.each([
    [
      '<h4><span class="x1"><span>id</span></span><span class="x2">string</span></h4>',
      "#### id string",
    ],
    [
      '<p><span class="x1">amount</span><span class="x2">nullable integer</span></p>',
      "amount nullable integer",
    ],
    ['<p><span class="x1">sub</span><span class="x2">strings</span></p>', "substrings"],
  ])("keeps the name of a parameter and its type apart: %s", (html, expected) => {
    expect(markdownOf(html)).toBe(expected);
  });

  test.each([
    ["<p><b>bo</b><i>ld</i></p>", "**bo**_ld_"],
    ['<p>In <span class="a">System.</span><span class="b">Console</span></p>', "In System.Console"],
    ["<p><span>19</span><span>.99</span></p>", "19.99"],
    ['<div class="flex"><span>$</span><span>19</span><span>.99</span></div>', "$19.99"],
    ['<p class="flexible"><span>wo</span><span>rd</span></p>', "word"],
  ])("joins parts of one word or number: %s", (html, expected) => {
    expect(markdownOf(html)).toBe(expected);
  });
});
