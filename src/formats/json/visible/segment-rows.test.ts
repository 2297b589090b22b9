import { describe, expect, it } from "vitest";
import {
  type RowsCase,
  readSegments,
  page,
  table,
  grouped,
} from "../../../../test/understanding/report-pages.ts";

const BY_YEAR = "Revenue:2025,2024|EBIT:2025,2024";
const SEGMENTS = [
  "Pumps|40.1|38.2|4.1|3.0",
  "Valves|21.4|19.8|(1.2)|2.4",
  "Services|9.0|8.1|0.9|0.7",
];
const EBIT_ROWS = [
  ["Pumps", 40.1, 3],
  ["Valves", 21.4, 2.4],
  ["Services", 9, 0.7],
];
const without = (column: number): unknown[][] =>
  EBIT_ROWS.map((row) => row.map((value, at) => (at === column ? null : value)));
const EBIT_NAMES = "segment|revenue_2025|ebit_2024";
const segments = (corner: string, groups: string, ...more: readonly string[]): string =>
  page("en", grouped(corner, groups, ...SEGMENTS, ...more));
const NO_VALUES = EBIT_ROWS.map(([name]) => [name, null, null]);

describe("segments below two header rows", () => {
  it.each<RowsCase>([
    ["years below measures", segments("Segment", BY_YEAR), EBIT_NAMES, EBIT_ROWS],
    ["names below a unit", segments("EUR million", BY_YEAR), EBIT_NAMES, EBIT_ROWS],
    [
      "measures below years",
      segments("Segment", "2025:Revenue,EBIT|2024:Revenue,EBIT"),
      "segment|revenue_2024|ebit_2025",
      [
        ["Pumps", 4.1, 38.2],
        ["Valves", -1.2, 19.8],
        ["Services", 0.9, 8.1],
      ],
    ],
    [
      "half-years",
      segments("Segment", "Revenue:H1 2025,H1 2024|EBIT:H1 2025,H1 2024"),
      "segment|revenue_h1_2025|ebit_h1_2024",
      EBIT_ROWS,
    ],
    [
      "EBIT beside adjusted EBIT",
      segments("Segment", "Adjusted EBIT:2025,2024|EBIT:2025,2024"),
      "segment|adjusted_ebit_2025|ebit_2024",
      EBIT_ROWS,
    ],
    [
      "segments without the group",
      segments("EUR million", BY_YEAR, "Group|70.5|66.1|3.8|6.1"),
      EBIT_NAMES,
      EBIT_ROWS,
    ],
    [
      "segments without their unnamed sum",
      segments("EUR million", BY_YEAR, "Alder Industries|70.5|66.1|3.8|6.1"),
      EBIT_NAMES,
      EBIT_ROWS,
    ],
    [
      "Pumpen without Konzern",
      page(
        "de",
        grouped(
          "in Mio. €",
          "Umsatz:2025,2024|EBIT:2025,2024",
          "Pumpen|40,1|38,2|4,1|3,0",
          "Ventile|21,4|19,8|–1,2|2,4",
          "Service|9,0|8,1|0,9|0,7",
          "Konzern|70,5|66,1|3,8|6,1",
        ),
      ),
      "segment|umsatz_2025|ebit_2025",
      [
        ["Pumpen", 40.1, 4.1],
        ["Ventile", 21.4, -1.2],
        ["Service", 9, 0.9],
      ],
    ],
    [
      "a segment named Group Services",
      page(
        "en",
        grouped("Segment", BY_YEAR, "Pumps|40.1|38.2|4.1|3.0", "Group Services|9.0|8.1|0.9|0.7"),
      ),
      EBIT_NAMES,
      [
        ["Pumps", 40.1, 3],
        ["Group Services", 9, 0.7],
      ],
    ],
    [
      "a last segment that is the sum of one column",
      page(
        "en",
        table("Segment|Revenue 2025|Revenue 2024", "Pumps|10|12", "Valves|20|9", "Services|30|25"),
      ),
      "segment|revenue_2025",
      [
        ["Pumps", 10],
        ["Valves", 20],
        ["Services", 30],
      ],
    ],
    [
      "names below MSEK",
      page(
        "sv",
        grouped(
          "MSEK",
          "Nettoomsättning:2025,2024|EBIT:2025,2024",
          "Pumpar|40,1|38,2|4,1|3,0",
          "Ventiler|21,4|19,8|–1,2|2,4",
        ),
      ),
      "segment|nettoomsattning_2025|ebit_2024",
      [
        ["Pumpar", 40.1, 3],
        ["Ventiler", 21.4, 2.4],
      ],
    ],
    [
      "names below en M€",
      page(
        "fr",
        grouped(
          "en M€",
          "Chiffre d’affaires:2025,2024|EBIT:2025,2024",
          "Pompes|40,1|38,2|4,1|3,0",
          "Vannes|21,4|19,8|-1,2|2,4",
        ),
      ),
      EBIT_NAMES,
      [
        ["Pompes", 40.1, 3],
        ["Vannes", 21.4, 2.4],
      ],
    ],
  ])("lists the segments with %s", (_, html, names, rows) => {
    expect(readSegments(html, names)).toEqual(rows);
  });

  it.each<RowsCase>([
    [
      "EBIT from adjusted EBIT",
      segments("Segment", "Revenue:2025,2024|Adjusted EBIT:2025,2024"),
      EBIT_NAMES,
      without(2),
    ],
    [
      "EBIT from EBIT margin",
      segments("Segment", "Revenue:2025,2024|EBIT margin (%):2025,2024"),
      EBIT_NAMES,
      without(2),
    ],
    [
      "EBIT from EBITDA",
      segments("Segment", "Revenue:2025,2024|EBITDA:2025,2024"),
      EBIT_NAMES,
      without(2),
    ],
    [
      "revenue from organic revenue",
      segments("Segment", "Organic revenue:2025,2024|EBIT:2025,2024"),
      EBIT_NAMES,
      without(1),
    ],
    [
      "half-years from quarters",
      segments("Segment", "Revenue:Q2 2025,Q2 2024|EBIT:Q2 2025,Q2 2024"),
      "segment|revenue_h1_2025|ebit_h1_2024",
      NO_VALUES,
    ],
  ])("return no %s", (_, html, names, rows) => {
    expect(readSegments(html, names)).toEqual(rows);
  });
});

