import { describe, expect, it } from "vitest";
import { repairUtf8 } from "./repair-utf8.ts";

const decodeWrongly = (text: string): string =>
  new TextDecoder("windows-1252").decode(new TextEncoder().encode(text));

describe("repairUtf8", () => {
  it.each(["Größe: 5 m² – „klein“", "Цена 100 ₽", "日本語のページ", "שלום עולם", "€ 5 🙂"])(
    "restores %j",
    (text) => {
      expect(repairUtf8(`<p>${decodeWrongly(text)}</p>`)).toBe(`<p>${text}</p>`);
    },
  );

  it("keeps characters that a script added correctly", () => {
    expect(repairUtf8(`<p>${decodeWrongly("Größe")} ${decodeWrongly("Maße")} 日本</p>`)).toBe(
      "<p>Größe Maße 日本</p>",
    );
  });

  it("does not change text in windows-1252, nor text without such characters", () => {
    expect(repairUtf8("Café Größe – déjà vu")).toBeUndefined();
    expect(repairUtf8("plain text")).toBeUndefined();
  });
});
