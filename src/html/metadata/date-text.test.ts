import { describe, expect, it } from "vitest";
import { numberOrder, parseDateText, parseUrlDate } from "./date-text.ts";

describe("parseDateText", () => {
  it.each([
    ["Jan 14, 2026 at 6:22 PM", "2026-01-14T18:22:00"],
    ["Jan 14, 2026 6:22 a.m.", "2026-01-14T06:22:00"],
    ["2026-01-14 12:05 AM", "2026-01-14T00:05:00"],
    ["14 Jan 2026 12:10pm", "2026-01-14T12:10:00"],
    ["14 Jan 2026 12:10 pmc", "2026-01-14T12:10:00"],
    ["2024-11-12", "2024-11-12"],
    ["2024-11-12T08:30:00.123Z", "2024-11-12T08:30:00Z"],
    ["2024-11-12 8:30", "2024-11-12T08:30:00"],
    ["2024-11-12T08:30:00-0500", "2024-11-12T08:30:00-05:00"],
    ["20241112", "2024-11-12"],
    ["1731400000", "2024-11-12T08:26:40Z"],
    ["Tue, 12 Nov 2024 10:00:00 +0000", "2024-11-12T10:00:00+00:00"],
    ["Published November 12th, 2024", "2024-11-12"],
    ["Nov. 12, 2024 | 5 min read", "2024-11-12"],
    ["12. März 2024", "2024-03-12"],
    ["1er février 2024", "2024-02-01"],
    ["12 de noviembre de 2024", "2024-11-12"],
    ["12 listopada 2024", "2024-11-12"],
    ["12 ноября 2024 г.", "2024-11-12"],
    ["2024年11月12日", "2024-11-12"],
    ["2024년 11월 12일", "2024-11-12"],
    ["12.11.2024", "2024-11-12"],
    ["٥ مايو ٢٠٢٤", "2024-05-05"],
    ["نشر في: 5 أيار/مايو 2024", "2024-05-05"],
    ["الأحد 05 تشرين الثاني 2023", "2023-11-05"],
    ["5 במאי 2024", "2024-05-05"],
    ["יום ראשון, 12 בנובמבר 2023", "2023-11-12"],
    ["5 พฤษภาคม 2567", "2024-05-05"],
    ["๕ พ.ค. ๒๕๖๗", "2024-05-05"],
    ["เผยแพร่ 12 พ.ย. 2024", "2024-11-12"],
    ["5 मई 2024", "2024-05-05"],
    ["१२ नवंबर २०२३", "2023-11-12"],
    ["नवंबर 12, 2023", "2023-11-12"],
    ["۱۶ اردیبهشت ۱۴۰۳", "2024-05-05"],
    ["سه‌شنبه ۱ فروردین ۱۴۰۰", "2021-03-21"],
    ["30 اسفند 1399", "2021-03-20"],
    ["۱۴۰۳/۰۲/۱۶", "2024-05-05"],
    ["۵ مه ۲۰۲۴", "2024-05-05"],
    ["12/11/2024", "2024-11-12"],
    ["2024/11/12", "2024-11-12"],
    ["Stand: 12.11.24", "2024-11-12"],
    ["Cureus. 2024 Nov 12;15(1):e33475", "2024-11-12"],
    ["12 | 11 | 2024", "2024-11-12"],
    ["1/2/24", "2024-02-01"],
    ["3 May 1990", "1990-05-03"],
    ["Am 03.05.24 erschienen", "2024-05-03"],
    ["Since 6.2.2014", "2014-02-06"],
  ])("parses the date text %s", (text, date) => {
    expect(parseDateText(text)).toBe(date);
  });

  it.each([
    // Hijri months and years are not converted.
    "15 رمضان 1445",
    "1445/09/15",
    "31 اسفند 1399",
    "30 اسفند 1400",
    "5 מילים 2024",
  ])("finds no date in %j", (text) => {
    expect(parseDateText(text)).toBeUndefined();
  });

  it("reads 3/4/2024 in the given order, and ignores the order when only one fits", () => {
    expect(parseDateText("3/4/2024", "month-first")).toBe("2024-03-04");
    expect(parseDateText("3/4/2024", "day-first")).toBe("2024-04-03");
    expect(parseDateText("3/24/2024", "day-first")).toBe("2024-03-24");
  });

  it.each([
    "",
    "yesterday",
    "2024-02-30",
    "31 February 2024",
    "Room 12, 2024",
    "1.2.3",
    "192.168.10.24",
    "12:30",
    "2024-13-01",
    "99 May 2024",
    "4. 747 Media House",
    "1 | 2 | 34",
    "6.2.14. Lambda-case",
    "Up to version 6.3.11, the predicate had another complexity.",
    "4.1.12 Rounding",
    "since release 10.11.12",
    "v12.10.24",
    "12.10.88",
  ])("finds no date in %j", (text) => {
    expect(parseDateText(text)).toBeUndefined();
  });
});

describe("parseUrlDate", () => {
  it.each([
    ["https://x.org/2024/11/12/title", "2024-11-12"],
    ["https://x.org/blog/2024-11-12-title.html", "2024-11-12"],
    ["https://x.org/20241112/title", "2024-11-12"],
    ["https://x.org/2024/november/12/title", "2024-11-12"],
    ["https://x.org/2024/walls/12/title", undefined],
    ["https://x.org/2024/99/12/", undefined],
    ["https://x.org/item/20241112345", undefined],
  ])("parses the date in the URL %s", (url, date) => {
    expect(parseUrlDate(url)).toBe(date);
  });
});

describe("numberOrder", () => {
  it("puts the month first only for American English", () => {
    expect(numberOrder("en-US", "example.com")).toBe("month-first");
    expect(numberOrder("en", "example.co.uk")).toBe("day-first");
    expect(numberOrder("en-GB", "example.com")).toBe("day-first");
    expect(numberOrder("de", "example.com")).toBe("day-first");
  });
});
