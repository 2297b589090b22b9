import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../../test/growth.ts";
import { requireSection, splitSections } from "./sections.ts";

describe("splitSections", () => {
  it.each([
    ["# Boats", "Boats"],
    ["## Boats ##", "Boats"],
    ["# C#", "C#"],
    ["# Price of *one* [boat](https://a.test/Boat_(ship))", "Price of one boat"],
    ["# ![Logo](/logo.png) Harbour", "Logo Harbour"],
    ["# **The** max_tokens of `a_b*` and $x*y*z$", "The max_tokens of a_b* and $x*y*z$"],
  ])("splitSections parses the heading %j as %j", (markdown, heading) => {
    expect(splitSections(markdown)).toMatchObject([{ heading }]);
  });

  it.each([
    ["brackets", (size: number) => `# ${"[".repeat(size)}`],
    ["images", (size: number) => `# ${"![".repeat(size)}`],
    ["spaces", (size: number) => `# a${" ".repeat(size)}b`],
    ["number signs", (size: number) => `# a ${"#".repeat(size)}b`],
    ["number signs and spaces", (size: number) => `# a ${"# ".repeat(size)}b`],
  ])("splitSections takes linear time for a heading of %s", (_name, build) => {
    expectNoSquare((size) => void splitSections(build(size)));
  });
});

describe("requireSection", () => {
  it.each([
    ["Only text.", "9", "Its only section is 0;"],
    ["Before.\n\n# One\n\n# Two", "9", "Its sections are 0 to 2;"],
    ["# One\n\n# Two", "0", "Its sections are 1 to 2;"],
    ["", "1", "It has no text;"],
  ])("requireSection names the sections of %j", (markdown, wanted, text) => {
    expect(() => requireSection(splitSections(markdown), wanted)).toThrow(text);
  });
});
