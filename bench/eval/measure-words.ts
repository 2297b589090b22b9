// Word F1 as WCXB counts it: a quick check during training. The published numbers come from the
// scorers.
import { cutPage } from "../../src/html/main-content/passes/choose-cut.ts";
import { toScoredWords } from "./readable-text.ts";
import type { PreparedPage } from "./prepare-pages.ts";

type WordScore = { readonly precision: number; readonly recall: number; readonly f1: number };

function scoreWords(kept: readonly string[], truth: readonly string[]): WordScore {
  if (truth.length === 0 || kept.length === 0) {
    const value = truth.length === kept.length ? 1 : 0;
    return { precision: value, recall: value, f1: value };
  }
  const left = new Map<string, number>();
  for (const word of truth) left.set(word, (left.get(word) ?? 0) + 1);
  let hit = 0;
  for (const word of kept) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      hit++;
      left.set(word, count - 1);
    }
  }
  return {
    precision: hit / kept.length,
    recall: hit / truth.length,
    f1: (2 * hit) / (kept.length + truth.length),
  };
}

function listKeptWords(page: PreparedPage, probabilities: Float64Array, cut: number): string[] {
  const said = new Set<string>();
  const kept = page.texts.filter((text, index) => {
    if (probabilities[index]! < cut) return false;
    const isRepeated = text.length >= 25 && said.has(text);
    said.add(text);
    return !isRepeated;
  });
  return toScoredWords(kept.join("\n"));
}

const formatMean = (values: readonly number[]): string =>
  (values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)).toFixed(4);

/** One line: word F1, precision and recall of the WCXB pages, and F1 by kind. */
export function measureWords(
  label: string,
  pages: readonly PreparedPage[],
  scores: ReadonlyMap<PreparedPage, Float64Array>,
  strictness: number,
): string {
  const results = pages
    .filter((page) => page.set === "wcxb-dev")
    .map((page) => {
      const probabilities = scores.get(page)!;
      const { cut } = cutPage(probabilities, page.sizes, strictness);
      return {
        kind: page.kind,
        ...scoreWords(listKeptWords(page, probabilities, cut), toScoredWords(page.truth)),
      };
    });
  const kinds = [...new Set(results.map(({ kind }) => kind))].sort();
  const byKind = kinds.map(
    (kind) =>
      `${kind.slice(0, 7)} ${formatMean(results.filter((result) => result.kind === kind).map(({ f1 }) => f1))}`,
  );
  return `${label} F1 ${formatMean(results.map(({ f1 }) => f1))} P ${formatMean(results.map(({ precision }) => precision))} R ${formatMean(results.map(({ recall }) => recall))}  ${byKind.join("  ")}`;
}
