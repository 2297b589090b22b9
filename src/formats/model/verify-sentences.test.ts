import { describe, expect, it } from "vitest";
import { verifySentences } from "./verify-sentences.ts";

const PAGE =
  "Fjell Jacket by Nordvik. It weighs 420 g and costs £184.00. Ada Marsh designed it in Bergen; it went on sale on 3 October 2026. 12,400 were sold.";
const check = (answer: string, language = "en") => verifySentences(answer, PAGE, { language });

describe("sentences of a model", () => {
  it.each([
    "The Fjell Jacket costs £184 and weighs 420 g.",
    "Ada Marsh designed it in Bergen.",
    "About 12.4K were sold since October 3, 2026.",
    "Nordvik's jacket is light.",
  ])("keeps %j, whose numbers, names and dates the page has", (answer) => {
    expect(check(answer)).toEqual({ text: answer, dropped: [] });
  });

  it.each([
    ["It costs £148.", "148"],
    ["Designed by Eva Stone in Bergen.", "Eva Stone"],
    ["It went on sale on 3 November 2026.", "2026-11-03"],
    ["It weighs 0.42 kg and has 3 pockets.", "0.42"],
    ["Read more in The New York Times.", "The New York Times"],
  ])("drops the unsupported sentence %j", (answer, missing) => {
    const { text, dropped } = check(`The jacket is light. ${answer}`);
    expect(text).toBe("The jacket is light.");
    expect(dropped[0]).toContain(missing);
  });

  it("returns nothing when an answer has no true sentence", () => {
    expect(check("- It costs £999.\n- It weighs 7 kg.").text).toBe("");
  });

  it("does not mistake German nouns for names", () => {
    const page = "Die Lampe kostet 49 Euro und hat einen Schirm aus Glas.";
    expect(
      verifySentences("Der Preis der Leuchte beträgt 49 Euro.", page, { language: "de" }).dropped,
    ).toEqual([]);
    expect(
      verifySentences("Sie wurde von Eva Stein entworfen.", page, { language: "de" }).dropped,
    ).toEqual(["Eva Stein"]);
  });

  it("keeps sentences that name what the question names", () => {
    const { dropped } = verifySentences("The page does not mention Oslo.", PAGE, {
      question: "Is it sold in Oslo?",
    });
    expect(dropped).toEqual([]);
  });
});
