// Applications whose HTML holds the data of the page and no text, in the shapes in which frameworks
// write it, and applications whose text cannot be read from that data. Each has pages by number.
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";

export type DataApplication = {
  readonly name: string;
  /** True if the HTML holds everything that the page shows. */
  readonly isReadable: boolean;
  readonly buildPage: (page: number) => Page;
};

const NOUNS = "harbour bridge lantern orchard kettle garden window river market compass".split(" ");
const ADJECTIVES = "quiet northern copper narrow early painted hollow bright folded distant".split(
  " ",
);
const PEOPLE = [
  "Ana Ruiz",
  "Tom Becker",
  "Li Wen",
  "Sara Costa",
  "Jonas Falk",
  "Mira Novak",
  "Priya Nair",
];
const CITIES = ["Lisbon", "Hamburg", "Kyoto", "Bergen", "Toronto", "Graz"];

/** A generator of numbers below one that a page number decides. */
function createRandom(seed: number): () => number {
  let state = (seed + 1) * 2_654_435_761;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9;
    const mixed = Math.imul(state ^ (state >>> 13), 3_266_489_917);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
  };
}

function createWriter(seed: number) {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const name = (): string => `${pick(ADJECTIVES)} ${pick(NOUNS)}`;
  const sentence = (): string =>
    `The ${name()} stands near the ${pick(NOUNS)} of ${pick(CITIES)}, where ${pick(PEOPLE)} counted ${below(900) + 2} ${pick(NOUNS)}s.`;
  const sentences = (count: number): string => Array.from({ length: count }, sentence).join(" ");
  const date = (): string =>
    new Date(
      Date.UTC(2024 + below(3), below(12), 1 + below(28), 9 + below(6), below(60)),
    ).toISOString();
  const many = <T>(from: number, to: number, make: (at: number) => T): T[] =>
    Array.from({ length: from + below(to - from + 1) }, (_, at) => make(at));
  const has = (share: number): boolean => random() < share;
  return { below, pick, name, sentence, sentences, date, many, has };
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const toSlug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
const toScriptJson = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");
const toAttribute = (value: unknown): string =>
  JSON.stringify(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;");

function buildProduct(page: number) {
  const { below, name, sentences, date, many, has, pick } = createWriter(page);
  const title = capitalize(name());
  const price = 500 + below(250_000);
  return {
    id: 40_000 + page * 7,
    slug: `${toSlug(title)}-${page}`,
    title,
    sku: `QX-${1000 + page * 13}`,
    priceCents: price,
    compareAtCents: has(0.3) ? price + 1_000 : null,
    currency: "USD",
    inStock: has(0.8),
    description: sentences(3),
    features: many(2, 6, () => capitalize(name())),
    category: { id: 3 + (page % 4), name: ["Lighting", "Kitchen", "Outdoor", "Office"][page % 4] },
    reviews: many(0, 5, (at) => ({
      id: `r${page}-${at}`,
      author: pick(PEOPLE),
      rating: 1 + below(5),
      text: sentences(1),
      createdAt: date(),
      verified: has(0.5),
    })),
    updatedAt: date(),
  };
}

/** The product page, over `data`. */
const RENDER_PRODUCT = `
const money = (cents) => "$" + (cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const view = (p) => h("div", { class: "layout" },
  h("header", null, h("a", { href: "/" }, "Harbour Supply"), h("nav", null, h("a", { href: "/c/" + p.category.id }, p.category.name))),
  h("main", null, h("h1", null, p.title),
    h("p", { class: "price" }, money(p.priceCents), p.compareAtCents ? h("s", null, money(p.compareAtCents)) : null),
    h("p", { class: "stock" }, p.inStock ? "In stock, ships tomorrow" : "Sold out"),
    p.inStock ? h("button", null, "Add to cart") : null,
    h("p", null, p.description),
    h("h2", null, "Features"), h("ul", null, p.features.map((f) => h("li", null, f))),
    h("h2", null, "Reviews (", p.reviews.length, ")"),
    p.reviews.length === 0 ? h("p", null, "Nobody has reviewed this product.") : h("ol", null, p.reviews.map((r) =>
      h("li", { key: r.id }, h("strong", null, r.author), " gave " + r.rating + " of 5", r.verified ? h("em", null, "Verified purchase") : null, h("p", null, r.text)))),
    h("small", null, "Item no. " + p.sku)),
  h("footer", null, "© Harbour Supply"));`;

function buildArticle(page: number) {
  const { name, sentences, date, many, pick, below, has } = createWriter(1000 + page);
  const title = capitalize(`${name()} and the ${name()}`);
  return {
    id: `a${page}f${page * 3}e2`,
    title,
    slug: toSlug(title),
    author: { name: pick(PEOPLE), url: `/people/${1 + below(7)}` },
    publishedAt: date(),
    minutes: 2 + below(9),
    tags: many(1, 4, () => pick(NOUNS)),
    html: many(
      3,
      6,
      (at) =>
        (at % 2 === 1 ? `<h2>${capitalize(name())}</h2>` : "") +
        `<p>${sentences(2)} <a href="/n/${below(90)}">More</a></p>`,
    ).join(""),
    paragraphs: many(3, 6, () => sentences(2)),
    premium: has(0.2),
  };
}

const RENDER_ARTICLE = `
const view = (a) => h("article", null, h("h1", null, a.title),
  h("p", { class: "by" }, "By ", h("a", { href: a.author.url }, a.author.name), " · ", h("time", { datetime: a.publishedAt }, new Date(a.publishedAt).toLocaleDateString("en-US", { year: "numeric", month: "long", day: "numeric" })), " · " + a.minutes + " min read"),
  a.premium ? h("p", { class: "premium" }, "For members") : null,
  h("div", { dangerouslySetInnerHTML: { __html: a.html } }),
  h("ul", { class: "tags" }, a.tags.map((t) => h("li", null, h("a", { href: "/tag/" + t }, "#" + t)))));`;

function buildJob(page: number) {
  const { name, sentences, many, pick, below, date } = createWriter(2000 + page);
  return {
    job: {
      id: String(7_000 + page),
      title: `${capitalize(name())} engineer`,
      city: pick(CITIES),
      salary: { min: 40_000 + below(30) * 1000, max: 80_000 + below(40) * 1000 },
      posted: date(),
      about: sentences(3),
      duties: many(3, 6, () => sentences(1)),
      remote: page % 3 === 0,
    },
    related: many(2, 4, (at) => ({ id: String(8_000 + page * 5 + at), title: capitalize(name()) })),
  };
}

const RENDER_JOB = `
const view = ({ job, related }) => h("div", null, h("h1", null, job.title), h("p", null, job.city, job.remote ? " (remote possible)" : ""),
  h("p", null, "€" + job.salary.min.toLocaleString("en-US") + " – €" + job.salary.max.toLocaleString("en-US") + " a year"),
  h("p", null, job.about), h("h2", null, "What you do"), h("ul", null, job.duties.map((d) => h("li", null, d))),
  h("aside", null, h("h2", null, "Similar jobs"), related.map((r) => h("p", null, h("a", { href: "/jobs/" + r.id }, r.title)))));`;

const PREACT = readFileSync(
  new URL("../../node_modules/preact/dist/preact.mjs", import.meta.url),
  "utf8",
);

type Page = { readonly html: string; readonly script: string };

/** The application's script: reads its data, renders it and sets the title. */
const toScript = (render: string, read: string, title: string): string =>
  `import { h, render } from "../preact.mjs"; ${render}
const data = ${read}; document.title = ${title};
const mount = document.querySelector("[data-mount], #__next, #app, #root, #__nuxt, astro-island") ?? document.body;
mount.replaceChildren(); render(view(data), mount);`;

/** `SCRIPT` in the body stands for the application's script. */
const toPage = (head: string, body: string, script: string): Page => ({
  html: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/><title>Loading…</title>${head}<script type="module" src="SCRIPT"></script></head><body>${body}</body></html>`,
  script,
});

/** A flat list of values that reference each other by index, as devalue and turbo-stream write. */
function flatten(value: unknown, toKey: (key: string, put: (value: unknown) => number) => string) {
  const values: unknown[] = [];
  const put = (item: unknown): number => {
    const at = values.push(null) - 1;
    if (Array.isArray(item)) values[at] = item.map(put);
    else if (typeof item === "object" && item !== null)
      values[at] = Object.fromEntries(
        Object.entries(item).map(([key, inner]) => [toKey(key, put), put(inner)]),
      );
    else values[at] = item;
    return at;
  };
  put(value);
  return values;
}

const toIsland = (value: unknown): unknown =>
  Array.isArray(value)
    ? [1, value.map(toIsland)]
    : typeof value === "object" && value !== null
      ? [0, Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toIsland(item)]))]
      : [0, value];

const wrap = (value: unknown): string => JSON.stringify(value);

const READABLE: Readonly<Record<string, (page: number) => Page>> = {
  "Next.js pages, empty until the store is restored": (page) =>
    toPage(
      `<link rel="preload" href="/_next/static/css/${page % 3}.css" as="style"/>`,
      `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${toScriptJson({ props: { pageProps: { product: buildProduct(page), _sentryTraceData: `${page}9f${page * 31}` }, __N_SSP: true }, page: "/product/[slug]", query: { slug: String(page) }, buildId: "k3JtQe0v", isFallback: false, gssp: true, scriptLoader: [] })}</script>`,
      toScript(
        RENDER_PRODUCT,
        `JSON.parse(document.getElementById("__NEXT_DATA__").textContent).props.pageProps.product`,
        `data.title + " | Harbour Supply"`,
      ),
    ),
  "Next.js flight rows with a client component": (page) => {
    const article = buildArticle(page);
    const { html, ...rest } = article;
    const text = `1a:T${Buffer.byteLength(html).toString(16)},${html}`;
    const tree = `0:["$","div",null,{"children":["$","$L2",null,{"article":${JSON.stringify({ ...rest, html: "$1a" })}}]}]\n2:I[4707,["/_next/static/chunks/app.js"],"Article"]\n`;
    return toPage(
      "",
      `<div id="root"><template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template></div><script>(self.__next_f=self.__next_f||[]).push([0])</script><script>self.__next_f.push([1,${toScriptJson(tree)}])</script><script>self.__next_f.push([1,${toScriptJson(text)}])</script>`,
      toScript(
        RENDER_ARTICLE,
        `{ ...JSON.parse(self.__next_f[1][1].split("\\n")[0].slice(2))[3].children[3].article, html: self.__next_f[2][1].slice(self.__next_f[2][1].indexOf(",") + 1) }`,
        "data.title",
      ),
    );
  },
  "Nuxt 2, values named by a function": (page) => {
    const article = buildArticle(page);
    const { html, author, ...rest } = article;
    return toPage(
      "",
      `<div id="__nuxt"></div><script>window.__NUXT__=(function(a,b,c,d){b.name=${JSON.stringify(author.name)};b.url=${JSON.stringify(author.url)};return {layout:"default",data:[{article:Object.assign}],fetch:{},error:a,serverRendered:!1,routePath:"\\u002Fnews\\u002F${page}"}}(null,{},${toScriptJson(html)},0))</script>`.replace(
        "Object.assign",
        `{${Object.entries(rest)
          .map(([key, value]) => `${key}:${toScriptJson(value)}`)
          .join(",")},author:b,html:c,n:d}`,
      ),
      toScript(RENDER_ARTICLE, "window.__NUXT__.data[0].article", "data.title"),
    );
  },
  "Nuxt 3 payload": (page) =>
    toPage(
      "",
      `<div id="__nuxt"></div><script type="application/json" data-nuxt-data="nuxt-app" data-ssr="false" id="__NUXT_DATA__">${toScriptJson(flatten({ data: { job: buildJob(page) }, state: {}, once: [], path: `/jobs/${page}` }, (key) => key))}</script><script>window.__NUXT__={};window.__NUXT__.config={public:{},app:{baseURL:"/"}}</script>`,
      toScript(RENDER_JOB, wrap(buildJob(page)), "data.job.title"),
    ),
  "Remix context": (page) =>
    toPage(
      "",
      `<div id="root"></div><script>window.__remixContext = ${toScriptJson({ basename: "/", future: {}, isSpaMode: false, state: { loaderData: { root: { env: "production" }, "routes/jobs.$id": buildJob(page) }, actionData: null, errors: null } })};</script>`,
      toScript(
        RENDER_JOB,
        `window.__remixContext.state.loaderData["routes/jobs.$id"]`,
        "data.job.title",
      ),
    ),
  "React Router stream": (page) => {
    const values = flatten(
      {
        loaderData: { "routes/product": { product: buildProduct(page) } },
        actionData: null,
        errors: null,
      },
      (key, put) => `_${put(key)}`,
    );
    return toPage(
      "",
      `<div id="root"></div><script>window.__reactRouterContext = {"basename":"/","isSpaMode":false,"ssr":true};window.__reactRouterContext.stream = new ReadableStream({start(controller){window.__reactRouterContext.streamController = controller;}}).pipeThrough(new TextEncoderStream());</script><script>window.__reactRouterContext.streamController.enqueue(${toScriptJson(`${JSON.stringify(values)}\n`)});</script>`,
      toScript(RENDER_PRODUCT, wrap(buildProduct(page)), "data.title"),
    );
  },
  "SvelteKit start data": (page) => {
    const literal = toScriptJson(buildJob(page)).replaceAll(/"([A-Za-z_]\w*)":/g, "$1:");
    return toPage(
      "",
      `<div style="display: contents" data-mount></div><script>{ __sveltekit_1k = { base: "" }; const element = document.currentScript.parentElement; const start = (kit) => kit.start(null, element, { node_ids: [0, 4], data: [null,{type:"data",data:${literal},uses:{params:["id"]}}], form: null, error: null }); window.kit = { start(app, element, options) { window.started = options; } }; start(window.kit); }</script>`,
      toScript(RENDER_JOB, "window.started.data[1].data", "data.job.title"),
    );
  },
  "Astro island for the client only": (page) =>
    toPage(
      "",
      `<astro-island uid="Z${page}q" component-url="/_astro/Product.js" component-export="default" renderer-url="/_astro/client.js" props="${toAttribute({ product: toIsland(buildProduct(page)) })}" ssr client="only" opts="{&quot;name&quot;:&quot;Product&quot;,&quot;value&quot;:&quot;preact&quot;}"></astro-island>`,
      toScript(RENDER_PRODUCT, wrap(buildProduct(page)), "data.title"),
    ),
  "Apollo cache": (page) => {
    const { reviews, category, ...product } = buildProduct(page);
    const cache = {
      ROOT_QUERY: {
        __typename: "Query",
        [`product({"slug":"${page}"})`]: { __ref: `Product:${product.id}` },
      },
      [`Product:${product.id}`]: {
        __typename: "Product",
        ...product,
        category: { __ref: `Category:${category.id}` },
        reviews: reviews.map(({ id }) => ({ __ref: `Review:${id}` })),
      },
      [`Category:${category.id}`]: { __typename: "Category", ...category },
      ...Object.fromEntries(
        reviews.map((review) => [`Review:${review.id}`, { __typename: "Review", ...review }]),
      ),
    };
    return toPage(
      "",
      `<div id="root"></div><script>window.__APOLLO_STATE__=${toScriptJson(cache)};</script>`,
      toScript(RENDER_PRODUCT, wrap(buildProduct(page)), "data.title"),
    );
  },
  "React Query cache": (page) =>
    toPage(
      "",
      `<div id="app"></div><script>window.__REACT_QUERY_STATE__ = ${toScriptJson({ mutations: [], queries: [{ state: { data: buildArticle(page), dataUpdateCount: 1, dataUpdatedAt: 1_764_000_000_000 + page * 977, error: null, status: "success" }, queryKey: ["article", String(page)], queryHash: `["article","${page}"]` }] })};</script>`,
      toScript(RENDER_ARTICLE, "window.__REACT_QUERY_STATE__.queries[0].state.data", "data.title"),
    ),
  "Inertia page attribute": (page) =>
    toPage(
      "",
      `<div id="app" data-page="${toAttribute({ component: "Jobs/Show", props: { errors: {}, auth: { user: null }, ...buildJob(page) }, url: `/jobs/${page}`, version: "8a1f" })}"></div>`,
      toScript(
        RENDER_JOB,
        `JSON.parse(document.getElementById("app").dataset.page).props`,
        "data.job.title",
      ),
    ),
  "linked data with the article's body": (page) => {
    const { title, author, publishedAt, paragraphs } = buildArticle(page);
    const linked = {
      "@context": "https://schema.org",
      "@type": "NewsArticle",
      headline: title,
      author: { "@type": "Person", name: author.name },
      datePublished: publishedAt,
      articleBody: paragraphs.join("\n\n"),
    };
    return toPage(
      `<script type="application/ld+json">${toScriptJson(linked)}</script>`,
      `<div id="root"></div>`,
      toScript(
        `const view = (a) => h("article", null, h("h1", null, a.headline), h("p", null, "by " + a.author.name), a.articleBody.split("\\n\\n").map((p) => h("p", null, p)));`,
        `JSON.parse(document.querySelector("[type='application/ld+json']").textContent)`,
        "data.headline",
      ),
    );
  },
};

/** A product page whose data lies in a variable, shown by `render` with `RENDER_PRODUCT`'s tools. */
const toVariablePage = (page: number, render: string, product: object = buildProduct(page)): Page =>
  toPage(
    "",
    `<div id="app"></div><script>window.__INITIAL_STATE__=${toScriptJson({ product })};</script>`,
    toScript(render, "window.__INITIAL_STATE__.product", "data.title"),
  );

const UNREADABLE: Readonly<Record<string, (page: number) => Page>> = {
  "a number that decides about a text": (page) =>
    toVariablePage(
      page,
      `const view = (p) => h("main", null, h("h1", null, p.title), h("p", null, p.description), p.stock < 5 ? h("p", null, "Only a few left") : null);`,
      { ...buildProduct(page), stock: createWriter(page).below(40) },
    ),
  "titles cut by the script": (page) =>
    toVariablePage(
      page,
      `const view = (p) => h("main", null, h("h1", null, p.title), h("p", null, p.description.length > 250 ? p.description.slice(0, 250) + "…" : p.description));`,
    ),
  "a list in another order": (page) =>
    toVariablePage(
      page,
      `const view = (p) => h("main", null, h("h1", null, p.title), h("ul", null, [...p.features].sort().map((f) => h("li", null, f))));`,
    ),
  "a list without some entries": (page) =>
    toVariablePage(
      page,
      `const view = (p) => h("main", null, h("h1", null, p.title), h("ul", null, p.reviews.filter((r) => r.verified).map((r) => h("li", null, r.text))));`,
    ),
  "words for a value": (page) =>
    toVariablePage(
      page,
      `const view = (p) => h("main", null, h("h1", null, p.title), h("p", null, p.description), h("p", null, p.priceCents > 200000 ? "Premium range" : "Everyday range"));`,
    ),
  "the time of the visit": (page) =>
    toVariablePage(
      page,
      `const view = (p) => h("main", null, h("h1", null, p.title), h("p", null, "Seen at " + performance.now()));`,
    ),
  "data from a request": (page) =>
    toPage(
      "",
      `<div id="app"></div><script>window.__INITIAL_STATE__={"product":{"id":${page}}}</script>`,
      toScript(RENDER_PRODUCT, `await (await fetch("../product/${page}")).json()`, "data.title"),
    ),
  "a text for one day of the week": (page) =>
    toVariablePage(
      page,
      `const view = (p) => h("main", null, h("h1", null, p.title), h("p", null, p.description), new Date(p.updatedAt).getUTCDay() === 0 ? h("p", null, "Sunday offer") : null);`,
    ),
};

const toApplications = (
  pages: Readonly<Record<string, (page: number) => Page>>,
  isReadable: boolean,
): DataApplication[] =>
  Object.entries(pages).map(([name, buildPage]) => ({ name, isReadable, buildPage }));

export const DATA_APPLICATIONS: readonly DataApplication[] = [
  ...toApplications(READABLE, true),
  ...toApplications(UNREADABLE, false),
];

/** Serves the applications below `root`: `/<index>/item/<page>`, and what they load. */
export function serveDataApplications(
  request: IncomingMessage,
  response: ServerResponse,
  root = "",
): void {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const send = (type: string, body: string): void =>
    void response
      .writeHead(200, { "content-type": type, "cache-control": "max-age=600" })
      .end(body);
  const [, index, kind, name = ""] = pathname.slice(root.length).split("/");
  const page = Number.parseInt(name);
  if (kind === "preact.mjs") return send("text/javascript", PREACT);
  if (kind === "product") return send("application/json", JSON.stringify(buildProduct(page)));
  const application = DATA_APPLICATIONS[Number(index)];
  if (application === undefined || Number.isNaN(page)) return void response.writeHead(404).end();
  const { html, script } = application.buildPage(page);
  if (kind === "script") return send("text/javascript", script);
  send("text/html; charset=utf-8", html.replace("SCRIPT", `${root}/${index}/script/${page}.js`));
}
