import { describe, expect, it } from "vitest";
import { deriveInput } from "../../test/derive-input.ts";
import { cost, expectNoSquare } from "../../test/growth.ts";
import { findMetaRefreshTarget } from "../engines/http-refresh.ts";
import { parseHost } from "../url/host.ts";
import { derive } from "./derive.ts";
import type { DeriveInput } from "./derivation.ts";
import { findFirstNumber } from "./json/values/coerce.ts";
import { findInjection } from "./model/page-as-data.ts";

const WORDS =
  "<p>Some words of a paragraph that is long enough to be read as the content of a page.</p>";

function convert(html: string, formats: DeriveInput["formats"]): void {
  derive(deriveInput(html, { formats, discover: true }));
}

const FORMATS: DeriveInput["formats"] = [
  { type: "markdown" },
  { type: "images" },
  { type: "links" },
];
const JSON_FORMAT = {
  type: "json",
  schema: {
    type: "object",
    properties: { email: { type: "string", format: "email" }, price: { type: "number" } },
  },
} as const;

/** Texts that would make a pattern with two adjacent repetitions retry from each position. */
const PAGES: readonly [name: string, page: (size: number) => string][] = [
  [
    "spaces within linked data",
    (size) => `<script type="application/ld+json">{"a":${" ".repeat(size)}1</script>${WORDS}`,
  ],
  [
    "spaces before a type of linked data",
    (size) =>
      `<script type="application/ld+json">{"@type":${" ".repeat(size / 6)}</script>${WORDS}`,
  ],
  [
    "spaces in a refresh",
    (size) => `<meta http-equiv="refresh" content="${" ".repeat(size)}x">${WORDS}`,
  ],
  ["spaces in a style", (size) => `<p style="font-size:${" ".repeat(size)}x">words</p>${WORDS}`],
  [
    "spaces in a picture of a style",
    (size) => `<p style='background:url(${" ".repeat(size)}x"'>words</p>${WORDS}`,
  ],
  ["pictures in a style", (size) => `<p style="${"url( ".repeat(size / 5)}">words</p>${WORDS}`],
  ["dashes in a title", (size) => `<title>a${"-".repeat(size)}:b - c</title><h1>c</h1>${WORDS}`],
  ["colors in a style", (size) => `<p style="${";color:rgba(".repeat(size / 12)}">a</p>${WORDS}`],
  [
    "forms and scripts of a page with few words",
    (size) =>
      `<form action="a action="><script src="/cdn-cgi/challenge-platform/h/"></script>`.repeat(
        size / 80,
      ),
  ],
  [
    "an attribute of a page with few words",
    (size) => `<script src="${'/cdn-cgi/" src='.repeat(size / 15)}"></script>${WORDS}`,
  ],
  [
    "an inline script of a page with few words",
    (size) => `<script>${"var arg1='0A window._cf_chl_opt ".repeat(size / 32)}</script>${WORDS}`,
  ],
  ["spaces in an address", (size) => `${WORDS}<a href="a${" ".repeat(size)}b ">link</a>`],
  [
    "rows of tabs",
    (size) =>
      `${WORDS}<div>${`<ul role="tablist"><li role="tab">a<li role="tab">b</ul>`.repeat(size / 60)}</div>`,
  ],
  [
    "nested tab panels",
    (size) =>
      `${WORDS}<ul role="tablist"><li role="tab">a<li role="tab">b</ul>${'<p role="tabpanel">c'.repeat(size / 20)}${'<div role="tabpanel">'.repeat(size / 22)}`,
  ],
  [
    "nested listings",
    (size) => `${WORDS}${'<div class="fragment"><div class="ttc">'.repeat(size / 38)}`,
  ],
  [
    "tags in a product description",
    (size) =>
      `<script type="application/ld+json">{"@type":"Product","name":"${"<".repeat(size)}"}</script>${WORDS}`,
  ],
];

describe("conversion cost", () => {
  it.each(PAGES)("converts a page of %s in linear time", (_, page) => {
    expectNoSquare((size) => {
      convert(page(size), FORMATS);
    });
  });

  it("fills schema values in linear time", () => {
    const formats = [JSON_FORMAT] as unknown as DeriveInput["formats"];
    expectNoSquare((size) => {
      const [dashes, commas] = ["-".repeat(size), `1${",".repeat(size)}x`];
      convert(
        `<dl><dt>email</dt><dd>${dashes}</dd></dl><meta property="email" content="${dashes}">${WORDS}`,
        formats,
      );
      findFirstNumber(commas);
    });
  });

  it("parses a host in linear time", () => {
    expectNoSquare((size) => {
      for (let time = 0; time < 10; time++) parseHost(`a${".".repeat(size)}b`);
    });
  });

  it("detects prompt injections in linear time", () => {
    expectNoSquare((size) => {
      findInjection("\n".repeat(size));
      findInjection(`system${" ".repeat(size)}`);
    });
  });

  it("finds a meta refresh target in linear time", () => {
    const url = new URL("http://site.example/");
    const look = (size: number): void => {
      for (let time = 0; time < 10; time++)
        findMetaRefreshTarget(Buffer.from(`http-equiv=${" ".repeat(size)}x`), url);
    };
    look(1_000);
    const [small, large] = [cost(() => look(4_000)), cost(() => look(32_000))];
    expect(large / Math.max(small, 2)).toBeLessThan(24);
  });
});
