import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../test/cpu-time.ts";
import { findStatement } from "./statements.ts";
import { termsOf } from "./terms.ts";

const find = (prompt: string, name: string, markdown: string, isNumber = false) =>
  findStatement(markdown, { name, isNumber, topic: termsOf(prompt, undefined).topic })?.value;

const PLANS = `| Plan | Upload limit | Price |
| --- | --- | --- |
| Free | 250 MB | 0 |
| Team | 2 GB | 29 |
| Company | 10 GB | 1,290.50 |`;

describe("values in tables", () => {
  it.each([
    ["What is the upload limit of the plan called Team?", "uploadLimit", "2 GB"],
    ["upload limit, free plan", "upload_limit", "250 MB"],
    ["What does the company plan cost, its price?", "price", "1,290.50"],
  ])('reads the table cell that "%s" asks for (%s)', (prompt, name, value) => {
    expect(find(prompt, name, PLANS)).toBe(value);
  });

  it("reads a number from a table when the schema asks for one", () => {
    expect(find("price of the company plan", "price", PLANS, true)).toBe(1290.5);
  });

  it("reads a table whose header row names the things", () => {
    const turned = `| | Free | Team |\n| --- | --- | --- |\n| Upload limit | 250 MB | 2 GB |\n| Price | 0 | 29 |`;
    expect(find("upload limit of Team", "uploadLimit", turned)).toBe("2 GB");
  });

  it.each([
    ["several rows fit", "upload limit of the plan"],
    ["no row is about it", "upload limit of the plan Galaxy"],
  ])("reads no table cell when %s", (_why, prompt) => {
    expect(find(prompt, "uploadLimit", PLANS)).toBeUndefined();
  });
});

describe("values in sentences", () => {
  it.each([
    [
      "What is the maximum wingspan of the heron?",
      "wingspan",
      "The maximum wingspan of the heron of the manual is 1.95 m.",
      "1.95 m",
    ],
    [
      "Who is the director of the institute?",
      "director",
      "The director of the institute is Ada Marsh.",
      "Ada Marsh",
    ],
    [
      "Who is the director of the institute?",
      "director",
      "Ada Marsh is the director of the institute since 2019.",
      "Ada Marsh",
    ],
    [
      "upload limit",
      "uploadLimit",
      "The upload limit is 250 MB for each file, and requests are limited to 90 a minute.",
      "250 MB for each file",
    ],
    [
      "founding year of the institute",
      "foundingYear",
      "## Institute\n\nFounding year: 1911",
      "1911",
    ],
  ])('reads the value for "%s" (%s) from a sentence', (prompt, name, text, value) => {
    expect(find(prompt, name, text)).toBe(value);
  });

  it.each([
    [
      "about another thing",
      "wingspan of the heron",
      "wingspan",
      "The wingspan of the gull is 1.2 m.",
    ],
    [
      "that gives no value",
      "upload limit",
      "uploadLimit",
      "The upload limit is described elsewhere.",
    ],
    [
      "without a value",
      "wingspan of the heron",
      "wingspan",
      "The wingspan of the heron is quite large.",
    ],
    ["with another word", "wingspan of the heron", "wingspan", "The weight of the heron is 2 kg."],
    [
      "that points at something",
      "director of the institute",
      "director",
      "This is the director of the institute.",
    ],
  ])("reads no value from a sentence %s", (_why, prompt, name, text) => {
    expect(find(prompt, name, text)).toBeUndefined();
  });

  it("reads the number next to its name unless there are two", () => {
    const text =
      "Every account has limits. Files may have 250 MB, and requests are limited to 90 a minute.";
    const prompt = "How many requests a minute may an account send?";
    expect(find(prompt, "requestsPerMinute", text, true)).toBe(90);
    const two = "For 2 accounts requests are limited to 90 a minute.";
    expect(find(prompt, "requestsPerMinute", two, true)).toBeUndefined();
  });

  it("handles a very long line in linear time", () => {
    const line = `${"wingspan of the heron ".repeat(20_000)}is 1.95 m.`;
    const from = threadCpuMs();
    expect(find("wingspan of the heron", "wingspan", line)).toBeUndefined();
    expect(threadCpuMs() - from).toBeLessThan(1_000);
  });
});
