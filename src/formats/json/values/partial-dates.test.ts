import { describe, expect, it } from "vitest";
import { completeDate, isPartialDate, readDateRange, readMonthDay } from "./partial-dates.ts";

describe("readMonthDay", () => {
  it.each([
    ["Sat 9 August", 8, 9],
    ["9 August", 8, 9],
    ["Mar. 8", 3, 8],
    ["August 9th", 8, 9],
    ["Samstag, 9. August", 8, 9],
    ["sam. 9 août", 8, 9],
    ["sábado 9 de agosto", 8, 9],
    ["sabato 9 agosto", 8, 9],
    ["za 9 augustus", 8, 9],
    ["29 February", 2, 29],
    ["22.01.", 1, 22],
    ["Sa 09.08.", 8, 9],
    ["Sat 9/8", 8, 9],
    ["8月9日", 8, 9],
    ["8월 9일", 8, 9],
  ])("reads the day and month of %j", (text, month, day) => {
    expect(readMonthDay(text, "day-first")).toEqual({ month, day });
  });

  it("reads numbers beside a weekday month first where the page does", () => {
    expect(readMonthDay("Sat 8/9", "month-first")).toEqual({ month: 8, day: 9 });
  });

  it.each(["9/8", "3.5", "22.01", "9 August 2025", "31 April", "30 February", "Saturday", ""])(
    "returns undefined for %j, which is no day and month",
    (text) => {
      expect(readMonthDay(text, "day-first")).toBeUndefined();
    },
  );
});

describe("isPartialDate", () => {
  it.each(["Sat 9 August", "Mar. 8", "Samstag, 9. August", "22.01.", "Sa 09.08.", "8月9日"])(
    "accepts the date without a year %j",
    (text) => {
      expect(isPartialDate(text, "day-first")).toBe(true);
    },
  );

  it.each([
    "9 August 2025",
    "Opening night on 9 August",
    "Saturday",
    "22.01",
    "Market Street 8",
    "May contain nuts",
    "",
  ])("rejects %j, which is more or less than a day and month", (text) => {
    expect(isPartialDate(text, "day-first")).toBe(false);
  });
});

describe("completeDate", () => {
  // 9 August 2025 is a Saturday.
  it.each([
    ["Sat 9 August", "2025-08-09"],
    ["Samstag, 9. August", "2025-08-09"],
    ["sam. 9 août", "2025-08-09"],
    ["Sa 09.08.", "2025-08-09"],
    ["10 August", "2025-08-10"],
    ["10.08.", "2025-08-10"],
  ])("completes %j with the year of a close full date", (text, iso) => {
    expect(completeDate(text, ["2025-08-08"], "day-first")).toBe(iso);
  });

  it("takes the next year for a January date near a December date", () => {
    expect(completeDate("2 January", ["2025-12-30"], "day-first")).toBe("2026-01-02");
    expect(completeDate("Fri 2 January", ["2025-12-30"], "day-first")).toBe("2026-01-02");
  });

  it("takes the previous year for a December date near a January date", () => {
    expect(completeDate("30 December", ["2026-01-02"], "day-first")).toBe("2025-12-30");
  });

  it("lets the weekday select the year when the known dates are of two years", () => {
    expect(completeDate("Sat 9 August", ["2024-03-01", "2025-08-01"], "day-first")).toBe(
      "2025-08-09",
    );
  });

  it("returns undefined when the weekday fits no year near the known dates", () => {
    expect(completeDate("Tue 9 August", ["2025-08-08"], "day-first")).toBeUndefined();
  });

  it("returns undefined without a weekday when the known dates are years apart", () => {
    expect(completeDate("9 August", ["2019-02-01", "2025-08-08"], "day-first")).toBeUndefined();
  });

  it("returns undefined without a weekday when the date is months from the known one", () => {
    expect(completeDate("9 August", ["2025-02-01"], "day-first")).toBeUndefined();
  });

  it("returns undefined when the page shows no full date", () => {
    expect(completeDate("Sat 9 August", [], "day-first")).toBeUndefined();
    expect(completeDate("9 August", [], "day-first")).toBeUndefined();
  });

  it("returns undefined for 29 February near a date of a common year", () => {
    expect(completeDate("29 February", ["2025-02-20"], "day-first")).toBeUndefined();
    expect(completeDate("29 February", ["2024-02-20"], "day-first")).toBe("2024-02-29");
  });

  it("returns undefined for a text without a date", () => {
    expect(completeDate("Sold out", ["2025-08-08"], "day-first")).toBeUndefined();
  });
});

describe("readDateRange", () => {
  it.each([
    ["12 – 14 June 2026", "2026-06-12", "2026-06-14"],
    ["12-14 June 2026", "2026-06-12", "2026-06-14"],
    ["June 12–14, 2026", "2026-06-12", "2026-06-14"],
    ["30 June – 2 July 2026", "2026-06-30", "2026-07-02"],
    ["June 30 – July 2, 2026", "2026-06-30", "2026-07-02"],
    ["12.–14. Juni 2026", "2026-06-12", "2026-06-14"],
    ["12.06. – 14.06.2026", "2026-06-12", "2026-06-14"],
    ["12.06.2026 bis 14.06.2026", "2026-06-12", "2026-06-14"],
    ["30 December 2025 – 2 January 2026", "2025-12-30", "2026-01-02"],
    ["Open 12 – 14 June 2026 and 3 – 5 July 2026", "2026-06-12", "2026-06-14"],
  ])("reads the first and last day of %j", (text, start, end) => {
    expect(readDateRange(text, "day-first")).toEqual([start, end]);
  });

  it("takes the previous year for the start of a range over New Year", () => {
    expect(readDateRange("30 December – 2 January 2026", "day-first")).toEqual([
      "2025-12-30",
      "2026-01-02",
    ]);
  });

  it.each(["12 June 2026", "12 – 14 June", "20:00 – 21:30", "14 – 12 June 2026", ""])(
    "returns undefined for %j, which is no range of full dates",
    (text) => {
      expect(readDateRange(text, "day-first")).toBeUndefined();
    },
  );
});
