import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { NO_HINTS } from "../../evidence/page-hints.ts";
import { EVIDENCE_NAMES, visitTokens, weighTokens } from "./evidence.ts";
import { analyzePage } from "./page-view.ts";
import { TABLE_NAMES, unpackTables, type TableName } from "./word-table.ts";
import shipped from "./words.json" with { type: "json" };

const WIDTH = EVIDENCE_NAMES.length;
const tables = unpackTables(shipped);

const WORDS = ["the", "Read", "more", "2024", "cookies", "©", "by", "Related", "price:", "我们"];
const word = fc.constantFrom(...WORDS);
const text = fc.array(word, { maxLength: 90 }).map((words) => words.join(" "));
const name = fc.constantFrom("post-body", "relatedPosts", "footer", "comment_1", "nav nav", "x");
const attribute = fc
  .tuple(fc.constantFrom("class", "id", "role", "href", "aria-label", "data-type", "rel"), name)
  .map(([key, value]) => ` ${key}="${value}"`);
const { node } = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc
      .tuple(
        fc.constantFrom("div", "p", "li", "ul", "h2", "aside", "a", "span", "b", "table", "td"),
        fc.array(attribute, { maxLength: 3 }),
        fc.array(tie("node"), { maxLength: 4 }),
      )
      .map(
        ([tag, attributes, inner]) => `<${tag}${attributes.join("")}>${inner.join("")}</${tag}>`,
      ),
  ),
}));

/** Mean, minimum and maximum of log odds, computed naively. */
function summarizeNaively(odds: readonly number[]): number[] {
  if (odds.length === 0) return [0, 0, 0];
  const steps = odds.reduce((sum, one) => sum + Math.round(one * 10), 0);
  return [steps / 10 / odds.length, Math.min(...odds), Math.max(...odds)];
}

describe("weighTokens", () => {
  it("computes the same evidence for every block as looking up its signs one by one", () => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 6 }), (nodes) => {
        const root = parseHtml(nodes.join(""));
        const { signs } = analyzePage(root, { url: "https://example.com/", hints: NO_HINTS });
        const count = signs.names.container.length;
        const rows = new Float32Array(count * WIDTH);
        weighTokens(signs, tables, rows, WIDTH, 0);
        const asked = (table: TableName, block: number): number[] => {
          const odds: number[] = [];
          visitTokens(signs, table, block, (hash) => odds.push(tables[table].at(hash)));
          return odds.filter((one) => !Number.isNaN(one));
        };
        for (let block = 0; block < count; block++) {
          const wanted = TABLE_NAMES.flatMap((table) => summarizeNaively(asked(table, block)));
          const row = rows.subarray(block * WIDTH, (block + 1) * WIDTH);
          expect([...row]).toEqual([...Float32Array.from(wanted)]);
        }
      }),
      { numRuns: 60 },
    );
  });
});
