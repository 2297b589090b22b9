import { describe, expect, it } from "vitest";
import {
  logoText,
  productOf,
  readFromSite,
  type Site,
} from "../../../../test/understanding/site-pages.ts";

const logoImage = (alt: string): string =>
  `<a href="/" class="brand"><img src="/logo.svg" alt="${alt}" width="120" height="32"></a>`;

describe("name of a site", () => {
  it.each<[string, string, Site, string]>([
    [
      "the text of the logo that the copyright line repeats",
      "shop_name",
      {
        title: "Oak Stool | Holm & Vik",
        logo: logoText("Holm &amp; Vik"),
        main: productOf("Oak Stool", "€89.00"),
        footer: "<p>© 2025 Holm &amp; Vik. All rights reserved.</p>",
      },
      "Holm & Vik",
    ],
    [
      "the alternative text of the logo that the copyright line repeats",
      "site_name",
      {
        lang: "fr",
        title: "Théière en grès",
        logo: logoImage("Maison Terval"),
        main: productOf("Théière en grès", "49,00 €"),
        footer: "<p>© 2025 Maison Terval – Tous droits réservés</p>",
      },
      "Maison Terval",
    ],
    [
      "the text of the logo that ends the title when there is no copyright line",
      "shop_name",
      {
        lang: "de",
        title: "Wanderrucksack 28 l – Bergkram",
        logo: logoText("Bergkram"),
        main: productOf("Wanderrucksack 28 l", "119,00 €"),
        footer: "<a href='/impressum'>Impressum</a>",
      },
      "Bergkram",
    ],
  ])("the name of a site is %s", (_, name, site, expected) => {
    expect(readFromSite(site, name)).toBe(expected);
  });

  it.fails.each<[string, string, Site, string]>([
    [
      "the restaurant whose own site the page is",
      "restaurant_name",
      {
        lang: "it",
        title: "Menù | Trattoria da Nello",
        logo: logoText("Trattoria da Nello"),
        main: "<h1>Menù</h1><ul><li>Ribollita <span>9 €</span></li><li>Pici all'aglione <span>12 €</span></li></ul>",
        footer: "<p>© 2025 Trattoria da Nello</p>",
      },
      "Trattoria da Nello",
    ],
    [
      "the university whose own site the page is",
      "university",
      {
        title: "Course Catalog - University of Tarnby",
        logo: logoText("University of Tarnby"),
        main: "<h1>MAT 210 Linear Algebra</h1><dl><dt>Credits</dt><dd>6</dd></dl>",
        footer: "<p>© 2025 University of Tarnby</p>",
      },
      "University of Tarnby",
    ],
  ])("the name of a site is %s", (_, name, site, expected) => {
    expect(readFromSite(site, name)).toBe(expected);
  });

  it.each<[string, string, Site]>([
    [
      "the logo says Home",
      "shop_name",
      {
        title: "Oak Stool",
        logo: logoText("Home"),
        main: productOf("Oak Stool", "€89.00"),
        footer: "<p>© 2025 All rights reserved.</p>",
      },
    ],
    [
      "the logo's alternative text is only Logo",
      "site_name",
      {
        title: "Oak Stool",
        logo: logoImage("Logo"),
        main: productOf("Oak Stool", "€89.00"),
        footer: "<p>© 2025 Holm AB</p>",
      },
    ],
    [
      "the logo is a link back to the shop",
      "shop_name",
      {
        title: "Back to shop",
        logo: logoText("Back to shop"),
        main: productOf("Oak Stool", "€89.00"),
        footer: "<p>© 2025 All rights reserved</p>",
      },
    ],
    [
      "the copyright line names the maker of the shop's software",
      "shop_name",
      {
        title: "Oak Stool",
        logo: logoText("Home"),
        main: productOf("Oak Stool", "€89.00"),
        footer: "<p>© 2025 Cartwheel Themes. Powered by Cartwheel.</p>",
      },
    ],
    [
      "the link to the front page is a claim",
      "shop_name",
      {
        lang: "es",
        title: "Mesa de roble",
        logo: `<a href="/">Envío gratis en toda la tienda</a>`,
        main: productOf("Mesa de roble", "229,00 €"),
        footer: "<p>© 2025 Todos los derechos reservados</p>",
      },
    ],
  ])("is missing when %s", (_, name, site) => {
    expect(readFromSite(site, name)).toBeUndefined();
  });

  it.each<[string, string, Site]>([
    [
      "a guide to restaurants with a list",
      "restaurant_name",
      {
        title: "Best of Lisbon | Tablefinder",
        logo: logoText("Tablefinder"),
        main: "<h1>Cervejaria Mar Azul</h1><p>Seafood in Alfama</p><p>Average bill €35</p>",
        footer: "<p>© 2025 Tablefinder</p>",
      },
    ],
    [
      "a portal of courses",
      "university",
      {
        title: "MSc Marine Biology | Studyscout",
        logo: logoText("Studyscout"),
        main: "<h1>MSc Marine Biology</h1><dl><dt>Duration</dt><dd>24 months</dd></dl>",
        footer: "<p>© 2025 Studyscout GmbH</p>",
      },
    ],
    [
      "a booking site",
      "hotel_name",
      {
        lang: "de",
        title: "Zimmer in Lindau | Bettenfuchs",
        logo: logoText("Bettenfuchs"),
        main: "<h1>Hotel Seeblick</h1><p>Zimmer ab 98 € pro Nacht</p>",
        footer: "<p>© 2025 Bettenfuchs GmbH</p>",
      },
    ],
    [
      "a magazine that reviews a museum",
      "museum",
      {
        lang: "nl",
        title: "Nieuw in de stad | Stadsblad",
        logo: logoText("Stadsblad"),
        main: "<h1>Nieuwe vleugel voor het Scheepvaarthuis</h1><p>De opening is op 4 mei.</p>",
        footer: "<p>© 2025 Stadsblad</p>",
      },
    ],
  ])("is not given for the thing on the page of %s", (_, name, site) => {
    const owner = /class="logo">([^<]+)/u.exec(site.logo ?? "")?.[1];
    expect(readFromSite(site, name)).not.toBe(owner);
  });

  it.each([
    ["en", "Home"],
    ["de", "Startseite"],
    ["es", "Inicio | Taller Sol"],
    ["sv", "Hem"],
    ["pl", "Strona główna"],
  ])(
    "is missing when the logo says what the title of a front page says (%s, %s)",
    (lang, title) => {
      const logo = logoText(title.split(" | ")[0] ?? "");
      const main = "<h1>Oak, ash, elm</h1><p>Stools and benches.</p>";
      expect(readFromSite({ lang, title, logo, main }, "site_name")).toBeUndefined();
    },
  );

  it.each([
    ["university", "University Compare", "<h1>MSc Marine Biology</h1><p>Offered in Ghent.</p>"],
    ["museum", "Museum Posters", "<h1>Sunflowers by Anna Berg</h1><p>Poster, £12.00</p>"],
    ["museum", "Museum Walks", "<h1>The old harbor museum at night</h1><p>A walk in May.</p>"],
    ["museum", "Museum Jobs", "<h1>Curator</h1><p>Part-time, Leeds</p>"],
  ])("is not given as %s for the portal %s", (name, portal, main) => {
    const title = `Read more | ${portal}`;
    const footer = `<p>© 2025 ${portal}</p>`;
    expect(readFromSite({ title, logo: logoText(portal), main, footer }, name)).toBeUndefined();
  });
});
