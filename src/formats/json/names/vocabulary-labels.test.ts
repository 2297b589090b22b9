// Pages that list many similar values: each label means its own field and none of the others.
import { expect, test } from "vitest";
import { TEXT_SHAPE } from "../values/values.ts";
import { scoreLabelSimilarity, toWanted } from "../visible/label-match.ts";
import { parseName } from "./names.ts";

const isLabeled = (field: string, label: string): boolean =>
  toWanted(parseName(field), TEXT_SHAPE, new Set()).some(
    (wanted) => scoreLabelSimilarity(wanted, label) >= 0.9,
  );

/** Labels by the names that schemas give to one field. */
type Labels = Readonly<Record<string, string>>;

const FILINGS: Labels = {
  "revenue net_sales": "Umsatzerlöse; chiffre d'affaires; przychody ze sprzedaży",
  "cost_of_sales costOfRevenue cogs": "Cost of goods sold; Umsatzkosten; coût des ventes; 売上原価",
  "gross_profit grossProfit": "Bruttoergebnis vom Umsatz; utilidad bruta; bruttoresultat; 毛利",
  gross_margin: "Bruttomarge (%); marge brute; brutomarge; 毛利率",
  ebitda: "EBITDA; excédent brut d'exploitation; margine operativo lordo",
  "operating_income ebit": "Betriebsergebnis (EBIT); rörelseresultat; 営業利益; прибыль от продаж",
  "profit_before_tax pretaxIncome":
    "Ergebnis vor Steuern; zysk brutto; resultat før skat; 利润总额",
  "income_tax income_tax_expense":
    "Provision for income taxes; Ertragsteuern; daň z příjmů; 法人税等",
  "net_income netProfit": "Profit for the year; Konzernergebnis; nettoresultaat; 당기순이익",
  "eps eps_basic": "Basic earnings per share; Ergebnis je Aktie (unverwässert); 每股收益",
  "eps_diluted dilutedEps": "Diluted EPS; resultat per aktie efter utspädning; 稀释每股收益",
  "rd_expenses researchAndDevelopment": "Research and development costs; F&E-Kosten; 研究開発費",
  "sga sga_expenses": "Selling, general and administrative expenses; SG&A; 販売費及び一般管理費",
  interest_expense: "Zinsaufwendungen; interessi passivi; räntekostnader; 支払利息",
  total_assets: "Bilanzsumme; total de l'actif; balansomslutning; 资产总计",
  total_liabilities: "Summe Verbindlichkeiten; pasivo total; 負債合計",
  "equity shareholders_equity totalEquity": "Eigenkapital; capitaux propres; egenkapital; 純資産",
  equity_ratio: "Eigenkapitalquote; soliditet; egenkapitalandel; 自己資本比率",
  net_debt: "Nettoverschuldung; endettement net; dług netto; čistý dluh",
  total_debt: "Finanzverbindlichkeiten; deuda bruta; rentebærende gjeld; 有利子負債",
  cash_and_equivalents: "Cash & cash equivalents; liquide Mittel; trésorerie; peněžní prostředky",
  "operating_cash_flow cashFlowFromOperations": "Operativer Cashflow; kontantstrøm fra drift",
  "capex capital_expenditure":
    "Capital expenditures; Investitionen; nakłady inwestycyjne; 設備投資額",
  "free_cash_flow fcf": "Freier Cashflow; flujo de caja libre; vrije kasstroom; 自由现金流",
  order_backlog: "Auftragsbestand; carnet de commandes; ordrebeholdning; 受注残高",
  order_intake: "Auftragseingang; prises de commandes; orderingång",
  cost_income_ratio: "Cost/Income Ratio; Aufwand-Ertrags-Quote; coefficient d'exploitation",
  cet1_ratio: "CET1-Quote; Common Equity Tier 1 ratio; ren kjernekapitaldekning",
  net_interest_income: "Zinsüberschuss; margen de intereses; räntenetto; wynik odsetkowy",
  "return_on_equity roe":
    "Eigenkapitalrendite; egenkapitalavkastning; rentowność kapitału własnego",
  "shares_outstanding sharesOutstanding": "Anzahl Aktien; nombre d'actions; 発行済株式数",
  "dividend dividend_per_share": "Dividende je Aktie; utdelning per aktie; 1株当たり配当金",
  dividend_yield: "Dividendenrendite; direktavkastning; 配当利回り",
  auditor: "Abschlussprüfer; commissaire aux comptes; biegły rewident; 会计师事务所",
  isin: "ISIN-Code; code ISIN; kod ISIN",
  fiscal_year: "Geschäftsjahr; exercice; boekjaar",
  fiscal_year_end: "Geschäftsjahresende; clôture de l'exercice; konec účetního období",
  "period_end period_end_date": "Period ended; Bilanzstichtag; balansdag; отчетная дата",
  reporting_period: "Berichtszeitraum; période de référence; okres sprawozdawczy",
  "annual_general_meeting agm_date": "AGM; Hauptversammlung; årsstämma; 株主総会",
};

