import { describe, expect, it } from "vitest";
import { findWeekday, isWeekday } from "./weekdays.ts";

describe("isWeekday", () => {
  it.each([
    "Saturday",
    "SATURDAY",
    "Sat",
    "Samstag",
    "samedi",
    "sábado",
    "sabato",
    "zaterdag",
    "lördag",
    "sobota",
    "土曜日",
  ])("accepts %j", (text) => {
    expect(isWeekday(text)).toBe(true);
  });

  it('accepts "Sonnabend", the other German name of Saturday', () => {
    expect(isWeekday("Sonnabend")).toBe(true);
  });

  it.each(["Sat 9", "Saturday night", "today", "August", "Mandate", ""])("rejects %j", (text) => {
    expect(isWeekday(text)).toBe(false);
  });
});

describe("findWeekday", () => {
  it.each([
    ["Sat 9 August", 6],
    ["Sunday, 10 August", 0],
    ["Mittwoch, 13. August", 3],
    ["jeudi 14 août", 4],
    ["viernes 15 de agosto", 5],
    ["lunedì 11 agosto", 1],
    ["dinsdag 12 augustus", 2],
  ])("includes the day that %j names", (text, day) => {
    expect(findWeekday(text)?.has(day)).toBe(true);
  });

  it("returns the first of two weekdays", () => {
    expect([...(findWeekday("Friday to Sunday") ?? [])]).toEqual([5]);
  });

  it.each(["9 August", "Saturnine", "Mondays-only-brand2", ""])(
    "returns undefined for %j, which names no weekday",
    (text) => {
      expect(findWeekday(text)).toBeUndefined();
    },
  );
});
