import { describe, expect, it } from "vitest";
import { STRING } from "../../../../test/understanding/schema-pages.ts";
import {
  logoText,
  productOf,
  readFromSite,
  type Site,
} from "../../../../test/understanding/site-pages.ts";

describe("company that owns a site", () => {
  const owner = (main: string, footer: string): Site => ({
    title: "About | Orvane",
    logo: logoText("Orvane"),
    main,
    footer,
  });

  it("is read in its full form when the content names it", () => {
    const site = owner(
      "<h1>About us</h1><p>Orvane Instruments, Inc. builds flow meters for dairies and breweries since 1987.</p>",
      "<p>© 2025 Orvane Instruments, Inc.</p>",
    );
    expect(readFromSite(site, "company")).toBe("Orvane Instruments, Inc.");
  });

  it.each<[string, Site]>([
    [
      "a job board whose name the posting does not repeat",
      {
        title: "Backend Engineer | Jobharbor",
        logo: logoText("Jobharbor"),
        main: "<h1>Backend Engineer</h1><p>Our client is a maker of sensors in Ghent.</p>",
        footer: "<p>© 2025 Jobharbor, Inc.</p>",
      },
    ],
    [
      "a job board in French",
      {
        lang: "fr",
        title: "Chef de projet - Emploi Direct",
        logo: logoText("Emploi Direct"),
        main: "<h1>Chef de projet (H/F)</h1><p>Postulez avant le 30 juin.</p><p>CDI, Lyon</p>",
        footer: "<p>© 2025 Emploi Direct SAS</p>",
      },
    ],
    [
      "a portal of homes",
      {
        lang: "de",
        title: "3-Zimmer-Wohnung in Kassel | Wohnfinder",
        logo: logoText("Wohnfinder"),
        main: "<h1>3-Zimmer-Wohnung</h1><p>Nummer 8812</p><p>Kaltmiete 840 €</p>",
        footer: "<p>© 2025 Wohnfinder GmbH</p>",
      },
    ],
    [
      "a news site with a story on a company",
      {
        title: "Markets | The Daily Ledger",
        logo: logoText("The Daily Ledger"),
        main: "<h1>Chipmaker raises forecast</h1><p>The company told reporters that sales rose by 8%.</p>",
        footer: "<p>© 2025 The Daily Ledger Ltd.</p>",
      },
    ],
    [
      "a shop that the content does not name",
      {
        title: "Oak Stool | Holm & Vik",
        logo: logoText("Holm &amp; Vik"),
        main: productOf("Oak Stool", "€89.00"),
        footer: "<p>© 2025 Holm &amp; Vik AB</p>",
      },
    ],
  ])("is not read from %s", (_, site) => {
    expect(readFromSite(site, "company")).toBeUndefined();
  });

  it.each([
    [
      "en",
      "a job board",
      "Jobharbor",
      "Inc.",
      "<h1>Backend Engineer</h1><p>Jobharbor found 12 similar jobs.</p><p>Our client makes sensors in Ghent.</p>",
    ],
    [
      "fr",
      "a job board",
      "Emploi Direct",
      "SAS",
      "<h1>Chef de projet (H/F)</h1><p>Postulez sur Emploi Direct avant le 30 juin.</p>",
    ],
    [
      "de",
      "a portal of homes",
      "Wohnfinder",
      "GmbH",
      "<h1>3-Zimmer-Wohnung</h1><p>Wohnfinder-Nummer 8812</p><p>Kaltmiete 840 €</p>",
    ],
    [
      "en",
      "a newspaper",
      "The Daily Ledger",
      "Ltd.",
      "<h1>Chipmaker raises forecast</h1><p>The company told The Daily Ledger that sales rose.</p>",
    ],
    [
      "en",
      "a press wire",
      "Wirepost",
      "Inc.",
      "<h1>Orvane opens plant</h1><p>GHENT (Wirepost) - Orvane Instruments opens a plant.</p>",
    ],
    [
      "en",
      "a directory of trades",
      "Tradelist",
      "Ltd",
      "<h1>Smith &amp; Sons Plumbing</h1><p>On Tradelist since 2019.</p>",
    ],
    [
      "en",
      "a review site",
      "Trustmeter",
      "A/S",
      "<h1>Orvane</h1><p>Trustmeter users rate Orvane 4.1 of 5.</p>",
    ],
    [
      "en",
      "a ticket portal",
      "Tixly",
      "AB",
      "<h1>Jazz Night</h1><p>Buy on Tixly. 4 May, Pier 4</p>",
    ],
  ])("is not read (%s) from %s that names itself: %s", (lang, _, name, form, main) => {
    const footer = `<p>© 2025 ${name} ${form}</p>`;
    const title = `Read more | ${name}`;
    expect(
      readFromSite({ lang, title, logo: logoText(name), main, footer }, "company"),
    ).toBeUndefined();
  });
});

