import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../test/growth.ts";
import { splitSections } from "./sections.ts";

describe("splitSections", () => {
  it.each([
    ["# Boats", "Boats"],
    ["## Boats ##", "Boats"],
    ["# C#", "C#"],
    ["# Price of *one* [boat](https://a.test/Boat_(ship))", "Price of one boat"],
    ["# ![Logo](/logo.png) Harbour", "Logo Harbour"],
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
