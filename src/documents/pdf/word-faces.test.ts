import { describe, expect, it } from "vitest";
import type { Face, Word } from "./page-text.ts";
import { learnFaces, withOwnFaces } from "./word-faces.ts";

const face = (more: Partial<Face> = {}): Face => ({
  font: "Text",
  size: 10,
  bold: false,
  italic: false,
  mono: false,
  ...more,
});
const MONO = face({ font: "Courier", mono: true });

/**
 * A word whose box ends at 100 with the given height in points, and characters of the given width.
 */
const word = (text: string, height: number, of = face(), width = 5): Word => ({
  text,
  x0: 0,
  x1: text.length * width,
  y0: 100 - height,
  y1: 100,
  face: of,
  run: 7,
  tag: undefined,
  confidence: undefined,
});
const LINE = { y0: 89, y1: 101 };
const known = learnFaces([
  { ...word("Text", 11), x1: 400 },
  { ...word("code", 10, MONO), x1: 60 },
]);
const textOf = ({ text, face: { mono, bold } }: Word): string =>
  `${text}${mono ? " mono" : ""}${bold ? " bold" : ""}`;

describe("withOwnFaces", () => {
  it("assigns faces by the box heights that were learned on the page", () => {
    const words = [word("call", 11), word("main()", 10), word("first", 11)];
    expect(withOwnFaces(words, LINE, known).map(textOf)).toEqual(["call", "main() mono", "first"]);
  });

  it("assigns monospace by height alone if that is unambiguous", () => {
    const words = [word("ls", 10, MONO, 6), word("-l", 10, MONO, 5.7), word("lists", 11, MONO, 6)];
    expect(withOwnFaces(words, LINE, known).map(textOf)).toEqual(["ls mono", "-l mono", "lists"]);
  });

  it("removes marks from words whose font is unknown", () => {
    const bold = face({ bold: true });
    const words = [word("Note", 12.5, bold), word("that", 11, bold), word("all", 11, bold)];
    expect(withOwnFaces(words, LINE, learnFaces([])).map(textOf)).toEqual([
      "Note bold",
      "that",
      "all",
    ]);
  });

  it("keeps the face if box heights vary with the letters", () => {
    const bold = face({ bold: true });
    const words = [6, 8, 10, 12].map((height) => word("word", height, bold));
    expect(withOwnFaces(words, LINE, known).map(textOf)).toEqual(Array(4).fill("word bold"));
  });
});

describe("withOwnFaces raised marks", () => {
  const marks = (words: readonly Word[]): string[] =>
    withOwnFaces(words, LINE, known).map(
      ({ text, face: { size }, run }) => `${text} ${size} ${run}`,
    );

  it("splits a raised mark that was read into a word", () => {
    const tall = { ...word("objects1", 11), y0: 87.5 };
    expect(marks([word("of", 11), tall, word("and", 11)])).toEqual([
      "of 10 7",
      "objects 10 7",
      "1 7 7.5",
      "and 10 7",
    ]);
  });

  it("keeps the size of the text after a raised mark", () => {
    const small = face({ size: 6 });
    const tall = { ...word("2The", 11, small), y0: 87.5 };
    const [mark, first] = withOwnFaces(
      [tall, word("only", 11, small), word("one", 11, small)],
      LINE,
      known,
    );
    expect([mark?.text, mark?.face.size, first?.text, first?.face.size]).toEqual([
      "2",
      7,
      "The",
      10,
    ]);
  });

  it("marks a separate raised mark as small", () => {
    const mark = { ...word("1", 8), y0: 87, y1: 95 };
    expect(marks([word("by", 11), word("scripts.", 11), mark])[2]).toBe("1 7 7.5");
  });

  it("does not split digits before raised letters", () => {
    const tall = { ...word("3rd", 11), y0: 87.5 };
    expect(marks([word("the", 11), tall, word("year", 11)])).toEqual([
      "the 10 7",
      "3rd 10 7",
      "year 10 7",
    ]);
  });

  it("does not split digits of a name", () => {
    expect(marks([word("the", 11), word("utf8", 11), word("text", 11)])).toEqual([
      "the 10 7",
      "utf8 10 7",
      "text 10 7",
    ]);
  });
});
