import fc from "fast-check";
import { expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { isSafeAddress } from "./safe-attributes.ts";
import { toHtml } from "../parse/serialize.ts";

const noise = fc.string({
  unit: fc.constantFrom("\t", "\n", "\r", "\0", "\u0001", "\u001f", " ", "\u00a0"),
  maxLength: 3,
});
const scheme = fc.constantFrom(
  "javascript",
  "JaVaScRiPt",
  "vbscript",
  "data",
  "http",
  "mailto",
  "x",
);
const hidden = fc
  .tuple(
    noise,
    scheme,
    fc.array(fc.tuple(fc.nat(10), noise), { maxLength: 3 }),
    fc.constantFrom("alert(1)", "text/html,<b>", "image/svg+xml,<svg>", "//a.example/"),
  )
  .map(([front, name, gaps, rest]) => {
    let text = `${name}:`;
    for (const [place, gap] of gaps) text = text.slice(0, place) + gap + text.slice(place);
    return front + text + rest;
  });

it("never calls an address safe that URL.parse reads as a script or HTML data URL", () => {
  fc.assert(
    fc.property(fc.oneof(hidden, fc.string()), (address) => {
      const url = URL.parse(address, "https://a.example/");
      const runs =
        url !== null &&
        (/^(?:javascript|vbscript):$/.test(url.protocol) ||
          /^data:\s*(?:text\/html|image\/svg)/i.test(url.href));
      if (runs) expect(isSafeAddress(address), JSON.stringify(address)).toBe(false);
    }),
    { numRuns: 5_000 },
  );
});

it("calls ordinary addresses safe", () => {
  for (const address of [
    "",
    "#a",
    "/x?y=a:b",
    "a/b.html",
    "https://a.example/",
    "mailto:a@b.example",
    "tel:+1",
    "data:image/png;base64,AAAA",
    "ftp://a.example/",
    "//a.example/x",
  ])
    expect(isSafeAddress(address), address).toBe(true);
  expect(isSafeAddress("data:image/svg+xml,<svg>", true)).toBe(true);
});

it.each([
  '<a href="&#1;javascript:alert(1)">x</a>',
  '<a href="java&#9;script:alert(1)">x</a>',
  '<a href="&Tab;jav&NewLine;ascript&colon;alert(1)">x</a>',
  '<a href=" data:text/html;base64,PGI+">x</a>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><a><animate attributeName="href" values="&#1;javascript:alert(1)"/></a></svg>',
  '<svg><a><set attributeName="xlink:href" to="javascript:alert(1)"/></a></svg>',
  '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>',
  '<iframe srcdoc="<script>javascript:alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<meta http-equiv="refresh" content="0; url= java&#10;script:alert(1)">',
  '<p onclick="javascript:alert(1)" OnMouseOver="javascript:alert(1)">x</p>',
  '<svg><style><img src=x onerror="javascript:alert(1)"></style></svg>',
  "<script>javascript:alert(1)</script>",
  '<a href="vbscript:alert(1)">x</a>',
  '<img srcset="java&#9;script:alert(1) 2x">',
])("drops the code in %s from safe HTML", (markup) => {
  const html = toHtml(parseHtml(markup), { safe: true }).replaceAll(/[\s\p{Cc}]/gu, "");
  expect(html).not.toMatch(/alert|script:|text\/html|PGI/);
});
