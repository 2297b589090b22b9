import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../../test/growth.ts";
import { splitSections } from "./sections.ts";
import { splitPassages } from "./passages.ts";
import { stripLinks } from "./strip-links.ts";

describe("stripLinks", () => {
  it.each([
    ["see [the map](https://a.test/map) now", "see the map now"],
    ["[`Sniffer`](https://a.test/#sniffer) class", "`Sniffer` class"],
    ["[![logo](/l.png)](https://a.test/)", "logo"],
    ["call `list[0](x)` and [b](/c)", "call `list[0](x)` and b"],
    [String.raw`\[a](b)`, String.raw`\[a](b)`],
    ["```[a](b)``` and [c](/d)", "```[a](b)``` and c"],
    ["$[a](b)$ and [c](/d)", "$[a](b)$ and c"],
  ])("stripLinks turns %j into %j", (markdown, text) => {
    expect(stripLinks(markdown)).toBe(text);
  });

  it.each([
    ["backticks", (size: number) => "`".repeat(size)],
    ["backticks and brackets", (size: number) => "`[".repeat(size)],
    ["brackets", (size: number) => "[a](".repeat(size)],
  ])("stripLinks takes linear time for %s", (_name, build) => {
    expectNoSquare((size) => void stripLinks(build(size)));
  });
});

describe("findHeadings", () => {
  it("finds the headings after a code span of three backticks at the start of a line", () => {
    const markdown = "# One\n\n```x``` is code\n\n# Two";
    expect(splitSections(markdown).map(({ heading }) => heading)).toEqual(["One", "Two"]);
  });
});

describe("splitPassages", () => {
  it("splitPassages keeps code as it is, also where a passage starts within a code block", () => {
    const code = Array.from({ length: 60 }, (_, at) => `handlers[${at}](request) // line ${at}`);
    const markdown = `# Calls\n\nRead [the guide](/guide).\n\n\`\`\`js\n${code.join("\n\n")}\n\`\`\`\n\nAnd [more](/more).\n`;
    const passages = splitPassages(markdown, splitSections(markdown));
    expect(passages.length).toBeGreaterThan(1);
    const text = passages.map((passage) => passage.text).join("\n");
    expect(text).toContain("Read the guide.");
    expect(text).toContain("And more.");
    for (const line of code) expect(text).toContain(line);
  });
});
