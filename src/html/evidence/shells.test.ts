// Pages whose text is created by scripts, from site builders and documentation tools: each needs
// the browser. Similar complete pages do not need it.
import { describe, expect, it } from "vitest";
import { readEvidence } from "./evidence.ts";
import { parseHtml } from "../parse/parse.ts";
import { judge } from "./verdict.ts";

const judgeRemedy = (html: string): string | undefined =>
  judge(200, readEvidence(parseHtml(html)), html.length).remedy;

const buildPage = (body: string, head = ""): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title>${head}</head><body>${body}</body></html>`;
const MODULE = `<script type="module" src="/assets/index-4f2a.js"></script>`;
const WORDS = "The quarry lies behind the hill, and its stone is grey and hard to cut. ".repeat(30);
const STATE = JSON.stringify({ title: "Long text", text: WORDS });
const MENU = `<header><a href="/">Home</a> <a href="/prices">Prices</a> <a href="/about">About us</a> <a href="/help">Help</a></header>`;
const FOOT = `<footer>© 2026 Quarry Ltd. All rights reserved. <a href="/terms">Terms</a> <a href="/privacy">Privacy</a> <a href="/imprint">Imprint</a></footer>`;

const SHELLS: Readonly<Record<string, string>> = {
  "Create React App": buildPage(
    `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/static/js/main.js"></script>`,
  ),
  Vite: buildPage(`<div id="app"></div>`, MODULE),
  "Vue CLI": buildPage(
    `<noscript><strong>We're sorry but shop doesn't work properly without JavaScript enabled. Please enable it to continue.</strong></noscript><div id="app"></div><script src="/js/app.js"></script>`,
  ),
  Angular: buildPage(`<app-root></app-root><script src="main.js" type="module"></script>`),
  "Angular with a spinner": buildPage(
    `<app-root><div class="spinner">Loading…</div></app-root><script src="main.js"></script>`,
  ),
  "Next without rendering on the server": buildPage(
    `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":${STATE}}}</script><script src="/_next/static/chunks/main.js"></script>`,
  ),
  "Nuxt as a single page": buildPage(
    `<div id="__nuxt"></div><script>window.__NUXT__={config:{}}</script>${MODULE}`,
  ),
  "SvelteKit as a single page": buildPage(
    `<div style="display: contents"></div><script>__sveltekit = {}; import("/_app/immutable/entry/start.js")</script>`,
  ),
  Ember: buildPage(
    `<script src="/assets/vendor.js"></script><script src="/assets/app.js"></script>`,
  ),
  Gatsby: buildPage(`<div id="___gatsby"></div><script src="/app.js"></script>`),
  Flutter: buildPage(`<script src="flutter_bootstrap.js" async></script>`),
  "a skeleton of grey bars": buildPage(
    `<div id="root"><div class="bar"></div><div class="bar"></div><div class="bar"></div></div><script src="/app.js"></script>`,
  ),
  "an application between a header and a footer": buildPage(
    `${MENU}<main id="app"></main>${FOOT}<script src="/app.js"></script>`,
  ),
  docsify: buildPage(
    `<div id="app">Please wait…</div><script src="//cdn.example/docsify.min.js"></script>`,
  ),
  "Swagger UI": buildPage(
    `<div id="swagger-ui"></div><script src="./swagger-ui-bundle.js"></script><script>window.onload = () => SwaggerUIBundle({ url: "/openapi.json" })</script>`,
  ),
  Redoc: buildPage(
    `<redoc spec-url="/openapi.yaml"></redoc><script src="redoc.standalone.js"></script>`,
  ),
  "text in a variable of a script": buildPage(
    `<div class="content"></div><script>const data = ${STATE}; document.querySelector(".content").innerText = data.text</script>`,
  ),
  "a page that asks for scripts": buildPage(
    `<p>This site requires JavaScript. Please enable JavaScript in your browser and reload the page.</p><script src="/a.js"></script>`,
  ),
  "a web component for the whole page": buildPage(
    `<my-application base="/"></my-application><script type="module" src="/components.js"></script>`,
  ),
};

const WHOLE: Readonly<Record<string, string>> = {
  "Next rendered on the server": buildPage(
    `<div id="__next"><main><h1>Stone</h1><p>${WORDS}</p></main></div><script src="/_next/static/chunks/main.js"></script>`,
  ),
  "an article with a place for comments": buildPage(
    `<article><h1>Stone</h1><p>${WORDS}</p></article><div id="comments"></div><div id="app"></div><script src="/comments.js"></script>`,
  ),
  "a short page without scripts": buildPage(`<h1>It works!</h1>`),
  "a redirect by a link": buildPage(`<p>The page has moved <a href="/there">there</a>.</p>`),
  "a text that speaks of scripts": buildPage(
    `<h1>Scripts</h1><p>How to enable JavaScript in your browser. ${WORDS}</p><script src="/a.js"></script>`,
  ),
};

describe("verdict on application shells", () => {
  it.each(Object.entries(SHELLS))(
    "sends an application shell to the browser: %s",
    (_name, html) => {
      expect(judgeRemedy(html)).toBe("browser");
    },
  );
  it.each(Object.entries(WHOLE))("accepts a complete page as content: %s", (_name, html) => {
    expect(judgeRemedy(html)).toBeUndefined();
  });
});
