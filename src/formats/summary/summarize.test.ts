import { describe, expect, test } from "vitest";
import type { ContentReading } from "../page/content-text.ts";
import { summarise } from "./summarize.ts";
import { splitSentences } from "./sentences.ts";

const reading = (
  language: string,
  title: string,
  paragraphs: readonly string[],
): ContentReading => ({
  language,
  title,
  paragraphs,
  markdown: paragraphs.join("\n\n"),
});

describe("summarise", () => {
  test("picks sentences on the page's topic in page order, without repeats", () => {
    const summary = summarise(
      reading("en", "Seagrass meadows return", [
        "Seagrass meadows are returning to the bay after thirty years, biologists reported on Monday. The meadows now cover twice the area they did in 2010.",
        "Seagrass meadows are returning to the bay after thirty years, the biologists said again in the evening.",
        "Seagrass shelters young fish and binds carbon, so the return of the meadows helps the whole bay.",
        "The canteen of the institute was closed for repairs on that day and visitors had to walk to town.",
        "Biologists expect the seagrass to spread further if the water of the bay stays clear.",
        "Tickets for the boat can be bought at the pier every morning from nine.",
      ]),
    );
    expect(summary).toMatch(/^Seagrass meadows are returning to the bay/);
    expect(summary?.match(/returning to the bay/g)).toHaveLength(1);
    expect(summary).toContain("shelters young fish");
    expect(summary).not.toContain("canteen");
  });

  test("splits sentences of languages without spaces", () => {
    const summary = summarise(
      reading("ja", "海草の再生", [
        "湾の海草が三十年ぶりに戻ってきたと生物学者が月曜日に発表した。海草の面積は二〇一〇年の二倍になった。",
        "海草は小さな魚を守り、炭素を固定するため、湾全体の環境を助けている。",
        "研究所の食堂はその日休みだった。",
      ]),
    );
    expect(summary).toContain("湾の海草が三十年ぶりに戻ってきたと生物学者が月曜日に発表した。");
    expect(summary).not.toContain(" ");
    const chinese = summarise(
      reading("zh", "海草", [
        "海草在三十年后重新回到了这个海湾，生物学家周一报告说。海草的面积是二〇一〇年的两倍。",
      ]),
    );
    expect(chinese).toContain("生物学家周一报告说。");
  });

  test("gives the description of a page with fewer than two sentences, and nothing without one", () => {
    const list = reading("en", "Price list", ["Lamp", "Chair"]);
    const description = "Prices of our lamps and chairs, valid from May.";
    expect(summarise({ ...list, description })).toBe(description);
    expect(summarise(list)).toBeUndefined();
    expect(summarise(reading("", "", []))).toBeUndefined();
  });

  test("leaves out sentences about cookies, accounts and newsletters", () => {
    const summary = summarise(
      reading("en", "Seagrass", [
        "We use cookies to give you the best experience on our website.",
        "Seagrass meadows are returning to the bay after thirty years of absence.",
        "Sign up for our newsletter to get the latest news of the bay.",
        "Biologists expect the meadows to spread further in the coming years.",
      ]),
    );
    expect(summary).toBe(
      "Seagrass meadows are returning to the bay after thirty years of absence. Biologists expect the meadows to spread further in the coming years.",
    );
  });

  test("accepts an invalid declared language", () => {
    const sentence = "One short page has two long sentences in it, which are these ones here.";
    const other = "The other sentence says something else about the same short page of text.";
    expect(summarise(reading("x-nonsense-", "T", [sentence, other]))).toBe(`${sentence} ${other}`);
  });
});

test("does not end a sentence at abbreviations and initials", () => {
  expect(
    splitSentences("Dr. Holm met J. K. Berg at St. Olav in 1971. They sailed on.", "en"),
  ).toEqual(["Dr. Holm met J. K. Berg at St. Olav in 1971.", "They sailed on."]);
});
