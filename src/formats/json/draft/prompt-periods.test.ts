import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";
import { en, page, table } from "../../../../test/understanding/report-pages.ts";

type Figures = Record<string, unknown>;
const read = (html: string, prompt: string | undefined, ...names: readonly string[]): Figures => {
  const properties = Object.fromEntries(
    names.map((given) => {
      const [name = "", description] = given.split(": ");
      return [
        name,
        description === undefined ? { type: "number" } : { type: "number", description },
      ];
    }),
  );
  const value = draftPage(html, { type: "object", properties }, prompt).value;
  return (value as Figures | undefined) ?? {};
};

const INCOME = en(
  "EUR thousand|Q3 2026|Q3 2025|9M 2026|9M 2025",
  "Revenue|31,200|29,700|91,500|88,000",
  "Cost of sales|(18,100)|(17,400)|(53,900)|(52,200)",
  "Operating profit|4,120|3,980|11,800|11,150",
  "Earnings per share (EUR)|0.21|0.20|0.61|0.58",
  "Operating margin (%)|13.2|13.4|12.9|12.7",
  "Employees|412|398|409|395",
);
const NINE_MONTHS =
  "Income statement for the nine months January to September 2026, in EUR thousand";

describe("the period of a prompt", () => {
  it.each([
    [NINE_MONTHS],
    ["Income statement for the nine months of 2026, in EUR thousand"],
    ["Figures for 9M 2026"],
    ["Extract the income statement for January to September 2026"],
    ["Income statement for the first nine months of 2026"],
  ])("selects the column of nine months: %s", (prompt) => {
    expect(read(INCOME, prompt, "revenue", "operating_profit")).toEqual({
      revenue: 91_500,
      operating_profit: 11_800,
    });
  });

  it("selects the same period a year before for a prior year", () => {
    expect(read(INCOME, NINE_MONTHS, "revenue", "revenue_prior_year")).toEqual({
      revenue: 91_500,
      revenue_prior_year: 88_000,
    });
  });

  it.each([
    ["Income statement for the third quarter of 2026, in EUR thousand", 31_200],
    ["Income statement for Q3 2026", 31_200],
    ["Income statement for Q3 2025", 29_700],
    ["Income statement for 9M 2025", 88_000],
  ])("selects another column when it names one: %s", (prompt, revenue) => {
    expect(read(INCOME, prompt, "revenue")).toEqual({ revenue });
  });

  it.each([
    ["Income statement for the six months January to June 2026"],
    ["Income statement for the second quarter of 2026"],
    ["Income statement for the nine months January to September 2024"],
  ])("gives no figure of other periods: %s", (prompt) => {
    expect(read(INCOME, prompt, "revenue")).toEqual({});
  });

  it("does not replace the period that the name of a property has", () => {
    const { revenue, q3_revenue: quarter } = read(INCOME, NINE_MONTHS, "revenue", "q3_revenue");
    expect([revenue, quarter ?? 31_200]).toEqual([91_500, 31_200]);
    expect(read(INCOME, NINE_MONTHS, "revenue_q3_2025")).toEqual({ revenue_q3_2025: 29_700 });
  });

  it("does not replace the period that the description of a property has", () => {
    const html = en(
      "EUR thousand|H1 2026|H1 2025|9M 2026|9M 2025",
      "Revenue|60,300|58,300|91,500|88,000",
      "Operating profit|7,680|7,170|11,800|11,150",
    );
    expect(read(html, NINE_MONTHS, "revenue: Revenue in H1 2026", "operating_profit")).toEqual({
      revenue: 60_300,
      operating_profit: 11_800,
    });
  });

  it.each([
    ["Extract the key figures"],
    ["Extract revenue and operating profit of the company"],
    ["Read the income statement; the report was published on 12 November"],
  ])("changes nothing when there is none: %s", (prompt) => {
    const names = ["revenue", "operating_profit", "revenue_9m_2025", "revenue_q3_2026"];
    expect(read(INCOME, prompt, ...names)).toEqual(read(INCOME, undefined, ...names));
  });

  it("changes nothing on a page without columns of periods", () => {
    const html = page("en", table("Measure|Value", "Revenue|91,500", "Operating profit|11,800"));
    expect(read(html, "Extract revenue and operating profit", "revenue")).toEqual(
      read(html, undefined, "revenue"),
    );
  });
});

describe("the scale of a prompt", () => {
  const of = (prompt: string | undefined, ...names: readonly string[]): Figures =>
    read(INCOME, prompt, ...names);

  it("divides amounts in thousands that are asked for in millions", () => {
    expect(
      of("Figures for 9M 2026. Amounts in EUR million.", "revenue", "operating_profit"),
    ).toEqual({ revenue: 91.5, operating_profit: 11.8 });
    expect(of("Amounts in EUR million", "revenue_9m_2026", "revenue_q3_2025")).toEqual({
      revenue_9m_2026: 91.5,
      revenue_q3_2025: 29.7,
    });
  });

  it("does not change amounts that have the scale of the prompt", () => {
    expect(of("Amounts in EUR thousand", "revenue_9m_2026")).toEqual({ revenue_9m_2026: 91_500 });
  });

  it("multiplies amounts in millions that are asked for in thousands", () => {
    const html = en("EUR million|2026|2025", "Revenue|91.5|88.0", "Operating profit|11.8|11.2");
    expect(read(html, "Amounts in EUR thousand", "revenue_2026")).toEqual({
      revenue_2026: 91_500,
    });
  });

  it("does not scale amounts per share, percentages and employees", () => {
    const html = en(
      "EUR thousand|2026|2025",
      "Revenue|91,500|88,000",
      "Earnings per share (EUR)|0.61|0.58",
      "Operating margin (%)|12.9|12.7",
      "Employees|409|395",
    );
    expect(
      read(
        html,
        "Annual figures for 2026. Amounts in EUR million.",
        "revenue",
        "earnings_per_share",
        "operating_margin_percent",
        "employees",
      ),
    ).toEqual({
      revenue: 91.5,
      earnings_per_share: 0.61,
      operating_margin_percent: 12.9,
      employees: 409,
    });
  });

  // Counts, quantities and ratios are no amounts of money.
  it.each([
    ["customers", "Customers", "12,400", 12_400],
    ["stores", "Stores", "204", 204],
    ["production_tonnes", "Production (tonnes)", "8,200", 8200],
    ["co2_emissions_tonnes", "CO2 emissions (tonnes)", "1,900", 1900],
    ["interest_cover", "Interest cover", "4.1", 4.1],
    ["net_debt_to_ebitda", "Net debt / EBITDA", "1.8", 1.8],
    ["return_on_equity", "Return on equity", "12.9", 12.9],
  ])("does not scale %s", (name, label, text, value) => {
    const html = en("EUR thousand|2026|2025", "Revenue|91,500|88,000", `${label}|${text}|${text}`);
    const { [`${name}_2026`]: given } = read(html, "Amounts in EUR million", `${name}_2026`);
    expect(given ?? value).toBe(value);
  });

  it("does not replace the scale that a property has", () => {
    const html = en("EUR thousand|2026|2025", "Revenue|91,500|88,000", "Tax|1,100|1,050");
    expect(
      read(html, "Amounts in EUR million", "revenue_2026: in EUR thousand", "tax_2026"),
    ).toEqual({ revenue_2026: 91_500, tax_2026: 1.1 });
  });

  it.each([["Extract the key figures"], ["Extract how many million people use the service"]])(
    "is absent from a prompt without one: %s",
    (prompt) => {
      expect(of(prompt, "revenue_9m_2026")).toEqual({ revenue_9m_2026: 91_500 });
    },
  );
});