describe("rows and figures that are no segments", () => {
  const FLAT = ["Pumps|40.1|38.2", "Valves|21.4|19.8"];
  const FLAT_ROWS = [
    ["Pumps", 40.1],
    ["Valves", 21.4],
  ];

  it.each<RowsCase>([
    [
      "no years from half-years",
      segments("Segment", "Revenue:H1 2025,H1 2024|EBIT:H1 2025,H1 2024"),
      EBIT_NAMES,
      NO_VALUES,
    ],
    [
      "the segments below an income statement",
      page(
        "en",
        table(
          "EUR million|2025|2024",
          "Revenue|70.5|66.1",
          "Cost of sales|(40)|(38)",
          "EBIT|3.8|6.1",
        ) + grouped("Segment", BY_YEAR, ...SEGMENTS),
      ),
      EBIT_NAMES,
      EBIT_ROWS,
    ],
    [
      "no revenue from EBIT of the year",
      segments("Segment", "Revenue:2024,2023|EBIT:2025,2024"),
      EBIT_NAMES,
      without(1),
    ],
    [
      "no revenue from a number of employees",
      segments("Segment", "Revenue:2024,2023|Employees:2025,2024"),
      "segment|revenue_2025|employees_2024",
      without(1),
    ],
    [
      "no revenue from EBIT beside a budget",
      segments("Segment", "Revenue:2024,Budget 2025|EBIT:2025,2024"),
      EBIT_NAMES,
      without(1),
    ],
    [
      "no measures of an income statement",
      page(
        "en",
        table("EUR million|2025|2024", "Revenue|61.5|58.0", "Cost of sales|(40)|(38)", "EBIT|6|5"),
      ),
      "segment|revenue_2025",
      [],
    ],
    [
      "no group of two segments",
      page("en", grouped("Segment", BY_YEAR, ...SEGMENTS.slice(0, 2), "Group|61.5|58.0|2.9|5.4")),
      EBIT_NAMES,
      EBIT_ROWS.slice(0, 2),
    ],
    [
      "no group below one header row",
      page("en", table("Segment|Revenue 2025|Revenue 2024", ...FLAT, "Group|61.5|58.0")),
      "segment|revenue_2025",
      FLAT_ROWS,
    ],
    [
      "no percentages from numbers below Change",
      page(
        "en",
        grouped(
          "Segment",
          "Revenue:2025,2024,Change",
          "Pumps|40.1|38.2|1.9",
          "Valves|21.4|19.8|1.6",
        ),
      ),
      "segment|revenue_2025|revenue_change_pct",
      [
        ["Pumps", 40.1, null],
        ["Valves", 21.4, null],
      ],
    ],
    [
      "no Total grupo",
      page(
        "es",
        grouped(
          "M€",
          "Ingresos:2025,2024|EBIT:2025,2024",
          "Bombas|40,1|38,2|4,1|3,0",
          "Válvulas|21,4|19,8|-1,2|2,4",
          "Total grupo|61,5|58,0|2,9|5,4",
        ),
      ),
      "segment|ingresos_2025|ebit_2024",
      [
        ["Bombas", 40.1, 3],
        ["Válvulas", 21.4, 2.4],
      ],
    ],
    [
      "no EBIT from a table of employees",
      page("en", `<h2>Employees by segment</h2>${table("Segment|2025|2024", ...FLAT)}`),
      "segment|ebit_2025",
      [
        ["Pumps", null],
        ["Valves", null],
      ],
    ],
  ])("lists the segments with %s", (_, html, names, rows) => {
    expect(readSegments(html, names)).toEqual(rows);
  });

  it.fails.each<RowsCase>([
    [
      "no sum rounded by a tenth",
      segments("EUR million", BY_YEAR, "Alder Industries|70.6|66.1|3.8|6.2"),
      EBIT_NAMES,
      EBIT_ROWS,
    ],
  ])("lists the segments with %s", (_, html, names, rows) => {
    expect(readSegments(html, names)).toEqual(rows);
  });
});
