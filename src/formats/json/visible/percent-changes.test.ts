import { describe, expect, it } from "vitest";
import {
  type Case,
  readFigure,
  en,
  de,
  fr,
  es,
  sv,
} from "../../../../test/understanding/report-pages.ts";

const changes = (head: string, revenue: string, orders: string, margin: string): string =>
  en(
    `EUR million|2025|2024|${head}`,
    `Revenue|61.5|58.0|${revenue}`,
    `Orders|70.2|72.4|${orders}`,
    `EBIT margin|9.1%|8.4%|${margin}`,
  );
const BOTH = en(
  "EUR million|2025|2024|Change (abs.)|Change %",
  "Revenue|61.5|58.0|3.5|6.0",
  "Orders|70.2|72.4|–2.2|–3.0",
);

describe("changes in percent", () => {
  it.each<Case>([
    [
      "percentages below Change",
      changes("Change", "+6.0%", "−3.0%", "+0.7 PP"),
      "revenue_change_pct",
      6,
    ],
    ["a minus sign", changes("Change", "+6.0%", "−3.0%", "+0.7 PP"), "orders_growth_percent", -3],
    ["an en dash as minus", changes("Change %", "6.0", "–3.0", "n/m"), "orders_change_pct", -3],
    ["numbers below Δ %", changes("Δ %", "6.0", "–3.0", "0.7 pp"), "revenue_change_pct", 6],
    ["numbers below %", changes("%", "6.0", "–3.0", "0.7 pp"), "revenue_change_pct", 6],
    ["percent beside absolute changes", BOTH, "orders_growth_percent", -3],
    [
      "percentages below Veränderung",
      de("in Mio. €|2025|2024|Veränderung", "Umsatz|61,5|58,0|+6,0 %", "EBIT|3|4|–9,1 %"),
      "revenue_change_pct",
      6,
    ],
    [
      "percentages below Évolution",
      fr("en M€|2025|2024|Évolution", "Commandes|70,2|72,4|−3,0 %", "EBIT|3|4|n.s."),
      "commandes_evolution_pct",
      -3,
    ],
    [
      "reported change beside organic",
      en("|2025|2024|Change|Change (organic)", "Revenue|61|58|6.0%|4.1%", "Orders|70|72|–3%|–5%"),
      "revenue_change_pct",
      6,
    ],
  ])("reads the change in percent of %s", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });

  it.each<Case>([
    [
      "percentage points in PP",
      changes("Change", "6.0%", "–3.0%", "+0.7 PP"),
      "ebit_margin_change_pct",
      undefined,
    ],
    [
      "percentage points below Change %",
      changes("Change %", "6.0", "–3.0", "+0.7 pp"),
      "ebit_margin_change_pct",
      undefined,
    ],
    [
      "basis points",
      changes("Change", "6.0%", "–3.0%", "70 bps"),
      "ebit_margin_change_pct",
      undefined,
    ],
    [
      "%-Punkte",
      de("|2025|2024|Veränderung", "Umsatz|61,5|58,0|6,0 %", "EBIT-Marge|9,1 %|8,4 %|0,7 %-Punkte"),
      "ebit_marge_veraenderung_prozent",
      undefined,
    ],
    [
      "points",
      fr("|2025|2024|Variation", "Ventes|61,5|58,0|6,0 %", "Marge brute|9,1 %|8,4 %|+0,7 pt"),
      "marge_brute_variation_pct",
      undefined,
    ],
    [
      "puntos",
      es("|2025|2024|Variación", "Ingresos|61,5|58,0|6,0 %", "Margen EBIT|9,1 %|8,4 %|+0,7 p.p."),
      "margen_ebit_variacion_pct",
      undefined,
    ],
    [
      "procentenheter",
      sv(
        "|2025|2024|Förändring",
        "Order|61,5|58,0|6,0 %",
        "Rörelsemarginal|9,1 %|8,4 %|0,7 procentenheter",
      ),
      "rorelsemarginal_forandring_pct",
      undefined,
    ],
    ["n/m", changes("Change %", "6.0", "n/m", "–"), "orders_change_pct", undefined],
    ["dash alone", changes("Change %", "–", "n/m", "–"), "revenue_change_pct", undefined],
    [
      "one of two changes",
      en(
        "|Q3 2025|Q3 2024|Change %|9M 2025|9M 2024|Change %",
        "Revenue|20|19|5.3|61|58|5.2",
        "Orders|22|23|–4.3|70|72|–2.8",
      ),
      "revenue_change_pct",
      undefined,
    ],
    [
      "shares of each year",
      en("|2025|%|2024|%", "Revenue|61.5|100.0|58.0|100.0", "Net income|3.1|5.0|4.4|7.6"),
      "net_income_change_pct",
      undefined,
    ],
    [
      "share of revenue",
      en("|2025|2024|% of revenue", "Revenue|61.5|58.0|100.0", "Net income|3.1|4.4|5.0"),
      "net_income_change_pct",
      undefined,
    ],
    [
      "orders from order backlog",
      en("|2025|2024|Change %", "Revenue|61|58|6.0", "Order backlog|70|72|–3.0"),
      "orders_growth_percent",
      undefined,
    ],
    [
      "EBIT from adjusted EBIT",
      en("|2025|2024|Change", "Adjusted EBIT|6.1|5.8|5.2%", "EBITDA|9.1|8.8|3.4%"),
      "ebit_change_pct",
      undefined,
    ],
  ])("reads no change in percent from %s", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });

  it.fails.each<Case>([
    [
      "Veränderung by its German name",
      de("in Mio. €|2025|2024|Veränderung in %", "Umsatz|61,5|58,0|6,0", "EBIT|3|4|–9,1"),
      "umsatz_veraenderung_prozent",
      6,
    ],
    [
      "Variation (en %)",
      fr("en M€|2025|2024|Variation (en %)", "Chiffre d’affaires|61,5|58,0|6,0", "EBIT|3|4|n.s."),
      "revenue_change_pct",
      6,
    ],
    [
      "Var. %",
      es("M€|2025|2024|Var. %", "Pedidos|70,2|72,4|-3,0", "EBIT|3|4|n.s."),
      "pedidos_variacion_pct",
      -3,
    ],
    [
      "Förändring, %",
      sv("MSEK|2025|2024|Förändring, %", "Orderingång|70,2|72,4|–3,0", "EBIT|3|4|–"),
      "orderingang_forandring_procent",
      -3,
    ],
    ["+/– %", changes("+/– %", "6.0", "–3.0", "0.7 pp"), "orders_change_pct", -3],
  ])("reads the change in percent of %s", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });
});

