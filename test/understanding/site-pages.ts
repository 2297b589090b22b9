import { readObject, STRING } from "./schema-pages.ts";

/** Page of a site: language, title, link to the front page, main content and footer as HTML. */
export type Site = {
  readonly lang?: string;
  readonly title?: string;
  readonly logo?: string;
  readonly main: string;
  readonly footer?: string;
};

const siteOf = ({ lang = "en", title = "Page", logo = "", main, footer = "" }: Site): string =>
  `<!doctype html><html lang="${lang}"><head><title>${title}</title></head><body><header class="site-header">${logo}<nav><a href="/a">A–Z</a><a href="/contact">Contact</a></nav></header><main>${main}</main><footer>${footer}</footer></body></html>`;

/** Builds a logo of text that links to the front page. */
export const logoText = (name: string): string => `<a href="/" class="logo">${name}</a>`;

/** Builds the main content of a product page. */
export const productOf = (name: string, price: string): string =>
  `<h1>${name}</h1><p class="price">${price}</p><p>Hand-made in small batches and shipped within two days.</p>`;

/** Reads the string `name` from a page of a site; `more` are further properties of the schema. */
export const readFromSite = (
  site: Site,
  name: string,
  more: Record<string, unknown> = {},
): unknown => readObject(siteOf(site), { [name]: STRING, ...more })[name];
