import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { chooseBlocks, PASSES } from "./choose-blocks.ts";
import { analyzePage } from "../features/page-view.ts";

/** The verdicts of steps 3 to 8, for a page of unknown kind. */
function choose(html: string, probabilities: readonly number[], title = "") {
  const root = parseHtml(`<title>${title}</title>${html}`);
  const view = analyzePage(root, { url: "https://example.com/" });
  expect(view.segmentation.blocks).toHaveLength(probabilities.length);
  const known = {
    url: "",
    title,
    kind: { kind: "article", probability: 0 },
    strictness: 1,
  } as const;
  const passes = PASSES.filter(({ step }) => step < 9);
  return chooseBlocks(view, Float64Array.from(probabilities), known, { passes }).verdicts;
}

describe("chooseBlocks", () => {
  it("keeps a repeated long text once", () => {
    const text = "<p>The same sentence stands here for a second time.</p>";
    expect(choose(text + text, [0.9, 0.9])).toEqual(["kept", "repeated"]);
  });

  it("gives all blocks of a data table one verdict", () => {
    const table = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>";
    const verdicts = choose(`${table}<p>${"words ".repeat(50)}</p>`, [0.9, 0.9, 0.1, 0.1, 0.95]);
    expect(new Set(verdicts.slice(0, 4)).size).toBe(1);
  });

  it("keeps code inside kept text and drops it elsewhere", () => {
    const long = (topic: string) => `<p>${topic} ${"words ".repeat(50)}</p>`;
    expect(choose(`${long("One")}<pre>code</pre>${long("Two")}`, [0.95, 0.3, 0.95])[1]).toBe(
      "kept",
    );
    expect(choose(`<pre>code</pre>${long("Two")}`, [0.3, 0.95])[0]).toBe("dropped");
  });

  it("keeps or drops a list of links as a whole, however long it is", () => {
    const item = (index: number): string => `<li><a href="#s${index}">Section ${index}</a></li>`;
    const contents = `<ul>${Array.from({ length: 100 }, (_, index) => item(index)).join("")}</ul>`;
    const text = `<p>${"words ".repeat(200)}</p>`;
    const asked = Array.from({ length: 100 }, (_, index) => (index % 10 === 0 ? 0.7 : 0.1));
    const list = choose(`${contents}${text}`, [...asked, 0.95]).slice(0, 100);
    expect(new Set(list)).toEqual(new Set(["dropped"]));
    const likely = asked.map((probability) => Math.min(probability + 0.5, 0.95));
    const kept = choose(`${contents}${text}`, [...likely, 0.95]).slice(0, 100);
    expect(new Set(kept)).toEqual(new Set(["kept"]));
  });

  it("keeps a likely heading above kept text", () => {
    const text = `<p>${"words ".repeat(50)}</p>`;
    expect(choose(`<h1>Title</h1>${text}`, [0.5, 0.95])[0]).toBe("kept-heading");
    expect(choose(`<h1>Title</h1>${text}`, [0.05, 0.95])[0]).toBe("dropped");
  });
});

describe("chooseBlocks for titles", () => {
  it("keeps a title above kept text when the byline between them is dropped", () => {
    const html = `<h1>High water</h1><p>By Ann</p><p>${"tide ".repeat(80)}</p>`;
    expect(choose(html, [0.5, 0.1, 0.95])).toEqual(["kept-heading", "dropped", "kept"]);
  });

  it("keeps a heading that matches the page title above a table of contents", () => {
    const contents = Array.from({ length: 12 }, (_, index) => `<dt>8.15.${index}. Use</dt>`);
    const html = `<h2>8.15. Arrays</h2><dl>${contents.join("")}</dl><p>${"column ".repeat(80)}</p>`;
    const asked = [0.5, ...contents.map(() => 0.05), 0.95];
    const titleOf = (title: string) => choose(html, asked, title)[0];
    expect(titleOf("8.15. Arrays")).toBe("kept-heading");
    expect(titleOf("Something else")).toBe("dropped");
  });

  it("keeps the terms of a kept definition, and no term without one", () => {
    const definition = `<dd>${"words ".repeat(30)}</dd>`;
    const list = `<dl><dt>-1</dt><dt>-2</dt>${definition}<dt>-3</dt><dd>dropped</dd></dl>`;
    const text = `<p>${"more words ".repeat(80)}</p>`;
    expect(choose(text + list, [0.95, 0.1, 0.1, 0.95, 0.1, 0.1])).toEqual([
      "kept",
      "kept",
      "kept",
      "kept",
      "dropped",
      "dropped",
    ]);
  });

  it("keeps a heading above a lower heading with text, but not above one of its own level", () => {
    const text = `<p>${"words ".repeat(120)}</p>`;
    const asked = [0.95, 0.4, 0.4, 0.95];
    const headings = (first: string, second: string): string =>
      `${text}<${first}>First</${first}><${second}>Second</${second}>${text.replace("words", "more")}`;
    expect(choose(headings("h2", "h3"), asked).slice(1, 3)).toEqual([
      "kept-heading",
      "kept-heading",
    ]);
    expect(choose(headings("h3", "h3"), asked).slice(1, 3)).toEqual(["dropped", "kept-heading"]);
  });

  it("drops a likely heading with no text below, but keeps sentences set as a heading", () => {
    const text = `<p>${"words ".repeat(120)}</p>`;
    const lead = "A storm that nobody had seen coming has closed the harbour. Boats stay out.";
    const page = (heading: string): string => `<h2>${heading}</h2><p>Share</p><p>Save</p>${text}`;
    const asked = [0.8, 0.1, 0.1, 0.98];
    expect(choose(page("Latest from the harbour"), asked)[0]).toBe("lone-heading");
    expect(choose(page(lead), asked)[0]).toBe("kept");
  });
});
