import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { blockText, segmentPage } from "./blocks.ts";
import { buildKnownText } from "./block-text.ts";
import { keepInfoboxes } from "./keep-infoboxes.ts";
import type { Verdict } from "./verdict.ts";

const TEXT = "Aguamenti is a charm";

/** Returns the kept text of a page of which only the last sentence was kept. */
function readKeptText(html: string): string {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const isText = page.blocks.map((block) => blockText(page, block).includes(TEXT));
  const verdicts = isText.map((is): Verdict => (is ? "kept" : "dropped"));
  keepInfoboxes(page, verdicts);
  const kept = page.blocks.filter((_, index) => verdicts[index] === "kept");
  return kept.map((block) => blockText(page, block).trim()).join("|");
}

const text = `<p>${TEXT} that makes water.</p>`;
const buildRow = (name: string, value: string): string =>
  `<tr><th>${name}</th><td><a href="/${value}">${value}</a></td></tr>`;
const rows = buildRow("Type", "Charm") + buildRow("Light", "Blue");

describe("keepInfoboxes", () => {
  it("keeps a table of names and values above kept text", () => {
    const page = `<div><table class="infobox vcard">${rows}</table>${text}</div>`;
    expect(readKeptText(page)).toMatch(/Type.*Charm.*Light.*Blue.*Aguamenti/s);
  });

  it("keeps a fact box that is not a table", () => {
    const fact = (value: string): string =>
      `<div class="pi-item pi-data"><h3>Name</h3><div>${value}</div></div>`;
    const box = (inside: string): string =>
      `<div><aside class="portable-infobox">${inside}</aside>${text}</div>`;
    expect(readKeptText(box(fact("Charm") + fact("Blue")))).toMatch(/Charm.*Blue/s);
    expect(readKeptText(box(fact("Charm") + "<p>Read more</p>"))).not.toContain("Charm");
  });

  it("checks at most eight infoboxes", () => {
    const box = (at: number): string =>
      `<table class="infobox">${buildRow("Type", `Charm${at}`)}${buildRow("Light", "Blue")}</table>`;
    const boxes = Array.from({ length: 9 }, (_, at) => box(at)).join("");
    const kept = readKeptText(`<div>${boxes}${text}</div>`);
    expect(kept).toContain("Charm7");
    expect(kept).not.toContain("Charm8");
  });

  it("keeps no other table, none without kept text after it, none of another column and none that is prose", () => {
    const table = (className: string, inside = rows): string =>
      `<table class="${className}">${inside}</table>`;
    for (const page of [
      `<div>${table("navbox")}${text}</div>`,
      `<div>${table("info-box")}${text}</div>`,
      `<div>${text}${table("infobox")}</div>`,
      `<section><div>${table("infobox")}</div>${text}</section>`,
      `<div>${table("infobox", buildRow("Type", "Charm"))}${text}</div>`,
      `<div>${table("infobox", rows + buildRow("Story", "word ".repeat(700)))}${text}</div>`,
    ])
      expect(readKeptText(page)).toBe(`${TEXT} that makes water.`);
  });
});
