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

  test("leaves out list entries, captions, rows of numbers and fragments", () => {
    const whole = "The museum shows ships of the northern trade from four centuries.";
    const other = "Its oldest ship was raised from the harbour in the year 1964.";
    const entries = [
      "Reading of electrical and pneumatic plans for three machines",
      "· Footpath to the square in front of the station 3 min.",
      "cough due to minor throat irritation and bronchial irritation.",
      "NDC 99871 204 24 NOCTALEV 24 TABLETS 12 MG 3 X 8.",
      "Season 2025-2026 · Matchday 18 of 30 in the second division",
      "The check-in at three was more like four in the afternoon.”",
    ];
    const mixed = [
      entries[0],
      whole,
      entries[1],
      entries[2],
      other,
      entries[3],
      entries[4],
      entries[5],
    ];
    const paragraphs = mixed.filter((text) => text !== undefined);
    expect(summarise(reading("en", "Museum", paragraphs))).toBe(`${whole} ${other}`);
    expect(summarise(reading("en", "Museum", entries))).toBeUndefined();
  });

  test("knows the ends of sentences in several scripts", () => {
    for (const [language, one, other] of [
      [
        "ru",
        "Музей показывает корабли северной торговли.",
        "Старейший корабль подняли в 1964 году.",
      ],
      [
        "hi",
        "यह संग्रहालय उत्तरी व्यापार के पुराने जहाज़ दिखाता है।",
        "सबसे पुराना जहाज़ 1964 में बंदरगाह से निकाला गया था।",
      ],
      [
        "ar",
        "يعرض المتحف سفن التجارة الشمالية من أربعة قرون.",
        "انتشلت أقدم سفينة من الميناء في عام 1964 تقريبا.",
      ],
      [
        "de",
        "„Das Museum zeigt Schiffe des Nordhandels aus vier Jahrhunderten.“",
        "Das älteste Schiff wurde 1964 aus dem Hafen gehoben [3].",
      ],
    ] as const)
      expect(summarise(reading(language, "", [one, other]))).toBe(`${one} ${other}`);
  });

  test("gives title and key facts of a page with little text, before its sentences", () => {
    const facts = [
      { label: "Weight", value: "412 g" },
      { label: "Water column", value: "20,000 mm" },
      { label: "Material", value: "Polyamide" },
    ];
    const page = reading("en", "Fjell Jacket", [
      "A shell for wet and windy days, with taped seams.",
      "Sizes",
    ]);
    expect(summarise(page, () => facts)).toBe(
      "Fjell Jacket. Weight: 412 g; Water column: 20,000 mm; Material: Polyamide. A shell for wet and windy days, with taped seams.",
    );
    expect(summarise(page, () => facts.slice(0, 2))).toBeUndefined();
    const japanese = reading("ja", "北前船", []);
    expect(summarise(japanese, () => facts)).toMatch(/^北前船。Weight/);
  });

  test("begins with the title if no sentence names the topic", () => {
    const page = reading("en", "Grindale Symposium", [
      "More than 9,000 digitised logbooks now feed the reanalysis of the oceans of the world.",
      "The venue is step-free, and an induction loop is fitted in the larger of the two halls.",
      "All talks of the first day are streamed and can be watched again for six months after.",
      "Tickets include lunch on both days and the boat trip to the island on the last evening.",
    ]);
    expect(summarise(page)).toMatch(/^Grindale Symposium\. /);
  });

  test("accepts an invalid declared language", () => {
    const sentence = "One short page has two long sentences in it, which are these ones here.";
    const other = "The other sentence says something else about the same short page of text.";
    expect(summarise(reading("x-nonsense-", "", [sentence, other]))).toBe(`${sentence} ${other}`);
  });
});

test("does not end a sentence at abbreviations and initials", () => {
  expect(
    splitSentences("Dr. Holm met J. K. Berg at St. Olav in 1971. They sailed on.", "en"),
  ).toEqual(["Dr. Holm met J. K. Berg at St. Olav in 1971.", "They sailed on."]);
});

test("does not end a sentence at ordinals of the language and within brackets", () => {
  const german = "Am 2. Februar 1956 waren es −27,9 °C (in der Nacht zum 3. März. Siehe Band 4).";
  expect(splitSentences(`${german} Danach wurde es warm.`, "de")).toEqual([
    german,
    "Danach wurde es warm.",
  ]);
  expect(splitSentences("They finished in 12. Then they left.", "en")).toHaveLength(2);
});
