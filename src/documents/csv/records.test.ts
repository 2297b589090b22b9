import { describe, expect, it } from "vitest";
import { readRecords, type RecordFaults } from "./records.ts";
import { threadCpuMs } from "../../../test/cpu-time.ts";

function recordsOf(text: string, delimiter = ","): { records: string[][]; faults: RecordFaults } {
  const records: string[][] = [[]];
  const faults = readRecords(Buffer.from(text), delimiter.charCodeAt(0), {
    onCell: (bytes, start, end) => void records.at(-1)?.push(bytes.toString("utf8", start, end)),
    endRecord: () => void records.push([]),
  });
  records.pop();
  return { records, faults };
}

describe("readRecords", () => {
  it.each<[string, string, string[][]]>([
    ["an empty file has none", "", []],
    [
      "a last line may lack its end",
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["lines end in CRLF, LF and CR", "a\r\nb\nc\rd", [["a"], ["b"], ["c"], ["d"]]],
    ["an empty line is one empty cell", "a\n\nb\n", [["a"], [""], ["b"]]],
    [
      "cells may be empty, the last one too",
      ",a,\n,",
      [
        ["", "a", ""],
        ["", ""],
      ],
    ],
    ["records may differ in width", "a\n1,2,3\n4,5\n", [["a"], ["1", "2", "3"], ["4", "5"]]],
    ["quotes hold delimiters and line ends", '"a,b","c\r\nd"\n', [["a,b", "c\r\nd"]]],
    ["two quotes in quotes are one", '"x ""y""","""",""\n', [['x "y"', '"', ""]]],
    ["quotes within a cell are characters", '5" pipe,x"y"\n', [['5" pipe', 'x"y"']]],
    ["blanks around quotes count for nothing", 'a, "b, c" ,d\n', [["a", "b, c", "d"]]],
    ["other blanks belong to the cell", " a , b \n", [[" a ", " b "]]],
    ["characters beyond ASCII stay whole", "Größe,東京\n", [["Größe", "東京"]]],
  ])("splits records: %s", (_, text, records) => {
    expect(recordsOf(text)).toEqual({
      records,
      faults: { trailingTexts: 0, unclosedAt: undefined },
    });
  });

  it("keeps text after a quoted cell and counts it", () => {
    const { records, faults } = recordsOf('"ab"c,"x ""y"" "z "w"\nd,"e"\n');
    expect(records).toEqual([
      ["abc", 'x "y" z "w"'],
      ["d", "e"],
    ]);
    expect(faults.trailingTexts).toBe(2);
  });

  it("treats a quote without an end as a character, so that the following lines are records", () => {
    const { records, faults } = recordsOf('a,b\n1,"two\n3,"" and ""\n');
    expect(records).toEqual([
      ["a", "b"],
      ["1", '"two'],
      ["3", ' and ""'],
    ]);
    expect(faults.unclosedAt).toBe(6);
  });

  it("reads any text in linear time", () => {
    const texts = ['"', '"a', '""', ',"', '\n"', ' "', '"\n,', "   ", '"""'].map((piece) =>
      piece.repeat(300_000),
    );
    const started = threadCpuMs();
    for (const text of texts) recordsOf(text, "\t");
    expect(threadCpuMs() - started).toBeLessThan(30_000);
  });

  it("stops reading records when endRecord returns true", () => {
    let records = 0;
    readRecords(Buffer.from("a\nb\nc\n"), 44, {
      onCell: () => undefined,
      endRecord: () => ++records === 2,
    });
    expect(records).toBe(2);
  });
});
