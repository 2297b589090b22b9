import { Element } from "domhandler";
import { describe, expect, it } from "vitest";
import { GROUP_NAMES } from "./name-groups.ts";
import { NameReader } from "./name-reader.ts";

const listGroups = (tag: string, attributes: Record<string, string> = {}): string[] => {
  const bits = new NameReader().read(new Element(tag, attributes), []);
  return GROUP_NAMES.filter((_, group) => ((bits >>> group) & 1) === 1).sort();
};

describe("NameReader", () => {
  it.each([
    ["main-nav", ["content", "nav"]],
    ["siteFooter", ["footer"]],
    ["js-breadcrumbs2", ["nav"]],
    ["xnavbarx", ["nav"]],
    ["navy", []],
    ["n a v", []],
    ["ARTICLE", ["content"]],
    ["popularStories", ["related"]],
    ["", []],
  ])("reads the words of the class %s", (name, groups) => {
    expect(listGroups("div", { class: name })).toEqual(groups);
    expect(listGroups("div", { id: name })).toEqual(groups);
  });

  it("reads tag, role and schema.org properties", () => {
    expect(listGroups("aside")).toEqual(["tag-aside"]);
    expect(listGroups("div", { role: "Navigation" })).toEqual(["tag-nav"]);
    expect(listGroups("div", { itemprop: "articleBody" })).toEqual(["schema-body"]);
  });

  it("ignores class names on the root element", () => {
    expect(listGroups("body", { class: "sidebar" })).toEqual([]);
  });

  it("fits every name group into a bit", () => {
    expect(GROUP_NAMES.length).toBeLessThanOrEqual(31);
    expect(new Set(GROUP_NAMES).size).toBe(GROUP_NAMES.length);
  });
});
