import { describe, expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const page = (head: string, lang = "en"): string =>
  `<!doctype html><html lang="${lang}"><head><title>Swan kettle</title></head><body>${head}<main><h1>Swan kettle</h1><p>€ 89.00</p><button>Add to cart</button></main></body></html>`;
const LIST = {
  type: "object",
  properties: { categories: { type: "array", items: { type: "string" } } },
};
const ONE = { type: "object", properties: { category: { type: "string" } } };
const trail = (home: string, attributes: string): string =>
  `<nav ${attributes}><ol><li><a href="/">${home}</a></li><li><a href="/k">Kitchen</a></li><li><a href="/k/t">Kettles</a></li><li>Swan kettle</li></ol></nav>`;

describe("categories of breadcrumbs", () => {
  test.each([
    ["en", "Home", 'aria-label="Breadcrumb"'],
    ["de", "Startseite", 'aria-label="Brotkrümel"'],
    ["fr", "Accueil", 'aria-label="Fil d’Ariane"'],
    ["es", "Inicio", 'class="breadcrumbs"'],
    ["pl", "Strona główna", 'class="breadcrumb"'],
    ["ja", "ホーム", 'aria-label="パンくずリスト"'],
  ])(
    "leaves the home page and the page itself out of the breadcrumbs (%s)",
    (lang, home, attributes) => {
      const html = page(trail(home, attributes), lang);
      expect(draftPage(html, LIST).value).toEqual({ categories: ["Kitchen", "Kettles"] });
      expect(draftPage(html, ONE).value).toEqual({ category: "Kettles" });
    },
  );

  test.each(["›", "/", ">", "»"])("leaves the separator %s out of the breadcrumbs", (sign) => {
    const html = page(
      `<div class="breadcrumb"><a href="/">Home</a> <span>${sign}</span> <a href="/k">Kitchen</a> <span>${sign}</span> <a href="/k/t">Kettles</a> <span>${sign}</span> <span>Swan kettle</span></div>`,
    );
    expect(draftPage(html, LIST).value).toEqual({ categories: ["Kitchen", "Kettles"] });
  });

  test("keeps the last breadcrumb when the page itself is not among them", () => {
    const html = page(
      '<nav aria-label="Breadcrumb"><a href="/">Home</a><a href="/k">Kitchen</a><a href="/k/t">Kettles</a></nav>',
    );
    expect(draftPage(html, LIST).value).toEqual({ categories: ["Kitchen", "Kettles"] });
  });

  test.each([
    ["a menu", '<nav><a href="/">Home</a><a href="/k">Kitchen</a><a href="/b">Bath</a></nav>'],
    ["only the home page", '<nav aria-label="Breadcrumb"><a href="/">Home</a></nav>'],
    [
      "only the home page and the page itself",
      '<nav aria-label="Breadcrumb"><a href="/">Home</a><span>Swan kettle</span></nav>',
    ],
    ["hidden breadcrumbs", `<div hidden>${trail("Home", 'class="breadcrumb"')}</div>`],
  ])("reads no categories from a page with %s", (_, head) => {
    expect(draftPage(page(head), LIST).value).toBeUndefined();
    expect(draftPage(page(head), ONE).value).toBeUndefined();
  });

  test("reads the first of two different trails", () => {
    const other = trail("Home", 'class="breadcrumb"').replaceAll("Kitchen", "Gifts");
    const html = page(trail("Home", 'class="breadcrumb"') + other.replaceAll("Kettles", "Tea"));
    expect(draftPage(html, ONE).value).toEqual({ category: "Kettles" });
  });
});
