import { describe, expect, it } from "vitest";
import {
  type Case,
  readFigure,
  page,
  table,
  en,
  de,
  fr,
  es,
  sv,
  grouped,
  TWO,
  FOUR,
  UMSATZ,
  VENTES,
  INGRESOS,
  OMSATTNING,
} from "../../../../test/understanding/report-pages.ts";

describe("figures of the period that a property names", () => {
  it.each<Case>([
    ["the half-year before", en("EUR million|H1 2025|H1 2024"), "revenue_h1_2024", 58],
    ["a loss in parentheses", en("|2023|2024|2025"), "net_income_2023", -3.1],
    ["the third year", en("|2025|2024|2023"), "net_income_2023", 3.9],
    ["Q3 beside 9M", en("|9M 2025|9M 2024|Q3 2025|Q3 2024"), "revenue_q3_2025", 31.2],
    ["H1 beside Q2", en("|Q2 2025|Q2 2024|H1 2025|H1 2024"), "revenue_h1_2024", 29.7],
    ["EPS of FY beside Q4", en("|Q4 2024|Q4 2023|FY 2024|FY 2023"), "eps_fy_2024", 0.19],
    ["the last twelve months", en("|LTM|2024|2023"), "revenue_ltm", 61.5],
    ["H1 beside its budget", en("|Budget H1 2025|H1 2025|H1 2024"), "revenue_h1_2025", 58],
    ["the budget on request", en("|Actual 2025|Budget 2025|2024"), "revenue_budget_2025", 58],
    ["H1 of a description", en("|H1 2025|H1 2024|FY 2024"), "revenue: Revenue for H1 2024", 58],
    ["the year that ended on a date", en("|31 Dec 2025|31 Dec 2024"), "revenue_2024", 58],
    [
      "the value on which two tables agree",
      page("en", table("|2025|2024", ...TWO) + table("|2025|2024", "Revenue|61.5|58.0", "Tax|1|2")),
      "revenue_2024",
      58,
    ],
    [
      "H1 of two header rows",
      page("en", grouped("EUR million", "Q2:2025,2024|H1:2025,2024", FOUR[0] ?? "", FOUR[1] ?? "")),
      "revenue_h1_2024",
      29.7,
    ],
    [
      "EBIT between adjusted EBIT and EBIT margin",
      en("|2025|2024", "Adjusted EBIT|7.1|6.4", "EBIT|5.1|4.4", "EBIT margin (%)|9.1|8.8"),
      "ebit_2024",
      4.4,
    ],
    ["helår", sv("MSEK|Helår 2024|Helår 2023", ...OMSATTNING), "nettoomsattning_2023", 58],
    ["H1 written in words", en("|First half 2025|First half 2024"), "revenue_h1_2024", 58],
    [
      "H1 of a description in words beside FY",
      en("|H1 2025|H1 2024|FY 2024"),
      "revenue: First half of 2024",
      58,
    ],
    [
      "1. Halbjahr",
      de("in Mio. €|1. Halbjahr 2025|1. Halbjahr 2024", ...UMSATZ),
      "umsatz_h1_2024",
      58,
    ],
    [
      "primer semestre",
      es("M€|Primer semestre 2025|Primer semestre 2024", ...INGRESOS),
      "ingresos_h1_2024",
      58,
    ],
    [
      "första halvåret",
      sv("MSEK|Första halvåret 2025|Första halvåret 2024", ...OMSATTNING),
      "nettoomsattning_h1_2025",
      61.5,
    ],
  ])("reads %s for a name with a period", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });

  it.each<Case>([
    ["a year that no column has", en("|H1 2025|H1 2024"), "revenue_h1_2023", undefined],
    ["Q2 from H1", en("|H1 2025|H1 2024"), "revenue_q2_2025", undefined],
    ["H1 from Q2", en("|Q2 2025|Q2 2024"), "revenue_h1_2025", undefined],
    ["H1 from a year", en("|2025|2024"), "revenue_h1_2024", undefined],
    ["H2 from H1 and FY", en("|H1 2024|FY 2024"), "revenue_h2_2024", undefined],
    ["a year from LTM", en("|LTM|LTM prior"), "revenue_2025", undefined],
    ["a year given twice", en("|2025|2024 (restated)|2024 (reported)"), "revenue_2024", undefined],
    [
      "a value on which two tables differ",
      page("en", table("|2025|2024", ...TWO) + table("|2025|2024", "Revenue|61.5|57.1", "Tax|1|2")),
      "revenue_2024",
      undefined,
    ],
    [
      "EBIT from adjusted EBIT, EBITDA and EBIT margin",
      en("|2025|2024", "Adjusted EBIT|7.1|6.4", "EBITDA|9.1|8.4", "EBIT margin (%)|9.1|8.8"),
      "ebit_2024",
      undefined,
    ],
    [
      "revenue from organic",
      en("|2025|2024", "Organic revenue|6|5", "Tax|1|2"),
      "revenue_2024",
      undefined,
    ],
    ["Q2 2024 of H1 2024", en("|Q2 2025|H1 2024"), "revenue: Revenue in Q2 2024", undefined],
    ["S2 from S1", fr("en M€|S1 2025|S1 2024", ...VENTES), "chiffre_affaires_s2_2024", undefined],
    [
      "H2 from a Halbjahr",
      de("in Mio. €|1. Halbjahr 2025|1. Halbjahr 2024", ...UMSATZ),
      "umsatz_h2_2025",
      undefined,
    ],
    [
      "half-year whose cell is a dash",
      en("|H1 2025|H1 2024", "Revenue|61.5|–", "Tax|1|2"),
      "revenue_h1_2024",
      undefined,
    ],
  ])("reads no %s for a name with a period", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });

  it.fails.each<Case>([
    [
      "H1 as six months",
      en("|Six months to 30 June 2025|Six months to 30 June 2024"),
      "revenue_h1_2024",
      58,
    ],
    ["9 Monate", de("in Mio. €|9 Monate 2025|9 Monate 2024", ...UMSATZ), "umsatz_9m_2024", 58],
    [
      "1er semestre",
      fr("en M€|1er semestre 2025|1er semestre 2024", ...VENTES),
      "revenue_h1_2024",
      58,
    ],
    ["actual beside budget", en("|Actual 2025|Budget 2025|Actual 2024"), "revenue_2025", 61.5],
  ])("reads %s for a name with a period", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });
});

