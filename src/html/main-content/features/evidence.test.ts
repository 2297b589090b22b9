import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { NO_HINTS } from "../../evidence/page-hints.ts";
import { EVIDENCE_NAMES, visitTokens, weighTokens, type PageTokens } from "./evidence.ts";
import { analyzePage } from "./page-view.ts";
import { TABLE_NAMES, WordTable, type TableName, type WordTables } from "./word-table.ts";

const WIDTH = EVIDENCE_NAMES.length;

function collectTokens(html: string): PageTokens {
  return analyzePage(parseHtml(html), { url: "https://example.com/", hints: NO_HINTS }).signs;
}

/** Returns the lookups of a table for a block. */
function listLookups(signs: PageTokens, table: TableName, block: number): number[] {
  const hashes: number[] = [];
  visitTokens(signs, table, block, (hash) => hashes.push(hash));
  return hashes;
}

/** Builds tables that know only the signs of the given blocks. */
function buildTables(signs: PageTokens, known: readonly (readonly [number, number])[]): WordTables {
  const tables = TABLE_NAMES.map((table) => {
    const entries = known.flatMap(([block, odds]) =>
      listLookups(signs, table, block).map((hash): [number, number] => [hash, odds]),
    );
    return [table, new WordTable(entries)] as const;
  });
  return Object.fromEntries(tables) as Record<TableName, WordTable>;
}

function weighRows(signs: PageTokens, tables: WordTables): Float32Array {
  const rows = new Float32Array(signs.names.container.length * WIDTH);
  weighTokens(signs, tables, rows, WIDTH, 0);
  return rows;
}

const PAGE = `<main class="post-body"><h2>How it began</h2><p>In <b class=lead>1912</b> the water rose.</p></main>
  <aside id="relatedPosts" aria-label="More stories"><h3>Read more</h3><ul><li><a class=teaser href=/a>Ten ways to cook</a></li></ul></aside>`;

describe("weighTokens and visitTokens", () => {
  it("scores every block by the learned odds of its own features", () => {
    const signs = collectTokens(PAGE);
    const tables = buildTables(signs, [
      [1, 2],
      [3, -3],
    ]);
    const rows = weighRows(signs, tables);
    for (let block = 0; block < signs.names.container.length; block++)
      TABLE_NAMES.forEach((table, at) => {
        const known = listLookups(signs, table, block)
          .map((hash) => tables[table].at(hash))
          .filter((odds) => !Number.isNaN(odds));
        const start = block * WIDTH + 3 * at;
        const wanted =
          known.length === 0
            ? [0, 0, 0]
            : [
                known.reduce((sum, odds) => sum + odds, 0) / known.length,
                Math.min(...known),
                Math.max(...known),
              ];
        expect(rows.slice(start, start + 3), `${table} of ${block}`).toEqual(
          Float32Array.from(wanted),
        );
      });
  });

  it("ignores case, digits and attribute order in names and words", () => {
    const one = collectTokens('<div class="relatedPosts x" id=a1><p>In 1912, READ more</p></div>');
    const two = collectTokens('<div id=a2 class="x related posts"><p>in 2024 Read More</p></div>');
    expect(listLookups(two, "text", 0)).toEqual(listLookups(one, "text", 0));
    expect(new Set(listLookups(two, "near", 0))).toEqual(new Set(listLookups(one, "near", 0)));
  });

  it("separates names of inline elements from block names, and ignores attributes without meaning", () => {
    const inline = collectTokens("<p><span class=date>a</span></p>");
    const block = collectTokens("<p class=date>a</p>");
    const plain = collectTokens("<p>a</p>");
    const noisy = collectTokens('<p lang=en dir=ltr style="color: red" data-count=12>a</p>');
    const date = listLookups(block, "near", 0).find(
      (hash) => !listLookups(plain, "near", 0).includes(hash),
    );
    expect(date).toBeDefined();
    expect(listLookups(inline, "near", 0)).not.toContain(date);
    expect(listLookups(noisy, "near", 0)).toEqual(listLookups(plain, "near", 0));
  });

  it("uses the heading above a block and the short texts that open its parts as signs", () => {
    const signs = collectTokens(PAGE);
    const readMore = 2;
    const teaser = 3;
    expect(listLookups(signs, "heading", teaser)).toEqual(listLookups(signs, "text", readMore));
    expect(listLookups(signs, "heading", readMore)).toEqual([]);
    expect(listLookups(signs, "label", teaser)).toEqual(listLookups(signs, "text", readMore));
  });

  it("returns no rows for pages without words", () => {
    expect(weighRows(collectTokens(""), buildTables(collectTokens(""), []))).toHaveLength(0);
  });
});
