import { describe, expect, it } from "vitest";
import {
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";
import { logoText, productOf, readFromSite } from "../../../../test/understanding/site-pages.ts";

const valueOf = (name: string, lang: string, main: string, type: object = STRING): unknown =>
  readObject(pageOf(lang, main), { [name]: type })[name];
const stool = productOf("Oak Stool", "€89.00");
const story = "<h1>Harbor lamps</h1><p>The lamp room opens to visitors in May.</p>";

type Site = readonly [name: string, lang: string, title: string, logo: string, footer: string];
const nameOf = ([name, lang, title, logo, footer]: Site, main: string): unknown =>
  readFromSite(
    {
      lang,
      title,
      logo: logo === "" ? "" : logoText(logo),
      main,
      footer: footer === "" ? "" : `<p class="text-sm">${footer}</p>`,
    },
    name,
  );

describe("name of a site or company", () => {
  it.each<readonly [...Site, string]>([
    ["site_name", "en", "Oak Stool", "Larkfield", "© 2020–present Larkfield", "Larkfield"],
    [
      "site_name",
      "en",
      "Oak Stool",
      "Larkfield",
      "Copyright © 2018 - present Larkfield. All rights reserved.",
      "Larkfield",
    ],
    ["site_name", "en", "Oak Stool | Larkfield", "Larkfield", "Photo © Ines Duarte", "Larkfield"],
    [
      "site_name",
      "en",
      "Oak Stool | Larkfield",
      "Larkfield",
      "© 2025 All rights reserved",
      "Larkfield",
    ],
    [
      "shop_name",
      "de",
      "Eichenhocker",
      "Holzwerk Lind",
      "© 2025 Holzwerk Lind. Alle Rechte vorbehalten.",
      "Holzwerk Lind",
    ],
    ["shop_name", "fr", "Tabouret – Atelier Brune", "Atelier Brune", "", "Atelier Brune"],
    ["site_name", "es", "Taburete · Taller Olmo", "Taller Olmo", "", "Taller Olmo"],
    [
      "site_name",
      "it",
      "Sgabello | Bottega Rovere",
      "Bottega Rovere",
      "© 2025 Bottega Rovere – Tutti i diritti riservati",
      "Bottega Rovere",
    ],
  ])("gives %s (%s) with the title %s, the logo %s and the footer %s", (...row) => {
    const [name, lang, title, logo, footer, expected] = row;
    expect(nameOf([name, lang, title, logo, footer], stool)).toBe(expected);
  });

  it.each<Site>([
    ["site_name", "en", "Harbor lamps", "", "Photo © Ines Duarte"],
    ["site_name", "en", "Harbor lamps", "", "Photos © 2024 Ines Duarte"],
    ["site_name", "de", "Harbor lamps", "", "Foto: © Ines Duarte / Bildhof"],
    ["site_name", "fr", "Harbor lamps", "", "Crédit photo : © 2024 Ines Duarte"],
    ["site_name", "it", "Harbor lamps", "", "Fotografie © 2024 Ines Duarte"],
    ["site_name", "nl", "Harbor lamps", "", "Beeld © Ines Duarte"],
    ["site_name", "en", "Harbor lamps", "", "Map data © 2025 OpenStreetMap contributors"],
    ["site_name", "en", "Harbor lamps", "", "Text © Ada Holm, photos © Ines Duarte"],
    ["site_name", "en", "Harbor lamps", "", "Website by Pixelhof"],
    ["company", "en", "Harbor lamps", "", "Photo © Bildhof GmbH"],
    ["company", "en", "Harbor lamps", "", "Map data © 2025 Kartenwerk GmbH"],
    ["company", "en", "Harbor lamps", "", "Hosted by Serverhof GmbH"],
    ["site_name", "en", "Harbor lamps", "", "All rights reserved © 2020–present"],
    ["site_name", "en", "Harbor lamps", "", "© 2020–present. All rights reserved."],
    ["company", "en", "Harbor lamps", "", "© 2025 All rights reserved"],
    ["shop_name", "de", "Harbor lamps", "", "© 2025 Alle Rechte vorbehalten"],
    ["shop_name", "es", "Harbor lamps", "", "© 2025 Todos los derechos reservados"],
    ["shop_name", "fr", "Harbor lamps", "", "© 2025 Tous droits réservés"],
    ["shop_name", "it", "Harbor lamps", "", "© 2025 Tutti i diritti riservati"],
    ["shop_name", "nl", "Harbor lamps", "", "© 2025 Alle rechten voorbehouden"],
    ["shop_name", "en", "Harbor lamps", "", "© 2025 Privacy · Terms · Contact"],
    ["shop_name", "en", "Harbor lamps", "", "© 2025 v2.4.1"],
    ["site_name", "en", "Harbor lamps | Lamps | Light", "", ""],
    ["shop_name", "en", "Harbor lamps", "Harbor lamps", ""],
    ["site_name", "en", "Harbor lamps", "← All articles", ""],
    ["site_name", "en", "Harbor lamps – Read online", "Skip to content", ""],
  ])("gives no %s (%s) with the title %s, the logo %s and the footer %s", (...site) => {
    expect(nameOf(site, story)).toBeUndefined();
  });

  it("gives the labeled company of a job, not that of the portal", () => {
    const site = ["company", "en", "Data Engineer", "Jobscout", "© 2025 Jobscout"] as const;
    const job = "<h1>Data Engineer</h1><dl><dt>Company</dt><dd>Norrvik AB</dd></dl>";
    expect(nameOf(site, job)).toBe("Norrvik AB");
    expect(nameOf(site, "<h1>Data Engineer</h1><p>Malmö, full-time</p>")).toBeUndefined();
  });

  it.fails.each<readonly [...Site, string]>([
    ["shop_name", "en", "Oak Stool", "Larkfield", "© 2015-2025 by Larkfield", "Larkfield"],
    ["shop_name", "en", "Oak Stool", "Larkfield", "Larkfield © 2025", "Larkfield"],
    ["site_name", "nl", "Krukje", "Houthuis", "© 2020–heden Houthuis", "Houthuis"],
    ["company", "en", "About | Larkfield", "Larkfield", "© 2025 Larkfield Ltd.", "Larkfield Ltd."],
    [
      "company",
      "de",
      "Über uns",
      "Holzwerk Lind",
      "© 2025 Holzwerk Lind GmbH",
      "Holzwerk Lind GmbH",
    ],
    [
      "company",
      "it",
      "Chi siamo",
      "Bottega Rovere",
      "© 2025 Bottega Rovere S.r.l.",
      "Bottega Rovere S.r.l.",
    ],
  ])("gives %s (%s): title %s, logo %s, footer %s", (...row) => {
    const [name, lang, title, logo, footer, expected] = row;
    expect(nameOf([name, lang, title, logo, footer], stool)).toBe(expected);
  });

  it.fails("gives the site_name that the heading of the front page repeats", () => {
    const title = "Larkfield – Tools for gardens";
    const main = "<h1>Larkfield</h1><p>Tools for gardens since 1987.</p>";
    expect(nameOf(["site_name", "en", title, "Larkfield", "© 2025 Larkfield"], main)).toBe(
      "Larkfield",
    );
  });

  it("gives no section as site_name", () => {
    const site = ["site_name", "en", "Oak Stool | Reviews", "Reviews", ""] as const;
    expect(nameOf(site, stool)).toBeUndefined();
  });
});

type Product = readonly [lang: string, title: string, logo: string, heading: string];
const productNameOf = ([lang, title, logo, heading]: Product): unknown =>
  nameOf(
    ["product_name", lang, title, logo, `© 2025 ${logo}`],
    `<h1>${heading}</h1><p class="price">59,00 €</p><button>USB-C</button>`,
  );

describe("product_name", () => {
  it.each<readonly [...Product, string]>([
    ["en", "Brisk Kettle | Larkfield", "Larkfield", "Brisk Kettle", "Brisk Kettle"],
    ["en", "Larkfield: Brisk Kettle", "Larkfield", "Brisk Kettle", "Brisk Kettle"],
    ["en", "Buy Brisk Kettle online | Larkfield", "Larkfield", "Brisk Kettle", "Brisk Kettle"],
    ["it", "Caffettiera Nera - Bottega", "Bottega", "Caffettiera Nera", "Caffettiera Nera"],
    ["nl", "Waterkoker Vlug | Houthuis", "Houthuis", "Waterkoker Vlug", "Waterkoker Vlug"],
  ])("is the heading (%s) that the title repeats: %s, %s, %s", (...row) => {
    const [lang, title, logo, heading, expected] = row;
    expect(productNameOf([lang, title, logo, heading])).toBe(expected);
  });

  it.fails.each<readonly [...Product, string]>([
    ["en", "Brisk 1.7 Kettle | Larkfield", "Larkfield", "Boil in a minute.", "Brisk 1.7 Kettle"],
    ["de", "Rucksack Fjell 28 – Bergkram", "Bergkram", "Leicht wie nie.", "Rucksack Fjell 28"],
    ["es", "Silla Olmo | Taller Olmo", "Taller Olmo", "Siéntate mejor.", "Silla Olmo"],
    [
      "fr",
      "Théière Suie | Maison Terval",
      "Maison Terval",
      "L’heure du thé, enfin.",
      "Théière Suie",
    ],
  ])("is the title (%s) when the heading is a slogan: %s, %s, %s", (...row) => {
    const [lang, title, logo, heading, expected] = row;
    expect(productNameOf([lang, title, logo, heading])).toBe(expected);
  });

  it.each<Product>([
    ["en", "Shop | Larkfield", "Larkfield", "New arrivals"],
    ["en", "Cart | Larkfield", "Larkfield", "Your cart"],
  ])("is no slogan, shop or section (%s): %s, %s, %s", (...product) => {
    expect(productNameOf(product)).toBeUndefined();
  });

  it.fails.each<Product>([
    ["en", "Larkfield", "Larkfield", "Larkfield"],
    ["en", "Larkfield", "Larkfield", "Made for slow mornings."],
    ["de", "Bergkram", "Bergkram", "Draußen ist das neue Drinnen."],
    ["fr", "Maison Terval", "Maison Terval", "Le thé commence ici !"],
    ["it", "Bottega Rovere", "Bottega Rovere", "Fatto a mano, per sempre."],
    ["nl", "Houthuis", "Houthuis", "Zit je goed?"],
    ["en", "Larkfield", "Larkfield", "Welcome to Larkfield"],
    ["en", "Page not found | Larkfield", "Larkfield", "We could not find this page."],
  ])("is no slogan, shop or section (%s): %s, %s, %s", (...product) => {
    expect(productNameOf(product)).toBeUndefined();
  });
});

type Fact = readonly [name: string, lang: string, facts: string];
const factOf = ([name, lang, facts]: Fact, type: object = STRING): unknown =>
  valueOf(name, lang, `<h1>brisk</h1><p>Small scheduler for timers.</p>${facts}`, type);
const term = (label: string, value: string): string =>
  `<dl class="grid"><dt>${label}</dt><dd>${value}</dd></dl>`;
const link = (href: string, text: string): string => `<a href="${href}">${text}</a>`;
const home = "https://brisk.example/start";
const docs = "https://brisk.example/docs";
const git = "https://github.com/brisk-js/brisk";

describe("addresses", () => {
  it.each<readonly [...Fact, string]>([
    ["docs_url", "en", term("Docs", link(docs, "brisk.example/docs")), docs],
    ["homepage_url", "en", term("Homepage", link(home, "brisk.example")), home],
    ["homepage_url", "nl", term("Homepage", link(home, "Naar de website")), home],
    ["homepage_url", "en", `<p>Homepage: ${home}.</p>`, home],
    ["repository_url", "en", term("Repository", link(git, "brisk-js/brisk")), git],
    ["repository_url", "en", term("Repository", link(git, `git+${git}.git`)), git],
    ["repository_url", "en", `<h3>Repository</h3><p>${link(git, "brisk-js/brisk")}</p>`, git],
    [
      "image_url",
      "en",
      `<img src="/img/brisk.webp" alt="brisk" width="800" height="600">`,
      "https://site.example/img/brisk.webp",
    ],
  ])("give %s (%s) from %s", (name, lang, facts, expected) => {
    expect(factOf([name, lang, facts])).toBe(expected);
  });

  it.each<Fact>([
    ["docs_url", "en", term("Docs", "readme.md")],
    ["docs_url", "en", term("Documentation", "<code>README.md</code>")],
    ["docs_url", "en", "<p>Docs: see readme.md</p>"],
    ["docs_url", "en", term("Documentation", "manual.pdf")],
    ["docs_url", "en", term("Documentation", "docs/index.html")],
    ["docs_url", "en", term("Docs", "docs@brisk.example")],
    ["docs_url", "en", term("Documentation", "Coming soon")],
    ["docs_url", "en", `<p>${link("javascript:void(0)", "Documentation")}</p>`],
    ["homepage_url", "en", term("Homepage", "Node.js")],
    ["homepage_url", "en", "<p>Built with Node.js and Next.js.</p>"],
    ["homepage_url", "en", term("Author", link("https://ada.example", "Ada Holm"))],
    ["repository_url", "en", `<p>${link(`${git}/issues`, "Report an issue")}</p>`],
    ["repository_url", "en", `<p>${link(`${git}/edit/main/readme.md`, "Edit on GitHub")}</p>`],
    ["repository_url", "en", term("Repository", "main.rs")],
    ["image_url", "en", term("Image", "brisk.jpg")],
    ["image_url", "en", "<p>Image: Ines Duarte</p>"],
    ["image_url", "en", `<img src="/pixel.gif" width="1" height="1" alt="">`],
    ["homepage_url", "en", term("Homepage", link("mailto:hello@brisk.example", "Write to us"))],
    ["homepage_url", "en", term("Homepage", "app.vue")],
    ["repository_url", "en", term("Repository", "brisk.git")],
  ])("give no %s (%s) from %s", (...fact) => {
    expect(factOf(fact)).toBeUndefined();
  });

  it.fails.each<readonly [...Fact, string]>([
    ["docs_url", "en", `<ul><li>${link(docs, "Documentation")}</li></ul>`, docs],
    ["docs_url", "en", term("Documentation", link(docs, "brisk.example/docs")), docs],
    ["docs_url", "de", term("Dokumentation", `${docs}.`), docs],
    ["docs_url", "fr", term("Documentation", link(docs, "Lire la documentation")), docs],
    ["homepage_url", "en", term("Homepage", `${home}, opens in a new tab`), home],
    ["repository_url", "en", `<ul><li>${link(git, "Repository")}</li></ul>`, git],
  ])("give %s (%s) from %s", (name, lang, facts, expected) => {
    expect(factOf([name, lang, facts])).toBe(expected);
  });

  it.fails.each<Fact>([["repository_url", "en", term("Repository", "github.com")]])(
    "give no %s (%s) from %s",
    (...fact) => {
      expect(factOf(fact)).toBeUndefined();
    },
  );

  it("give the target of a link in a sentence, not its text", () => {
    const fact = [
      "homepage_url",
      "en",
      `<p>Homepage: ${link(home, "brisk.example")}.</p>`,
    ] as const;
    expect(factOf(fact)).toBe(home);
  });

  it("give no address of the own site for the text of a link", () => {
    const type = { type: "string", format: "uri" };
    const facts = `<p>Homepage: ${link(home, "brisk.example/start")}.</p>`;
    expect(factOf(["homepage_url", "en", facts], type)).toBe(home);
  });
});

const years = (...cells: readonly string[]): string =>
  tableOf(["Mio. €", "2024", "2023"], ["EBITDA", "30", "28"], ["EBIT", ...cells]);
const items = (...texts: readonly string[]): string =>
  `<ul>${texts.map((text) => `<li>${text}</li>`).join("")}</ul>`;

describe("dashes in figures", () => {
  it.each<readonly [...Fact, number]>([
    ["growth", "de", "<table><tr><th>Growth</th><td>–4,1 %</td></tr></table>", -4.1],
    ["growth", "en", term("Growth", "−4.1%"), -4.1],
    ["growth", "en", items("Growth: –4.1%", "Staff: 120"), -4.1],
    ["change", "en", items("Change: – 4.1 %", "Staff: 120"), -4.1],
    ["temperature", "fr", term("Température", "–7 °C"), -7],
    ["temperature", "nl", items("Temperatuur: –7 °C", "Wind: 4 Bft"), -7],
    ["profit", "en", term("Profit", "–€3.20"), -3.2],
    ["ebit_prior_year", "en", `<h2>Results 2024</h2>${years("12.4", "–3.2")}`, -3.2],
    ["ebit_prior_year", "de", `<h2>Zahlen 2024</h2>${years("12,4", "–3,2")}`, -3.2],
    ["ebit_prior_year", "fr", `<h2>Résultats 2024</h2>${years("12,4", "– 3,2")}`, -3.2],
  ])("are the sign of %s (%s) in %s", (name, lang, facts, expected) => {
    expect(factOf([name, lang, facts], NUMBER)).toBe(expected);
  });

  it.each<Fact>([
    ["participants", "en", term("Participants", "10–12")],
    ["participants", "de", items("Teilnehmer: 10 – 12", "Ort: Kiel")],
    ["growth", "en", term("Growth", "4–5 %")],
    ["temperature", "en", term("Temperature", "–5 to –2 °C")],
    ["ebit_prior_year", "en", `<h2>Results 2024</h2>${years("12.4", "–")}`],
    ["ebit_prior_year", "en", `<h2>Results 2024</h2>${tableOf(["M€", "2024"], ["EBIT", "–3.2"])}`],
  ])("give no %s (%s) for a range or an empty cell: %s", (...fact) => {
    expect(factOf(fact, NUMBER)).toBeUndefined();
  });

  it.each<Fact>([
    ["growth", "en", items("Growth – 4.1%", "Staff – 120")],
    ["staff", "en", items("Growth – 4.1%", "Staff – 120")],
    ["growth", "en", "<p><b>Growth</b> – 4.1 %</p>"],
  ])("are no sign of %s (%s) between a label and its figure: %s", (...fact) => {
    expect(factOf(fact, NUMBER) ?? 0).toBeGreaterThanOrEqual(0);
  });

  it("are a sign or a range in rows of a table", () => {
    const cities = tableOf(["City", "Low", "Days"], ["Oslo", "–7", "10–12"], ["Rome", "4", "8"]);
    const row = { city: STRING, low: NUMBER, days: NUMBER };
    const [oslo] = readRows(pageOf("en", `<h1>Weather</h1>${cities}`), "cities", row);
    expect(oslo?.low).toBe(-7);
    expect(oslo?.days).toBeUndefined();
  });

  it.each<Fact>([
    ["participants", "en", items("Participants: 10–12", "Guide: Ada")],
    ["group_size", "en", items("Group size: 10 to 12", "Guide: Ada")],
    ["depth", "en", items("Depth: 10–12 m", "Guide: Ada")],
    ["weight", "nl", items("Gewicht: 10–12 kg", "Kleur: rood")],
    ["temperature", "de", items("Temperatur: –5 bis 2 °C", "Wind: 4 Bft")],
    ["temperature", "fr", items("Température : de –5 à –2 °C", "Vent : 4")],
  ])("give no end of a range as %s (%s): %s", (...fact) => {
    expect(factOf(fact, NUMBER)).toBeUndefined();
  });
});
