import { describe, expect, it } from "vitest";
import { parseHtml } from "../html/parse/parse.ts";
import { readPageLines, type PageLines } from "./page-lines.ts";
import { PageModel } from "./page-model.ts";

const read = (html: string, maxCharacters?: number): PageLines =>
  readPageLines(new PageModel(parseHtml(html)), {
    resolve: (written) => URL.parse(written, "https://site.example/a/")?.href,
    ...(maxCharacters === undefined ? {} : { maxCharacters }),
  });

/** Lines without references. */
const shown = (html: string): string[] =>
  read(html).lines.map(({ text }) => text.replaceAll(/(?:^|(?<=\| ))\s*n\d+ /g, ""));

describe("lines of a page", () => {
  it("lines have the words of each element with its URL", () => {
    expect(shown('<h2>Cast</h2><p>With <a href="/n/1">Ada Marlow</a> as Ilse.</p>')).toEqual([
      "h2 Cast",
      "p With Ada Marlow as Ilse.",
      "a Ada Marlow -> /n/1",
    ]);
  });

  it("a table row is one line and names the line with its columns", () => {
    const { lines } = read(
      '<table><tr><th>Name</th><th>Mail</th></tr><tr><td>Ada</td><td><a href="mailto:ada@site.example">write</a></td></tr></table>',
    );
    expect(lines.map(({ text }) => text.trim().replaceAll(/n\d+ /g, ""))).toEqual([
      "tr | Name | Mail",
      "tr | Ada | write -> mailto:ada@site.example",
    ]);
    expect(lines[1]?.headLine).toBe(lines[0]?.text);
    expect(lines[1]?.places[1]).toMatchObject({
      words: "write",
      address: "mailto:ada@site.example",
    });
  });

  it("each part of a cell with pictures or several links is its own element", () => {
    const html =
      '<table><tr><th>A</th><th>B</th></tr><tr><td><a href="/1">One</a>, <a href="/2">Two</a></td><td>x</td></tr></table>';
    expect(shown(html)).toEqual([
      "tr | A | B",
      "td One, Two",
      "a One -> /1",
      "a Two -> /2",
      "td x",
    ]);
  });

  it("keeps the URL of a link around blocks", () => {
    const { lines } = read('<a href="/p/1"><h3>Lamp</h3><p>12 €</p></a>');
    expect(lines.map(({ text }) => text.trim().replace(/^n\d+ /, ""))).toEqual([
      "a -> /p/1",
      "h3 Lamp",
      "p 12 €",
    ]);
    expect(lines[0]?.places[0]).toMatchObject({ address: "https://site.example/p/1" });
  });

  it("lists the options of a control with their states and leaves out hidden fields", () => {
    const html =
      "<label for=s>Size</label><select id=s><option>S<option selected>M<option disabled>L</select><input type=hidden value=token><input type=radio name=c value=red checked>";
    expect(shown(html)).toEqual([
      "label Size",
      "select s S | M (selected) | L (disabled)",
      "input c red (selected)",
    ]);
  });

  it("marks crossed-out, hidden and spoken text, and the machine-readable time of an element", () => {
    const html =
      '<p><s>£9</s></p><p class=hidden>£90 a year</p><p hidden>Obey</p><p style="display:none">Obey</p><span class=sr-only>4.5 stars</span><p><time datetime="2026-11-02T08:00Z">today</time></p>';
    expect(shown(html)).toEqual([
      "s (crossed out) £9",
      "p (hidden) £90 a year",
      "span (spoken) 4.5 stars",
      "time (2026-11-02T08:00Z) today",
    ]);
  });

  it("shows the panel of a closed accordion, but no closed menu", () => {
    const html =
      "<h3><button aria-expanded=false>Battery</button></h3><div hidden><p>4,900 mAh</p></div><button aria-expanded=false aria-haspopup=menu>More</button><ul hidden><li>Sign in</ul>";
    expect(shown(html)).toEqual(["button Battery", "p 4,900 mAh", "button More"]);
  });

  it("does not repeat the text of blocks in an element with words of its own", () => {
    expect(shown("<div>Loose words <p>First block</p> and more</div>")).toEqual([
      "div Loose words and more",
      "p First block",
    ]);
  });

  it("continues an element with more words than a line in further lines", () => {
    const { lines } = read(`<p>${"word ".repeat(700)}end</p>`);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.at(-1)?.text).toMatch(/\(continued\).*end$/);
    expect(lines[0]?.places[0]?.words).toMatch(/end$/);
  });

  it("reports how many text pieces the size limit left out", () => {
    const { lines, left } = read("<p>one</p><p>two</p><p>three</p>", 20);
    expect(lines).toHaveLength(2);
    expect(left).toBe(1);
  });
});
