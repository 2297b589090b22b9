import { describe, expect, it } from "vitest";
import { column, buildPdfPage, type TextAt } from "../../../../test/documents/pdf-page.ts";
import { renderBlockMarkdown } from "../../parse-document.ts";
import { buildBlocks } from "./build-blocks.ts";
import type { PdfPage } from "../page-text.ts";

const read = (...pages: PdfPage[]): string[] =>
  buildBlocks(pages.map((page, at) => ({ ...page, number: at + 1 }))).map((block) =>
    renderBlockMarkdown(block, "http://localhost/"),
  );

/** Text of the page, with a raised mark after its second line. */
const text = (mark: string, last = "and it ends here with a full stop."): TextAt[] => [
  ...column(60, 80, [
    "The harbour was built in the year that the old one sank into the",
    "mud of the river, as the records of the town say without",
    last,
  ]),
  ...(mark === "" ? [] : [{ x: 341, y: 89, text: mark, size: 6 }]),
];
const note = (y: number, mark: string, words: string): TextAt[] => [
  { x: 60, y, text: mark, size: 8 },
  { x: 70, y, text: words, size: 8 },
];

describe("linkFootnotes", () => {
  it("recognizes a footnote whose mark is raised right before its text", () => {
    const raised: TextAt[] = [
      { x: 60, y: 696, text: "1", size: 5 },
      { x: 63, y: 700, text: "Records of the town, volume two.", size: 8 },
    ];
    expect(read(buildPdfPage([...text("1"), ...raised]))[1]).toBe(
      "[^1]: Records of the town, volume two.",
    );
  });

  it("links footnotes to the raised marks on the same page", () => {
    const blocks = read(
      buildPdfPage([
        ...text("1"),
        ...note(700, "1", "Records of the town, volume two."),
        ...note(712, "2", "Nobody refers to this."),
      ]),
    );
    expect(blocks).toEqual([
      expect.stringContaining("say without[^1] and it ends") as string,
      "[^1]: Records of the town, volume two.",
      "2 Nobody refers to this.",
    ]);
  });

  it("links footnotes to marks that were read as part of the word before", () => {
    const blocks = read(
      buildPdfPage([
        ...text("", "all doubt1, and it ends here with a full stop."),
        ...note(700, "1", "There is some doubt."),
      ]),
    );
    expect(blocks[0]).toContain("all doubt[^1], and it");
    expect(blocks[1]).toBe("[^1]: There is some doubt.");
  });

  it("labels equal marks on two pages uniquely, and does not split the paragraph between the pages", () => {
    const first = buildPdfPage([
      ...text("*", "and then the new one went on for many years into the"),
      ...note(700, "*", "First note."),
    ]);
    const second = buildPdfPage([
      ...column(60, 80, ["time that nobody wrote about, it is not known to anyone at all."]),
      ...text("*").map((line) => ({ ...line, y: line.y + 60 })),
      ...note(700, "*", "Second note."),
    ]);
    const blocks = read(first, second);
    expect(blocks[0]).toMatch(/without\[\^note1\] .* years into the time that nobody/);
    expect(blocks.filter((block) => block.startsWith("[^"))).toEqual([
      "[^note1]: First note.",
      "[^note1-2]: Second note.",
    ]);
  });

  it("ignores numbered lines in the text's size, and small ones at the top of a page", () => {
    const large = read(
      buildPdfPage([...text("1"), { x: 60, y: 700, text: "1 As large as the text." }]),
    );
    const high = read(
      buildPdfPage([
        ...note(60, "1", "A line above the text."),
        ...text("1").map((line) => ({ ...line, y: line.y + 40 })),
      ]),
    );
    for (const blocks of [large, high]) expect(blocks.join("\n")).not.toContain("[^");
  });
});
