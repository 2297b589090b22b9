// Templates over pages of a small application. `render` stands for the browser.
import { beforeEach, describe, expect, it } from "vitest";
import type { Capture } from "../../capture.ts";
import { PageStates } from "./page-states.ts";

type Item = {
  readonly title: string;
  readonly price: number;
  readonly sale: boolean;
  readonly parts: readonly { readonly id: number; readonly name: string }[];
  readonly body: string;
};
type Render = (item: Item) => string;

const NAMES = ["Lamp", "Table", "Chair", "Shelf", "Clock", "Vase", "Mirror", "Stool"];
const buildItem = (page: number): Item => ({
  title: `${NAMES[page % 8]} of oak ${page}`,
  price: 1_500 + (page % 5) * 100,
  sale: page % 3 === 0,
  parts: Array.from({ length: 1 + (page % 3) }, (_, at) => ({
    id: page * 10_000 + at,
    name: `${NAMES[(page + at) % 8]} foot ${at}`,
  })),
  body: `<p>Page ${page} is about <em>${NAMES[page % 8]}</em>.</p>`,
});

const render: Render = ({ title, price, sale, parts, body }) =>
  `<h1>${title}</h1><p>$${price.toLocaleString("en-US")}</p><div>${sale ? "<b>Sale</b>" : "<i>Usual price</i>"}</div>` +
  `<ul>${parts.map(({ id, name }) => `<li><a href="/parts/${id}">${name}</a></li>`).join("")}</ul><section>${body}</section>`;

const toCapture = (page: number, html: string): Capture => ({
  engine: "http",
  requestedUrl: `https://shop.example/items/${page}`,
  finalUrl: `https://shop.example/items/${page}`,
  redirects: [],
  statusCode: 200,
  headers: [],
  contentType: "text/html; charset=utf-8",
  mimeType: "text/html",
  body: Buffer.from(html),
  charset: "utf-8",
  fetchedAt: 0,
  proxyUsed: "basic",
  warnings: [],
});
const toPage = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>Shop</title></head><body>${body}</body></html>`;
const toPlain = (page: number, item: Item): Capture =>
  toCapture(
    page,
    toPage(`<div id="app"></div><script>window.__STATE__=${JSON.stringify(item)}</script>`),
  );

let states: PageStates;
beforeEach(() => {
  states = new PageStates(() => Date.UTC(2026, 0, 1));
});

/** Visits a page as a job does: its text as read from data, or undefined after rendering it. */
function visit(page: number, item = buildItem(page), show = render): string | undefined {
  const plain = toPlain(page, item);
  const found = states.read(plain, "visitor");
  if (found !== undefined) {
    const html = Buffer.from(found.body).toString();
    return /<div id="app">(.*)<\/div><script/s.exec(html)?.[1] ?? html;
  }
  const shown = toPage(`<div id="app">${show(item)}</div>`);
  states.learn(plain, toCapture(page, shown), "visitor");
  return undefined;
}

/** Visits pages from 0 on, and returns how many were read from data, all of them correctly. */
function visitMany(count: number, show = render): number {
  let read = 0;
  for (let page = 0; page < count; page++) {
    const found = visit(page, buildItem(page), show);
    if (found === undefined) continue;
    expect(found).toBe(show(buildItem(page)));
    read += 1;
  }
  return read;
}

describe("pages read from the data in their HTML", () => {
  it("reads texts, prices, lists, alternatives and HTML as they would be rendered", () => {
    expect(visitMany(60)).toBeGreaterThan(36);
  });

  it("renders a page with a value that was never seen, and then knows it", () => {
    visitMany(60);
    const item = { ...buildItem(61), price: 99_000 };
    expect(visit(61, item)).toBeUndefined();
    expect(visit(61, item)).toBe(render(item));
  });

  it("renders a page with a property that was never there", () => {
    visitMany(60);
    expect(visit(61, { ...buildItem(61), note: "New" } as Item)).toBeUndefined();
  });

  it("never reads a page whose text is not in its data", () => {
    let visits = 0;
    expect(visitMany(60, (item) => `${render(item)}<p>Visit ${(visits += 1)}</p>`)).toBe(0);
  });

  it("leaves the site to the browser once a rendered page differs", () => {
    visitMany(60);
    for (let page = 60; page < 120; page++)
      visit(page, buildItem(page), (item) => `${render(item)}<p>A new footer</p>`);
    expect(states.wants(new URL("https://shop.example/items/200"), "visitor")).toBe(false);
    expect(visit(200)).toBeUndefined();
  });

  it("keeps other visitors and other parts of the site apart", () => {
    visitMany(60);
    const url = new URL("https://shop.example/items/61");
    expect(states.wants(url, "visitor")).toBe(true);
    expect(states.wants(url, "visitor from France")).toBe(false);
    expect(states.wants(new URL("https://shop.example/people/61"), "visitor")).toBe(false);
  });

  it("drops scripts that the data would insert", () => {
    visitMany(60);
    const body = `<p>Page 61 is about <script>alert(1)</script>.</p>`;
    expect(visit(61, { ...buildItem(61), body })).toBeUndefined();
  });
});