describe("legal name", () => {
  it.each<[string, Site, string]>([
    [
      "the company in the German imprint",
      {
        lang: "de",
        title: "Impressum | Bergkram",
        logo: logoText("Bergkram"),
        main: "<h1>Impressum</h1><p>Bergkram Handels GmbH<br>Talweg 4<br>87435 Kempten</p>",
        footer: "<p>© 2025 Bergkram</p>",
      },
      "Bergkram Handels GmbH",
    ],
    [
      "the company in the copyright line",
      {
        title: "Contact | Orvane",
        logo: logoText("Orvane"),
        main: "<h1>Contact</h1><p>Write to us, we answer within a day.</p>",
        footer: "<p>© 2025 Orvane Instruments, Inc. All rights reserved.</p>",
      },
      "Orvane Instruments, Inc.",
    ],
  ])("is %s", (_, site, expected) => {
    expect(readFromSite(site, "legal_name")).toBe(expected);
  });

  it.each<[string, Site]>([
    [
      "two companies have a legal form",
      {
        lang: "de",
        title: "Impressum",
        logo: logoText("Bergkram"),
        main: "<h1>Impressum</h1><p>Bergkram Handels GmbH, Kempten</p><p>Hosting: Netzwolke Systeme AG, Zug</p>",
        footer: "<p>© 2025 Bergkram</p>",
      },
    ],
    [
      "no name has a legal form",
      {
        title: "Contact | Orvane",
        logo: logoText("Orvane"),
        main: "<h1>Contact</h1><p>Call us on weekdays.</p>",
        footer: "<p>© 2025 Orvane</p>",
      },
    ],
    [
      "only a client of the studio has a legal form",
      {
        title: "Case study | Studio Nine",
        logo: logoText("Studio Nine"),
        main: "<h1>A new site for Tarnby Foods Ltd</h1><p>We built it in nine weeks.</p>",
        footer: "<p>© 2025 Studio Nine</p>",
      },
    ],
    [
      "only the payment provider has a legal form",
      {
        lang: "nl",
        title: "Voorwaarden | Holm",
        logo: logoText("Holm"),
        main: "<h1>Voorwaarden</h1><p>Betalingen verlopen via Betaalwijs B.V. in Utrecht.</p>",
        footer: "<p>© 2025 Holm</p>",
      },
    ],
  ])("is missing when %s", (_, site) => {
    expect(readFromSite(site, "legal_name")).toBeUndefined();
  });

  it("is missing when only the host in an imprint has a legal form", () => {
    const main =
      "<h1>Impressum</h1><p>Inhaberin: Jana Vogt</p><p>Hosting: Netzwolke Systeme AG, Zug</p>";
    const site = { lang: "de", title: "Impressum", logo: logoText("Bergkram"), main };
    expect(readFromSite(site, "legal_name")).toBeUndefined();
  });
});

describe("phone and address in a footer", () => {
  const footer =
    "<p>© 2025 NAME</p><address>12 Quay Street, Bristol BS1 4DJ</address><p>Tel. +44 117 496 0123</p>";
  const named = (name: string, main: string): Site => ({
    title: `Welcome | ${name}`,
    logo: logoText(name),
    main,
    footer: footer.replace("NAME", name),
  });

  it.each(["Hotel Anchor Lodge", "The Lantern Theatre", "Harbour Museum", "Restaurant Saltmarsh"])(
    "are those of %s on its own site",
    (name) => {
      const site = named(
        name,
        `<h1>${name}</h1><p>Open all year round, five minutes from the station.</p>`,
      );
      expect(readFromSite(site, "phone")).toBe("+44 117 496 0123");
    },
  );

  it.each<[string, string, Record<string, unknown>]>([
    ["phone", "<h1>Oak Stool</h1><p class='price'>£89.00</p>", { price: STRING }],
    ["address", "<h1>Oak Stool</h1><p class='price'>£89.00</p>", { price: STRING }],
    ["phone", "<h1>Backend Engineer</h1><p>Location: Leeds</p>", { job_title: STRING }],
    ["address", "<h1>3 bed flat to let</h1><p>£1,200 per month</p>", { rent: STRING }],
    ["phone", "<h1>Dr. Ilse Bauer</h1><p>Dermatologist, Leeds</p>", { name: STRING }],
  ])("give no %s to another thing: %s", (name, main, more) => {
    expect(readFromSite(named("Findwell", main), name, more)).toBeUndefined();
  });

  it("give no phone to a hotel on a booking site", () => {
    const site = named("Staybird", "<h1>Hotel Anchor Lodge</h1><p>From £98 per night</p>");
    expect(readFromSite(site, "phone", { hotel_name: STRING })).toBeUndefined();
  });
});