describe("figures of other periods, plans and changes", () => {
  it.each<Case>([
    ["a fiscal year from Q4", en("|Q4 2024|Q4 2023"), "revenue_fy_2024", undefined],
    [
      "a described fiscal year from H1",
      en("|H1 2025|H1 2024"),
      "revenue: Revenue for fiscal year 2024",
      undefined,
    ],
    ["a year from H1", en("|H1 2025|H1 2024"), "revenue_2025", undefined],
    ["a year from 9M", en("|9M 2025|9M 2024"), "revenue_2025", undefined],
    ["a year from a month", en("|June 2025|June 2024"), "revenue_2025", undefined],
    ["a year from LTM to June", en("|LTM Jun 2025|LTM Jun 2024"), "revenue_2025", undefined],
    [
      "2025 from a Halbjahr",
      de("in Mio. €|1. Halbjahr 2025|1. Halbjahr 2024", ...UMSATZ),
      "umsatz_2025",
      undefined,
    ],
    ["2025 from a trimestre", es("M€|3T 2025|3T 2024", ...INGRESOS), "ingresos_2025", undefined],
    [
      "2025 from jan–sep",
      sv("MSEK|jan–sep 2025|jan–sep 2024", ...OMSATTNING),
      "nettoomsattning_2025",
      undefined,
    ],
    ["2025 from a budget", en("|Budget 2025|2024"), "revenue_2025", undefined],
    ["2025 from a forecast", en("|2024|Forecast 2025"), "revenue_2025", undefined],
    ["H1 from a budget of H1", en("|H1 2025 Budget|H1 2024"), "revenue_h1_2025", undefined],
    ["FY from a guidance", en("|FY 2025 guidance|FY 2024"), "revenue_fy_2025", undefined],
    [
      "2025 from a Prognose",
      de("in Mio. €|2024|Prognose 2025", ...UMSATZ),
      "umsatz_2025",
      undefined,
    ],
    [
      "2025 from a presupuesto",
      es("M€|2024|Presupuesto 2025", ...INGRESOS),
      "ingresos_2025",
      undefined,
    ],
    ["2024 from pro forma", en("|2025|2024 pro forma"), "revenue_2024", undefined],
    ["2025 from its change", en("|2024|Change 2025/2024"), "revenue_2025", undefined],
    [
      "2024 from 2025 when its cell is a dash",
      en("|2025|2024", "Revenue|61.5|–", "Tax|1|2"),
      "revenue_2024",
      undefined,
    ],
    [
      "2024 from 2025 when its cell is n/a",
      en("|2025|2024", "Revenue|61.5|n/a", "Tax|1|2"),
      "revenue_2024",
      undefined,
    ],
    [
      "a year from a heading of H1",
      page("en", `<h2>First half 2025</h2>${table("|2025|2024", ...TWO)}`),
      "revenue_2025",
      undefined,
    ],
    ["Q3 from its change", en("|Q3 2024|Change Q3 2025"), "revenue_q3_2025", undefined],
  ])("reads no %s for a name with a period", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });

  it.fails.each<Case>([
    [
      "EBIT below the heading row of one segment",
      en("|2025|2024", "<strong>Valves</strong>||", "Revenue|21.4|19.8", "EBIT|1.2|2.4"),
      "ebit_2024",
      undefined,
    ],
  ])("reads no %s for a name with a period", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });

  it.each<Case>([
    [
      "EPS without the scale of the table",
      en("EUR million|FY 2024|FY 2023", "Revenue|61|58", "EPS (€)|1.12|0.98"),
      "eps_fy_2024_eur",
      1.12,
    ],
    [
      "T€ as thousands",
      de("in T€|H1 2025|H1 2024", "Umsatz|1.234|1.198", "EBIT|–310|440"),
      "umsatz_h1_2025_eur",
      1_234_000,
    ],
  ])("reads %s for a name with a period", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });
});
