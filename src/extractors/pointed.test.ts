import { describe, expect, it } from "vitest";
import { parseHtml } from "../html/parse/parse.ts";
import { writeNotation } from "./notation.ts";
import { ExtractorPage } from "./extractor-page.ts";
import { copyPointed } from "./pointed.ts";

const open = (body: string): ExtractorPage =>
  new ExtractorPage({
    document: parseHtml(`<!doctype html><html lang="en"><body>${body}</body></html>`),
    url: "https://shop.example/p/1",
  });
const refOf = (page: ExtractorPage, tag: string): string =>
  page.model.nodes.find(({ element }) => element.name === tag)?.ref ?? "";
const words = (text: string): number => text.split(/\s+/).length;

describe("writeNotation", () => {
  it("writes a reference for each piece of text and leaves out navigation", () => {
    const page = open(
      `<nav><a href="/">Home</a></nav><main><h1>Cap</h1><p>Now <b>£4</b> only</p><a href="/x">More</a><p hidden>gone</p></main>`,
    );
    const { text, left } = writeNotation(page, words, 1_000);
    expect(text.split("\n").map((line) => line.trim())).toEqual([
      `${refOf(page, "h1")} h1 Cap`,
      `${refOf(page, "p")} p Now £4 only`,
      `${refOf(page, "b")} b £4`,
      expect.stringMatching(/^n\d+ a More -> \/x$/),
    ]);
    expect(left).toBe(0);
  });

  it("shows the first records of a long list and the number of omitted ones", () => {
    const rows = Array.from(
      { length: 50 },
      (_, at) => `<li><b>Name ${at}</b> <i>Role ${at}</i></li>`,
    );
    const { text, left } = writeNotation(
      open(`<main><ul>${rows.join("")}</ul></main>`),
      words,
      10_000,
    );
    expect(text).toContain("Name 3");
    expect(text).not.toContain("Name 4");
    expect(left).toBeGreaterThan(80);
  });

  it("keeps the notation within its token budget", () => {
    const rows = Array.from({ length: 300 }, (_, at) => `<p>Line number ${at} of the page</p>`);
    const { text, left } = writeNotation(open(`<main>${rows.join("")}</main>`), words, 200);
    expect(words(text)).toBeLessThanOrEqual(200);
    expect(left).toBeGreaterThan(200);
  });
});

describe("copyPointed", () => {
  it("copies the words at references, in parts and in lists", () => {
    const page = open(`<main><h1>Cap</h1><p>Now £4 only</p><i>S</i><a href="/x">More</a></main>`);
    const [h1, p, i, a] = ["h1", "p", "i", "a"].map((tag) => refOf(page, tag));
    const wanted = { url: { type: "url" as const } };
    expect(
      copyPointed(
        { name: h1, price: { ref: p, text: "£4" }, sizes: [i], url: a, old: null },
        wanted,
        page,
      ),
    ).toEqual({
      data: { name: "Cap", price: "£4", sizes: ["S"], url: "https://shop.example/x", old: null },
      refs: { "/name": h1, "/price": p, "/sizes/0": i },
      dropped: [],
    });
  });

  it("drops words that the model wrote itself, and references that the page does not have", () => {
    const page = open(`<main><h1>Cap</h1></main>`);
    const answer = { name: "Cap", price: { ref: refOf(page, "h1"), text: "£5" }, sku: "n999" };
    const { data, dropped } = copyPointed(answer, {}, page);
    expect(data).toEqual({});
    expect(dropped).toEqual([
      '/name: "Cap" is no reference',
      `/price: "£5" does not stand at ${refOf(page, "h1")}`,
      "/sku: the page has no n999",
    ]);
  });
});
