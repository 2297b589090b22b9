// A shop of many pages without any machine-readable data: cards with utility classes, numbered pages, a page for each item.
import type { PageAnswer } from "./agent-sites.ts";

export type Item = {
  readonly name: string;
  readonly price: number;
  readonly weight: number;
  readonly isSoldOut: boolean;
};

const KINDS = ["lamp", "chair", "table", "shelf", "stool", "bench", "rug"];

export const buildItems = (count: number): Item[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `Oak ${KINDS[at % KINDS.length]} ${at + 1}`,
    price: 20 + ((at * 37) % 500) + 0.5,
    weight: 1 + (at % 40),
    isSoldOut: at % 5 === 3,
  }));

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en-GB"><head><title>${title}</title></head><body><header><a href="/">Oak &amp; Co</a></header><main>${body}</main><footer>Oak &amp; Co, 1 Mill Lane</footer></body></html>`;

const card = ({ name, price, isSoldOut }: Item, at: number): string =>
  `<div class="rounded-lg p-4"><a class="font-medium" href="/item/${at + 1}">${name}</a><p class="text-slate">£${price.toFixed(2)}</p>${isSoldOut ? '<span class="badge">Sold out</span>' : ""}</div>`;

/** `perPage` items a page; the path of the nth page is `/?page=n`. */
export function catalogueSite(items: readonly Item[], perPage: number): Record<string, PageAnswer> {
  const site: Record<string, PageAnswer> = {};
  const pages = Math.ceil(items.length / perPage);
  const listPage = (number: number): string => {
    const from = (number - 1) * perPage;
    const cards = items.slice(from, from + perPage).map((item, at) => card(item, from + at));
    const next = number < pages ? `<a href="/?page=${number + 1}">Next ›</a>` : "";
    const first = number > 1 ? '<a href="/?page=1">1</a>' : "<span>1</span>";
    return page(
      `All furniture, page ${number}`,
      `<h1>All furniture</h1><div class="grid">${cards.join("")}</div><nav>${first}${next}</nav>`,
    );
  };
  site["/"] = listPage(1);
  for (let number = 1; number <= pages; number += 1) site[`/?page=${number}`] = listPage(number);
  for (const [at, { name, price, weight, isSoldOut }] of items.entries())
    site[`/item/${at + 1}`] = page(
      name,
      `<h1>${name}</h1><p class="price">£${price.toFixed(2)}</p><dl><dt>Weight</dt><dd>${weight} kg</dd><dt>Availability</dt><dd>${isSoldOut ? "Sold out" : "In stock"}</dd></dl><p>A ${name.toLowerCase()} from our workshop, made of solid oak and oiled by hand.</p>`,
    );
  return site;
}
