import { describe, expect, it } from "vitest";
import { selectLargestCandidate, parseSrcset } from "./image-source.ts";
import { listImages } from "./images.ts";
import { parseHtml } from "../parse/parse.ts";

describe("listImages", () => {
  it("lists every image of a page once, absolute, in document order", () => {
    const document = parseHtml(
      '<head><meta property="og:image" content="/og.png"><meta name="twitter:image:src" content="/tw.png"><link rel="apple-touch-icon" href="/touch.png"><link rel="shortcut icon" href="/fav.ico"><meta name="description" content="/no.png"></head>' +
        '<img src="a.png" data-src="b.png" srcset="c.png 1x, d.png 2x"><picture><source srcset="e.webp 100w"><img src="a.png"></picture>' +
        `<video poster="/p.jpg"></video><div style="background: #fff url('/bg.jpg') no-repeat"></div><img src="javascript:x"><img src="data:image/gif;base64,AA">`,
    );
    expect(listImages(document, "https://e.org/x/")).toEqual([
      "https://e.org/og.png",
      "https://e.org/tw.png",
      "https://e.org/touch.png",
      "https://e.org/fav.ico",
      "https://e.org/x/a.png",
      "https://e.org/x/b.png",
      "https://e.org/x/c.png",
      "https://e.org/x/d.png",
      "https://e.org/x/e.webp",
      "https://e.org/p.jpg",
      "https://e.org/bg.jpg",
      "data:image/gif;base64,AA",
    ]);
  });
});

describe("parseSrcset", () => {
  it("parses widths, densities, commas inside addresses and data URLs", () => {
    expect(parseSrcset(" a,b.png 100w, data:image/png;base64,AA== 2x,c.png")).toEqual([
      { url: "a,b.png", width: 100, density: 0 },
      { url: "data:image/png;base64,AA==", width: 0, density: 2 },
      { url: "c.png", width: 0, density: 0 },
    ]);
  });

  it("compares the plain source as 1x only if all candidates are densities", () => {
    expect(selectLargestCandidate(parseSrcset("small.png 0.5x"), "plain.png")).toBe("plain.png");
    expect(selectLargestCandidate(parseSrcset("big.png 2x"), "plain.png")).toBe("big.png");
    expect(selectLargestCandidate(parseSrcset("w.png 10w"), "plain.png")).toBe("w.png");
  });
});
