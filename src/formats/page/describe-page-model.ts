// The page model for people: the lines that a language model is shown, labels with values, tables and repeated records. Bounded.
import type { PageModelView } from "../../contract/page/explanation.ts";
import type { Findings } from "../json/declared/findings.ts";
import { toModelPage } from "../model/model-page.ts";

const MAX_CHARACTERS = 100_000;
const MAX_PAIRS = 200;
const MAX_SETS = 60;
const MAX_TEXT = 200;

export function describePageModel(findings: Findings, base: string): PageModelView | undefined {
  const { model } = findings;
  if (model === undefined) return undefined;
  const { lines, left } = toModelPage(findings, { base });
  const shown: string[] = [];
  let characters = 0;
  for (const { text } of lines) {
    characters += text.length + 1;
    if (characters > MAX_CHARACTERS) break;
    shown.push(text);
  }
  const { pairs, grids, recordSets, nodes, isCut } = model;
  return {
    nodes: nodes.length,
    isCut,
    lines: shown,
    linesLeft: lines.length - shown.length + left,
    pairs: pairs.slice(0, MAX_PAIRS).map(({ node, kind, label, value }) => ({
      ref: node.ref,
      kind,
      label: label.slice(0, MAX_TEXT),
      value: value.slice(0, MAX_TEXT),
    })),
    pairsLeft: Math.max(0, pairs.length - MAX_PAIRS),
    tables: grids.slice(0, MAX_SETS).map(({ node, caption, headers, rows, hasRowHeaders }) => ({
      ref: node.ref,
      caption: caption.slice(0, MAX_TEXT),
      columns: headers.map((header) => header.slice(0, MAX_TEXT)),
      rows: rows.length,
      hasRowHeaders,
    })),
    records: recordSets.slice(0, MAX_SETS).map(({ parent, records, title, isAside }) => ({
      ref: parent.ref,
      title: title.slice(0, MAX_TEXT),
      records: records.length,
      first: records[0]?.nodes.map(({ ref }) => ref).slice(0, 8) ?? [],
      isAside,
    })),
    setsLeft: Math.max(0, grids.length - MAX_SETS) + Math.max(0, recordSets.length - MAX_SETS),
  };
}
