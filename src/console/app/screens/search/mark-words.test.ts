import { describe, expect, it } from "vitest";
import { markWords, splitWords } from "./mark-words.ts";

const toPlain = (part: unknown): string =>
  typeof part === "object" && part !== null && "props" in part
    ? `[${(part.props as { children: string }).children}]`
    : (part as string);

const marked = (text: string, query: string): string =>
  markWords(text, query).map(toPlain).join("");

describe("marked words of a search", () => {
  it("leaves operators and excluded words out", () => {
    expect(
      splitWords('Ferry OR "old pier" -lighthouse -"new pier" site:a.example intitle:tide'),
    ).toEqual(["ferry", "old", "pier", "tide"]);
  });

  it("marks other forms of a word, and no word that merely contains it", () => {
    expect(marked("The ferries and a ferry; tides, retide.", "ferry tide")).toBe(
      "The [ferries] and a [ferry]; [tides], retide.",
    );
  });

  it("marks short words only as a whole and keeps the text unchanged", () => {
    expect(marked("A sea, the seal.", "sea")).toBe("A [sea], the seal.");
    expect(marked("<b>bold</b>", "-x")).toBe("<b>bold</b>");
  });
});
