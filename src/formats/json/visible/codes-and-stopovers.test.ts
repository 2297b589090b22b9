import { describe, expect, it } from "vitest";
import {
  CLOCK,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const valueOf = (html: string, name: string): unknown => readObject(html, { [name]: STRING })[name];
const labeled = (label: string, value: string, lang = "en"): string =>
  pageOf(
    lang,
    `<h1>Tern Bay Land</h1><dl class="grid grid-cols-2"><dt>${label}</dt><dd>${value}</dd></dl>`,
  );

describe("codes of companies and documents", () => {
  it.each([
    ["LSE code", "TBVL · Real estate", "lse_code", "TBVL"],
    ["LSE code", "TBVL", "lse_code", "TBVL"],
    ["LSE code", "BT.A · Telecoms", "lse_code", "BT.A"],
    ["Reference number", "TB-2026/114 · Updated daily", "reference_number", "TB-2026/114"],
    ["Reference number", "TB-2026/114", "reference_number", "TB-2026/114"],
    ["Bulletin number", "47", "bulletin_number", "47"],
    ["Bulletin number", "2026-47", "bulletin_number", "2026-47"],
    ["Industry code", "3423 Manufacture of hand tools", "industry_code", "3423"],
    ["Reference number", "3423 Manufacture of hand tools", "reference_number", "3423"],
  ])("are cut from the words beside them: %s %s", (label, text, name, code) => {
    expect(valueOf(labeled(label, text), name)).toBe(code);
  });

  it.each([
    ["Bulletin", "Friday 13 February 2026, about 4 p.m.", "bulletin_number"],
    ["Next bulletin", "Friday 13 February 2026, about 4 p.m.", "bulletin_number"],
    ["Bulletin number", "Friday 13 February 2026, about 4 p.m.", "bulletin_number"],
    ["LSE", "Real estate investment trusts of the main market", "lse_code"],
  ])("are not read from words: %s %s", (label, text, name) => {
    expect(valueOf(labeled(label, text), name)).toBeUndefined();
  });

  it.each([
    ["Reference number", "to be announced", "reference_number"],
    ["Reference number", "on request", "reference_number"],
    ["Reference", "see the annex", "reference_number"],
    ["Reference number", "20 November 2026", "reference_number"],
    ["Bulletin number", "13 February 2026", "bulletin_number"],
    ["LSE code", "not listed", "lse_code"],
  ])("are not read from words or a date alone: %s %s", (label, text, name) => {
    expect(valueOf(labeled(label, text), name)).toBeUndefined();
  });

  it("are not read from a sentence about the next bulletin", () => {
    const html = pageOf(
      "en",
      `<h1>Avalanche bulletin</h1><p>Next bulletin: Friday 13 February 2026, about 4 p.m.</p>`,
    );
    expect(valueOf(html, "bulletin_number")).toBeUndefined();
  });

  it("are read row by row from a column", () => {
    const table = tableOf(
      ["Company", "LSE code"],
      ["Tern Bay Land", "TBVL · Real estate"],
      ["Harbour Tools", "HTLS · Industry"],
      ["Mill Foods", "MLFD · Food"],
    );
    const rows = readRows(pageOf("en", `<h1>Companies</h1>${table}`), "companies", {
      company: STRING,
      lse_code: STRING,
    });
    expect(rows.map((row) => row.lse_code)).toEqual(["TBVL", "HTLS", "MLFD"]);
  });
});

describe("stopovers of connections", () => {
  it.each([
    ["en", "Stopover", "Direct", "stopover"],
    ["en", "Stopover", "Nonstop", "stopover"],
    ["en", "Stopover", "Diretto", "stopover"],
    ["en", "Stopover", "ohne Umstieg", "stopover"],
    ["en", "Stopover", "–", "stopover"],
    ["en", "Via", "Direct", "via"],
    ["it", "Via", "Diretto", "via"],
    ["de", "Via", "ohne Umstieg", "via"],
    ["de", "Via", "Direkt", "via"],
    ["sv", "Via", "Direkt", "via"],
  ])("are missing for a direct connection: %s %s %s", (lang, label, text, name) => {
    expect(valueOf(labeled(label, text, lang), name)).toBeUndefined();
  });

  it.each([
    ["en", "Stopover", "Direct flight", "stopover"],
    ["en", "Stopover", "No stopover", "stopover"],
    ["en", "Stopover", "None", "stopover"],
    ["it", "Scalo", "Volo diretto", "stopover"],
    ["it", "Scalo", "senza scalo", "stopover"],
    ["pt", "Escala", "Sem escalas", "stopover"],
    ["fr", "Via", "Sans correspondance", "via"],
  ])("are missing for a connection without a stop: %s %s %s", (lang, label, text, name) => {
    expect(valueOf(labeled(label, text, lang), name)).toBeUndefined();
  });

  it.each([
    ["en", "Stopover", "Oslo", "stopover"],
    ["en", "Via", "Direction Bay", "via"],
    ["it", "Via", "Milano Centrale", "via"],
    ["de", "Via", "Hannover Hbf", "via"],
  ])("are given for a connection with a stop: %s %s %s", (lang, label, text, name) => {
    expect(valueOf(labeled(label, text, lang), name)).toBe(text);
  });

  it.each([
    ["stopover", "Stopover"],
    ["via", "Via"],
  ])("are given in rows that have one as %s", (name, head) => {
    const table = tableOf(
      ["Departure", "To", head],
      ["08:10", "Bergen", "Direct"],
      ["09:40", "Tromsø", "Oslo"],
      ["11:05", "Bodø", "Trondheim"],
    );
    const rows = readRows(pageOf("en", `<h1>Departures</h1>${table}`), "departures", {
      departure_time: CLOCK,
      destination: STRING,
      [name]: STRING,
    });
    expect(rows.map((row) => row[name] ?? null)).toEqual([null, "Oslo", "Trondheim"]);
  });
});

describe("addresses of footers", () => {
  const job = (footer: string, facts = ""): string =>
    `<!doctype html><html lang="en"><head><title>Baker</title></head><body><acme-header><a href="/">Krume</a></acme-header><main><h1>Baker</h1>${facts}<p>You bake bread at night with a team of six and train two apprentices.</p></main>${footer}</body></html>`;
  const JOB = { title: STRING, city: STRING };
  const address = `<address>Krume GmbH<br>Hafenstraße 5<br>24103 Kiel<br>Germany</address>`;

  it.each([
    ["a footer", `<footer>${address}</footer>`],
    ["a web component", `<acme-footer>${address}</acme-footer>`],
    [
      "a web component with parts",
      `<krume-site-footer><div class="grid"><h2>Contact</h2>${address}</div></krume-site-footer>`,
    ],
    [
      "a web component with lines",
      `<acme-footer><p>Krume GmbH</p><p>Hafenstraße 5, 24103 Kiel</p></acme-footer>`,
    ],
    [
      "a web component with labels",
      `<acme-footer><dl><dt>Company</dt><dd>Krume GmbH</dd><dt>City</dt><dd>Kiel</dd></dl></acme-footer>`,
    ],
  ])("are not the city of a job: %s", (_, footer) => {
    expect(readObject(job(footer), JOB)["city"]).toBeUndefined();
  });

  it("leave the city that the job names", () => {
    const html = job(
      `<acme-footer>${address}</acme-footer>`,
      `<dl><dt>City</dt><dd>Lübeck</dd></dl>`,
    );
    expect(readObject(html, { city: STRING })).toEqual({ city: "Lübeck" });
  });

  it("leave the address in the main content of a web component", () => {
    const html = `<!doctype html><html lang="en"><body><acme-page><main><h1>Baker</h1><dl><dt>City</dt><dd>Lübeck</dd></dl></main></acme-page></body></html>`;
    expect(readObject(html, { city: STRING })).toEqual({ city: "Lübeck" });
  });
});