const STATISTICS: Labels = {
  "region province": "Bundesland; provincia; województwo; 都道府県",
  "municipality municipalityName": "Gemeinde; nom de la commune; kommun; 市区町村",
  district: "Bezirk; barrio; dzielnica",
  "population inhabitants": "Einwohnerzahl; población total; folkmängd; 인구; население",
  households: "Haushalte; ménages; gospodarstwa domowe; 世帯数",
  "unit unit_of_measure": "Einheit; unité de mesure; jednostka miary; 計量單位",
  "source data_source": "Quelle; fuente; źródło; 出典",
  reference_date: "Stichtag; peildatum; stan na dzień; 基準日",
  "table_number table_id": "Tabellennummer; número de tabla; tabellnummer",
  survey_year: "Erhebungsjahr; année d'enquête; 調査年",
  change_from_previous_year: "Veränderung zum Vorjahr; variation annuelle; zmiana r/r; 前年比",
};

const ELECTIONS: Labels = {
  "votes votes_cast": "Stimmen; voix; głosy; antal röster; 得票数",
  "vote_share vote_percentage": "Stimmenanteil; pourcentage des voix; röstandel; 得票率",
  "seats seats_won": "Sitze; escaños; zetels; antal mandat; 議席数",
  "turnout voterTurnout": "Wahlbeteiligung; taux de participation; stemmeprocent; 投票率",
  "eligible_voters registered_voters": "Wahlberechtigte; electores inscritos; 有権者数",
  valid_votes: "Gültige Stimmen; suffrages exprimés; głosy ważne",
  "candidate candidate_name": "Kandidatin; nom du candidat; 候補者名",
  "party party_name": "Partei; partito; politická strana; 所属政党",
  change_in_points: "Veränderung in Prozentpunkten; Gewinne und Verluste; variation en points",
  constituency: "Wahlkreis; circonscription; valkrets; 小選挙区",
  election_date: "Wahltag; date du scrutin; 投票日",
};

const PAGES: readonly (readonly [page: string, labels: Labels])[] = [
  ["filings", FILINGS],
  ["statistics", STATISTICS],
  ["elections", ELECTIONS],
];

test.each(PAGES)("labels of %s name their own field and no other", (_, page) => {
  const rows = Object.entries(page).map(([fields, labels]) => ({
    fields: fields.split(" "),
    labels: labels.split("; "),
  }));
  const all = rows.flatMap(({ fields }) => fields);
  const wrong = rows.flatMap(({ fields, labels }) =>
    labels.flatMap((label) =>
      all
        .filter((field) => isLabeled(field, label) !== fields.includes(field))
        .map((field) => `${field}: ${label}`),
    ),
  );
  expect(wrong).toEqual([]);
});
