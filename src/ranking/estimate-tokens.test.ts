import { describe, expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";
import { countTokens } from "./model-tokens.ts";

const TEXTS: Readonly<Record<string, string>> = {
  English:
    "The harbour walls were rebuilt after the storm of the last winter, and the town pays for them with a loan that runs for twenty years.",
  German:
    "Die Hafenmauern wurden nach dem Sturm des letzten Winters neu gebaut, und die Stadt bezahlt sie mit einem Kredit über zwanzig Jahre.",
  Russian:
    "Стены гавани были отстроены заново после бури прошлой зимы, и город платит за них кредитом, который рассчитан на двадцать лет.",
  Japanese: "港の壁は昨年の冬の嵐の後に建て直され、町は二十年のローンでその費用を払っている。",
};

describe("estimateTokens", () => {
  it.each(Object.entries(TEXTS))(
    "estimates tokens within a third of the count for %s",
    (_, text) => {
      const count = countTokens(text);
      expect(estimateTokens(text, text.length) / count).toBeGreaterThan(0.67);
      expect(estimateTokens(text, text.length) / count).toBeLessThan(1.5);
    },
  );

  it("estimates more tokens for addresses than for words of the same length", () => {
    const text = TEXTS["English"] ?? "";
    const link =
      "[harbour](https://www.example.org/news/2024/05/14/harbour-walls-rebuilt-4711.html)";
    expect(estimateTokens(`${text}\n\n${link}`, text.length + 7)).toBeGreaterThan(
      estimateTokens(`${text}\n\n${"a".repeat(link.length)}`, text.length + link.length),
    );
  });

  it("estimates 0 tokens for an empty text", () => {
    expect(estimateTokens("", 10)).toBe(0);
  });
});