describe("columns without the change in percent", () => {
  it.each<Case>([
    [
      "deviation from a plan",
      de("in Mio. €|Ist 2025|Plan 2025|Abweichung in %", "Umsatz|61,5|60,0|2,5", "EBIT|3|4|–25"),
      "revenue_growth_pct",
      undefined,
    ],
    [
      "share beside one year",
      en("EUR million|2025|%", "Revenue|20.1|100", "EBIT|2.0|10.0"),
      "ebit_change_pct",
      undefined,
    ],
    [
      "change at constant currency",
      en(
        "|2025|2024|Change at constant currency",
        "Revenue|61.5|58.0|7.1%",
        "Orders|70.2|72.4|–2.0%",
      ),
      "revenue_change_pct",
      undefined,
    ],
    [
      "numbers below Change",
      changes("Change", "3.5", "–2.2", "0.7 pp"),
      "revenue_change_pct",
      undefined,
    ],
    [
      "numbers below Change (abs.)",
      changes("Change (abs.)", "3.5", "–2.2", "0.7"),
      "revenue_change_pct",
      undefined,
    ],
    ["%-pts", changes("Change", "6.0%", "–3.0%", "0.7 %-pts"), "ebit_margin_change_pct", undefined],
    [
      "more than a bound",
      changes("Change %", ">100", "> 1,000 %", "–"),
      "orders_change_pct",
      undefined,
    ],
  ])("reads no change in percent from %s", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });
});
