import { describe, expect, it } from "vitest";
import { parseHtml } from "../../html/parse/parse.ts";
import { readPageState } from "./read-page-state.ts";

const read = (html: string) =>
  readPageState(parseHtml(html), new URL("https://example.com/a/b%20c?tab=1"));

describe("data in the HTML of a page", () => {
  it.each([
    [
      `<script id="__NEXT_DATA__" type="application/json">{"props":{"a":1}}</script>`,
      { "#__NEXT_DATA__": { props: { a: 1 } } },
    ],
    [
      `<script>window.__NUXT__=(function(a){return {data:[a]}}("x"))</script>`,
      { __NUXT__: { data: ["x"] } },
    ],
    [
      `<script type="application/json" id="__NUXT_DATA__">[["Reactive",1],{"data":2},["Date","2026-01-01"]]</script>`,
      { "#__NUXT_DATA__": { data: "2026-01-01" } },
    ],
    [
      `<script>window.__remixContext = {"state":{"loaderData":{}}};</script>`,
      { __remixContext: { state: { loaderData: {} } } },
    ],
    [
      `<script>window.__reactRouterContext.streamController.enqueue("[{\\"_1\\":2},\\"title\\",\\"x\\"]\\n");</script>`,
      { "router data": { title: "x" } },
    ],
    [
      `<script>{ kit.start(app, element, { node_ids: [0], data: [null,{type:"data",data:{a:1}}] }); }</script>`,
      { data: { value: [null, { type: "data", data: { a: 1 } }] } },
    ],
    [
      `<astro-island props="{&quot;a&quot;:[0,&quot;x&quot;],&quot;b&quot;:[1,[[0,1]]]}"></astro-island>`,
      { island: { a: "x", b: [1] } },
    ],
    [
      `<div id="app" data-page="{&quot;props&quot;:{&quot;a&quot;:1}}"></div>`,
      { "data-page": { props: { a: 1 } } },
    ],
    [
      `<script>self.__next_f.push([1,"0:{\\"a\\":1}\\n1a:T5,hello2:[2]\\n"])</script>`,
      { "flight rows": [{ a: 1 }, "hello", [2]] },
    ],
    [
      `<script type="application/ld+json">{"@type":"Article","articleBody":"x"}</script>`,
      { "ld Article": { "@type": "Article", articleBody: "x" } },
    ],
  ])("reads %s", (html, sources) => {
    expect(read(html)).toMatchObject(sources);
  });

  it("follows the references of Apollo's cache, without arguments and ids in its keys", () => {
    const cache = {
      ROOT_QUERY: { 'film({"id":"7"})': { __ref: "Film:7" } },
      "Film:7": { title: "Tide", cast: [{ __ref: "Person:1" }] },
      "Person:1": { name: "Ana" },
    };
    expect(read(`<script>window.__APOLLO_STATE__=${JSON.stringify(cache)}</script>`)).toMatchObject(
      {
        __APOLLO_STATE__: { query: { film: { title: "Tide", cast: [{ name: "Ana" }] } } },
      },
    );
  });

  it("lists objects whose keys are ids", () => {
    expect(read(`<script>window.state={byId:{"12":{"a":1},"15":{"a":2}}}</script>`)).toMatchObject({
      state: { byId: [{ a: 1 }, { a: 2 }] },
    });
  });

  it("adds the parts of the URL, and gives nothing for a page without data", () => {
    expect(read(`<script>var a={b:1}</script>`)?.["url"]).toMatchObject({
      segments: ["a", "b c"],
      query: { tab: "1" },
    });
    expect(read("<p>text</p><script>f({a:1})</script>")).toBeUndefined();
  });
});
