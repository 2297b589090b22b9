import { describe, expect, it } from "vitest";
import {
  DATE,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const URL = { type: "string", format: "uri" };
const SITE = "https://site.example";
const link = (path: string, text: string): string => `<a href="${path}">${text}</a>`;

describe("links of rows with several links", () => {
  const fixtures = (match: string, lang = "en"): string =>
    pageOf(
      lang,
      `<h1>Fixtures</h1>${tableOf(
        ["Date", "Home", "Away", ""],
        ...[
          ["2026-12-05", "rovers", "united", "11"],
          ["2026-12-06", "athletic", "town", "12"],
          ["2026-12-07", "county", "albion", "13"],
        ].map(([date = "", home = "", away = "", id = ""]) => [
          date,
          link(`/teams/${home}`, home),
          link(`/teams/${away}`, away),
          link(`/matches/${id}`, match),
        ]),
      )}`,
    );
  const MATCH = { date: DATE, home_team: STRING, away_team: STRING, match_url: URL };

  it.each([["Match"], ["Match report"], ["Match details"]])(
    "give match_url by the link %s instead of the first one",
    (text) => {
      expect(readRows(fixtures(text), "matches", MATCH).map((row) => row.match_url)).toEqual([
        `${SITE}/matches/11`,
        `${SITE}/matches/12`,
        `${SITE}/matches/13`,
      ]);
    },
  );

  it("give no link of a team as match_url when no link leads to a match", () => {
    const html = fixtures("Tickets").replaceAll("/matches/", "/tickets/");
    const urls = readRows(html, "matches", MATCH).map((row) => row.match_url);
    expect(urls.filter((url) => String(url).includes("/teams/"))).toEqual([]);
  });

  const PAPERS = ["Tides of the north", "Salt marsh maps", "Old quay walls"];
  const papers = (...extra: readonly ((id: number) => string)[]): string =>
    pageOf(
      "en",
      `<h1>Publications</h1><ul class="space-y-4">${PAPERS.map(
        (title, at) =>
          `<li><h3>${link(`/papers/${at + 1}`, title)}</h3><p>2026 · ${extra.map((build) => build(at + 1)).join(" · ")}</p></li>`,
      ).join("")}</ul>`,
    );
  const abstract = (id: number): string => link(`/papers/${id}/abstract`, "Abstract");
  const pdf = (id: number): string => link(`/files/${id}.pdf`, "PDF");
  const download = (id: number): string => link(`/files/${id}.pdf`, "Download");
  const data = (id: number): string => link(`/data/${id}.csv`, "Data");
  const columnOf = (html: string, list: string, property: string): unknown =>
    readRows(html, list, { title: STRING, [property]: URL }).map((row) => row[property]);

  it.each([
    ["a link called PDF", [abstract, pdf, data]],
    ["a link called PDF before the others", [pdf, abstract, data]],
    ["a link to a .pdf file", [abstract, download, data]],
  ])("give pdf_url by %s", (_, extra) => {
    expect(columnOf(papers(...extra), "publications", "pdf_url")).toEqual([
      `${SITE}/files/1.pdf`,
      `${SITE}/files/2.pdf`,
      `${SITE}/files/3.pdf`,
    ]);
  });

  it("give the link of the title for url alone", () => {
    expect(columnOf(papers(abstract, pdf, data), "publications", "url")).toEqual([
      `${SITE}/papers/1`,
      `${SITE}/papers/2`,
      `${SITE}/papers/3`,
    ]);
  });

  it("give both links for url and pdf_url", () => {
    const rows = readRows(papers(abstract, pdf), "publications", {
      title: STRING,
      url: URL,
      pdf_url: URL,
    });
    expect(rows[1]).toEqual({
      title: "Salt marsh maps",
      url: `${SITE}/papers/2`,
      pdf_url: `${SITE}/files/2.pdf`,
    });
  });

  it("give no pdf_url when no link is a PDF", () => {
    const urls = columnOf(papers(abstract, data), "publications", "pdf_url") as unknown[];
    expect(urls.filter((url) => url !== undefined)).toEqual([]);
  });

  const products = (...links: readonly ((id: string) => string)[]): string =>
    pageOf(
      "en",
      `<h1>Pumps</h1>${tableOf(
        ["Model", "Flow", "Documents"],
        ...["P20", "P40", "P60"].map((id) => [
          link(`/pumps/${id}`, `Pump ${id}`),
          `${id.slice(1)} l/min`,
          links.map((build) => build(id)).join(" "),
        ]),
      )}`,
    );
  const manual = (id: string): string => link(`/docs/${id}-manual.pdf`, "Manual");
  const datasheet = (id: string): string => link(`/docs/${id}-ds.pdf`, "Datasheet");
  const sheet = (id: string): string => link(`/docs/${id}-ds.pdf`, "Data sheet");

  it.fails.each([
    ["the PDF", [pdf]],
    ["an abstract and the PDF", [abstract, pdf]],
  ])("give the link of the title for url in a table whose other links are %s", (_, extra) => {
    const table = tableOf(
      ["Title", "Links"],
      ...PAPERS.map((title, at) => [
        link(`/papers/${at + 1}`, title),
        extra.map((build) => build(at + 1)).join(" "),
      ]),
    );
    expect(columnOf(pageOf("en", `<h1>Papers</h1>${table}`), "publications", "url")).toEqual([
      `${SITE}/papers/1`,
      `${SITE}/papers/2`,
      `${SITE}/papers/3`,
    ]);
  });

  it("give datasheet_url by a link called Datasheet", () => {
    const rows = readRows(products(manual, datasheet), "products", {
      model: STRING,
      datasheet_url: URL,
    });
    expect(rows.map((row) => row.datasheet_url)).toEqual([
      `${SITE}/docs/P20-ds.pdf`,
      `${SITE}/docs/P40-ds.pdf`,
      `${SITE}/docs/P60-ds.pdf`,
    ]);
  });

  it.fails("give datasheet_url by a link called Data sheet", () => {
    const rows = readRows(products(manual, sheet), "products", {
      model: STRING,
      datasheet_url: URL,
    });
    expect(rows.map((row) => row.datasheet_url)).toEqual([
      `${SITE}/docs/P20-ds.pdf`,
      `${SITE}/docs/P40-ds.pdf`,
      `${SITE}/docs/P60-ds.pdf`,
    ]);
  });

  it("give datasheet_url in rows whose first link is the datasheet but not the manual", () => {
    const rows = readRows(products(datasheet, manual), "products", {
      model: STRING,
      datasheet_url: URL,
      manual_url: URL,
    });
    expect(rows[0]).toMatchObject({
      datasheet_url: `${SITE}/docs/P20-ds.pdf`,
      manual_url: `${SITE}/docs/P20-manual.pdf`,
    });
  });

  it("give neither the product nor the manual as datasheet_url", () => {
    const rows = readRows(products(manual), "products", { model: STRING, datasheet_url: URL });
    expect(rows.map((row) => row.datasheet_url).filter((url) => url !== undefined)).toEqual([]);
  });
});
