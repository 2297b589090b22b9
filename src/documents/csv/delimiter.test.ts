import { expect, it } from "vitest";
import { findDelimiter } from "./delimiter.ts";

const delimiterOf = (text: string): string =>
  String.fromCharCode(findDelimiter(Buffer.from(text)).code);

it.each([
  ["commas", "a,b\n1,2\n", ","],
  ["semicolons beside decimal commas", "a;b\n1,5;2\n", ";"],
  ["semicolons in every line that has as many commas", "1,5;2,5\n3,5;4,5\n", ";"],
  ["semicolons beside names with commas", "n;x\nSmith, J;1\nDoe, K;2\n", ";"],
  ["tabs", "a\tb\n1,5\t2\n", "\t"],
  ["pipes", "a|b|c\n1|2|3\n", "|"],
  ["commas around quoted semicolons", '"a;b","c;d"\n"1;2","3;4"\n', ","],
  ["commas below a line that is no record", "Ships; harbours\n\na,b,c\n1,2,3\n4,5,6\n", ","],
  ["a comma when there is no delimiter", "one\ntwo\n", ","],
  ["a comma in an empty file", "", ","],
])("detects the delimiter of records separated by %s", (_, text, delimiter) => {
  expect(delimiterOf(text)).toBe(delimiter);
});

it("reads the delimiter that a file declares itself", () => {
  expect(findDelimiter(Buffer.from("sep=;\r\na;b,c\n"))).toEqual({ code: 59, start: 7 });
  expect(findDelimiter(Buffer.from("SEP=^\na^b\n"))).toEqual({ code: 94, start: 6 });
  expect(findDelimiter(Buffer.from("sep=x\na,b\n"))).toEqual({ code: 44, start: 0 });
});
